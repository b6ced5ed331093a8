/** A cell of a table that leaves the app: a number is left as it is, so that a spreadsheet can count with it. */
export interface Cell {
  text: string;
  isNumber: boolean;
}

/** What tells spreadsheets that a file is UTF-8; it goes before the first line. */
export const byteOrderMark = '\ufeff';

// blanks, and characters nobody sees
const unseen = '[\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2060-\\u2064\\ufeff]*';
// signs, and their full-width twins
const signs = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]';
// where a text was cut within its quotes, what is left of them may be taken for those of a cell
const opening = `${unseen.slice(0, -2)}"]*`;
const formulaStart = new RegExp(`^(?:${opening}${signs}|[\\t\\r\\n])`);
const innerFormula = new RegExp(`[;\\t\\r\\n](?=${opening}${signs})`, 'g');

/** Whether a spreadsheet would run a text as a formula. @source OWASP, CSV injection */
export function startsFormula(text: string): boolean {
  return formulaStart.test(text);
}

/** Text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function safeCell(text: string): string {
  return startsFormula(text) ? `'${text}` : text;
}

/**
 * A spreadsheet of a country that writes lists with semicolons cuts a line of commas at those inside the texts, too, and at line ends
 * whatever the quotes: what would begin a cell then is made safe as well.
 */
function safeInFile(text: string): string {
  return safeCell(text).replaceAll(innerFormula, "$&'");
}

/** Whether text is a plain number, as `plainDecimal` writes it. */
export function isPlainNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvCell({ text, isNumber }: Cell): string {
  return isNumber && isPlainNumber(text) ? text : quoted(safeInFile(text));
}

/** One line of a CSV file with its end. @source RFC 4180 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A whole CSV file of texts, as Excel reads it. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return byteOrderMark + rows.map((row) => csvLine(row.map((text) => ({ text, isNumber: false })))).join('');
}

/** A cell in tab-separated text. One that begins with a quote is taken for a quoted one: up to the next quote, over tabs and lines. */
function tsvCell({ text, isNumber }: Cell): string {
  const safe = isNumber ? text : safeCell(text.replaceAll(/[\t\r\n]+/g, ' '));
  return safe.startsWith('"') ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as tab-separated text, as spreadsheets take it from the clipboard. */
export function tsvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => row.map(tsvCell).join('\t')).join('\n');
}
