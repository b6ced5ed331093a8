import { strToU8, Zip, ZipDeflate } from 'fflate';
import { cellXml, columnName, SharedTexts, type SheetCell, type SheetLosses } from './sheet-cells.ts';
import { closingParts, type SheetLayout, sheetEnd, sheetPath, sheetStart, xmlHead } from './workbook-parts.ts';

/** The most rows of a sheet, its heading among them. @source Microsoft, Excel specifications and limits */
export const sheetRowLimit = 1_048_576;

/** Half the time of the usual level for a file 6 % larger, measured over rows of transactions. */
const level = 3;
/** Zip files have no dates before 1980; a day later, for the clock on the wall may be behind. */
const firstMoment = Date.UTC(1980, 0, 2);

/**
 * Writes a workbook while its rows come: what was handed over leaves as compressed bytes and is not kept. One sheet after another.
 * @source ECMA-376; PKWARE APPNOTE
 */
export class XlsxWriter {
  readonly losses: SheetLosses = { cutTexts: 0, longNumbers: 0 };
  readonly #zip: Zip;
  readonly #madeAt: number;
  readonly #shared = new SharedTexts();
  readonly #names: string[] = [];
  #file: ZipDeflate | null = null;
  #layout: SheetLayout | null = null;

  /**
   * @param madeAt the moment the file says it was made at, in milliseconds.
   * @param onBytes takes the bytes as they come; an array is not used again here.
   */
  constructor(madeAt: number, onBytes: (bytes: Uint8Array) => void) {
    this.#madeAt = madeAt;
    this.#zip = new Zip((error, bytes) => {
      if (error) throw error;
      if (bytes.length > 0) onBytes(bytes);
    });
  }

  startSheet(layout: SheetLayout): void {
    this.#names.push(layout.name);
    this.#layout = layout;
    this.#file = this.#open(sheetPath(this.#names.length));
    this.write(strToU8(sheetStart(layout, this.#names.length === 1)));
  }

  /** A row as `write` takes it; rows may be made in any order. Rows count from 1. */
  row(no: number, cells: readonly SheetCell[]): string {
    const cellsXml = cells.map((cell, i) => cellXml(`${columnName(i)}${no}`, cell, this.#shared, this.losses));
    // joined, not added up: a text put together from many keeps them all in memory
    return `<row r="${no}">${cellsXml.join('')}</row>`;
  }

  /** Takes rows in their order, as UTF-8. Some 64 KB at once keep the thread for about two milliseconds. */
  write(rows: Uint8Array): void {
    this.#file?.push(rows);
  }

  /** Ends the sheet. @param filteredRows the first rows of it, for which a filter is offered; 0 for none. */
  endSheet(filteredRows = 0): void {
    if (!this.#file || !this.#layout) return;
    this.#file.push(strToU8(sheetEnd(this.#layout, filteredRows)), true);
    this.#file = null;
  }

  /** Ends the workbook. */
  end(): void {
    for (const [path, xml] of closingParts(this.#names, this.#shared.xml())) {
      this.#open(path).push(strToU8(xml.startsWith('<?') ? xml : xmlHead + xml), true);
    }
    this.#zip.end();
  }

  #open(path: string): ZipDeflate {
    const file = new ZipDeflate(path, { level });
    file.mtime = Math.max(this.#madeAt, firstMoment);
    this.#zip.add(file);
    return file;
  }
}
