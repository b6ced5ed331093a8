/** A row as far as its place in a list goes. */
interface Given {
  id: string;
}

/** The ids that rows of an answer say, in their order, be it that nothing else of them could be read. */
export function idsIn(body: readonly unknown[]): string[] {
  return body.flatMap((row) => {
    const { id } = (row ?? {}) as { id?: unknown };
    return typeof id === 'string' ? [id] : [];
  });
}

/** The ids of all rows of an answer, in their order, be it that they could not be read. */
export function givenIn(body: readonly unknown[]): Given[] {
  return idsIn(body).map((id) => ({ id }));
}

/** All rows of an answer in their order, those that could not be read by their ids alone. @param given null where all could be. */
export function withUnread<Row extends Given>(rows: readonly Row[], given: readonly Given[] | null): Given[] {
  if (given === null) return [...rows];
  const read = new Map(rows.map((row) => [row.id, row]));
  return given.map((row) => read.get(row.id) ?? row);
}

/** The ids of the rows of an answer that could not be read. */
export function unreadAmong(given: readonly Given[], rows: readonly Given[]): string[] {
  const read = new Set(rows.map(({ id }) => id));
  return given.flatMap(({ id }) => (read.has(id) ? [] : [id]));
}
