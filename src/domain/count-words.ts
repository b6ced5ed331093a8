const figures = new Intl.NumberFormat('en-US');

/** A count with what is counted: "1 row", "2,000 rows". @param many the word for more than one, where it isn't the word and an s */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${figures.format(count)} ${count === 1 ? one : many}`;
}
