/** Text that a spreadsheet would run as a formula gets an apostrophe before it. @source OWASP, CSV injection */
export function safeCell(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of text as CSV, safe to open in a spreadsheet. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => quoted(safeCell(cell))).join(',')).join('\r\n');
}

/** A cell of a copied table: a number is left as it is, so that the spreadsheet can count with it. */
export interface Cell {
  text: string;
  isNumber: boolean;
}

/** Rows as tab-separated text, as spreadsheets take it from the clipboard. */
export function tsvOf(rows: readonly (readonly Cell[])[]): string {
  return rows
    .map((row) => row.map((cell) => (cell.isNumber ? cell.text : safeCell(cell.text).replaceAll(/[\t\r\n]+/g, ' '))).join('\t'))
    .join('\n');
}
