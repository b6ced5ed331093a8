import { type Cell, isPlainNumber, startsFormula } from './csv.ts';

/** How a cell of a worksheet looks. The numbers are those of the styles in `workbook-parts.ts`. */
export const looks = {
  plain: 0,
  heading: 1,
  moment: 2,
  usd: 3,
  price: 4,
  quantity: 5,
  count: 6,
  formulaText: 7,
  longNumber: 8,
  long: 9,
} as const;
export type Look = keyof typeof looks;

/** A cell of a file: as CSV takes it, with what a worksheet can show better. */
export interface SheetCell extends Cell {
  look?: Look;
  /** What the clock on the wall shows, as if it were UTC, in milliseconds: such a cell is a date. */
  wallMs?: number;
}

/** What could not be written as it was, counted. */
export interface SheetLosses {
  /** Texts longer than a cell holds. */
  cutTexts: number;
  /** Numbers of more digits than a spreadsheet keeps; they are there as text, every digit. */
  longNumbers: number;
}

/** The most a cell holds, in UTF-16 units. @source Microsoft, Excel specifications and limits */
export const longestText = 32_767;
export const cutMark = ' ... [cut: the text is longer than a cell]';

const dayMs = 86_400_000;
/** The first of March 1900; before it the calendar of spreadsheets has a day that never was. */
const firstSerial = 61;
/** After the last day of 9999. */
const endSerial = 2_958_466;

/**
 * A moment as a spreadsheet counts days, to the whole second; null where its calendar has none. Spreadsheets round to the second before
 * they show the minute: the last millisecond of a day would be the next day.
 */
function serialOf(wallMs: number): number | null {
  const serial = (Math.floor(wallMs / 1000) * 1000) / dayMs + 25_569;
  return serial >= firstSerial && serial < endSerial ? serial : null;
}

/** Whether a spreadsheet keeps every digit: at most 15 that count, and within the reach of a double. */
export function isShortNumber(text: string): boolean {
  if (!isPlainNumber(text)) return false;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '');
  return digits.length <= 15 && whole.length <= 300 && fraction.length <= 300;
}

function fitting(text: string, losses: SheetLosses): string {
  if (text.length <= longestText) return text;
  losses.cutTexts += 1;
  // never between the halves of one character
  return text.slice(0, longestText - cutMark.length).replace(/[\ud800-\udbff]$/, '') + cutMark;
}

// oxlint-disable-next-line no-control-regex -- XML has no way to hold these
const unspeakable = /[\u0000-\u0008\u000b-\u001f]|_(?=x[0-9A-Fa-f]{4}_)/g;
const broken = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Text as XML 1.0 holds it in a worksheet: control characters as `_x0001_`, halves of characters as the replacement sign.
 * @source XML 1.0, section 2.2; ECMA-376, ST_Xstring
 */
export function xmlText(text: string): string {
  // most texts are plain: one look instead of three
  if (/^[\w .,:;/()#'*+=@!?%$-]*$/.test(text) && !text.includes('_x')) return text;
  return text
    .replace(broken, '\ufffd')
    .replace(unspeakable, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}

/** The letters of a column, counted from 0: A, B, ... Z, AA. */
export function columnName(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** Texts that stand in many cells, written once. Only so many: a column of hashes would fill the memory with texts that occur once. */
export class SharedTexts {
  readonly #indexes = new Map<string, number>();
  #uses = 0;

  static readonly most = 2_048;

  /** The number of a text; null where it is written in its cell. */
  indexOf(text: string): number | null {
    let index = this.#indexes.get(text);
    if (index === undefined) {
      if (this.#indexes.size >= SharedTexts.most || text.length > 100) return null;
      index = this.#indexes.size;
      this.#indexes.set(text, index);
    }
    this.#uses += 1;
    return index;
  }

  /** The table as a part of the workbook. */
  xml(): string {
    const items = [...this.#indexes.keys()].map((text) => `<si><t xml:space="preserve">${xmlText(text)}</t></si>`).join('');
    return `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" count="${this.#uses}" uniqueCount="${this.#indexes.size}">${items}</sst>`;
  }
}

function textCell(start: string, full: string, look: Look, shared: SharedTexts, losses: SheetLosses): string {
  const text = fitting(full, losses);
  const style = (look === 'plain' || look === 'long') && startsFormula(text) ? looks.formulaText : looks[look];
  const head = style === 0 ? start : `${start} s="${style}"`;
  const index = shared.indexOf(text);
  return index === null
    ? `${head} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
    : `${head} t="s"><v>${index}</v></c>`;
}

/** A cell as XML; one without text is left out. Text is never a formula here, whatever it begins with. */
export function cellXml(at: string, cell: SheetCell, shared: SharedTexts, losses: SheetLosses): string {
  const { text, isNumber, look = 'plain', wallMs } = cell;
  if (text === '') return '';
  const start = `<c r="${at}"`;
  const serial = wallMs === undefined ? null : serialOf(wallMs);
  if (serial !== null) return `${start} s="${looks.moment}"><v>${serial}</v></c>`;
  if (!isNumber || !isPlainNumber(text)) return textCell(start, text, look, shared, losses);
  if (isShortNumber(text)) return `${start} s="${looks[look]}"><v>${text}</v></c>`;
  losses.longNumbers += 1;
  return textCell(start, text, 'longNumber', shared, losses);
}
