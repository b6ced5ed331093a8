export type FileFormat = 'csv' | 'xlsx';

/** As the network and file dialogs know them. */
export const fileTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const longestName = 60;

/** Text as a part of a file's name that every system takes: plain letters and digits of any script, hyphens between words. */
export function fileWord(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC');
  const words = plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');
  // not between the halves of a letter
  return words.slice(0, longestName).replace(/[\ud800-\udbff]$|-+$/, '');
}

/** `<entity>-transactions-<from>-<to>.<format>`; an open end says so in words. */
export function transactionsFileName(entity: string, days: { from: string | null; to: string | null }, format: FileFormat): string {
  const { from, to } = days;
  const span = from === null && to === null ? 'all-dates' : `${from ?? 'until'}-${to ?? 'onwards'}`;
  return `${fileWord(entity) || 'entity'}-transactions-${span}.${format}`;
}
