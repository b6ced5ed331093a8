import { strToU8 } from 'fflate';
import type { Transaction } from '#contract/transactions.ts';
import { countWords } from './count-words.ts';
import { byteOrderMark, csvLine } from './csv.ts';
import type { TimeZone } from './dates.ts';
import type { SheetCell, SheetLosses } from './sheet-cells.ts';
import type { TransactionColumnKey, TransactionNames } from './transaction-cells.ts';
import { assetRows, columnsOfKeys, fileHeading, fileRow, type FileTotals, fileWidths, totalsRows, totalsWidths } from './file-cells.ts';
import type { SheetLayout } from './workbook-parts.ts';
import { sheetRowLimit, XlsxWriter } from './xlsx.ts';

/** What a file is made of, known before its first row. */
export interface FilePlan {
  /** In the order of the screen. */
  columns: readonly TransactionColumnKey[];
  zone: TimeZone;
  names: TransactionNames;
  /** UTC milliseconds. */
  madeAt: number;
  /** What the file holds, in words: pairs of a name and what it is. */
  about: readonly (readonly [string, string])[];
  totals: FileTotals;
}

/** A file being written. */
export interface TransactionFile {
  /** The text of the row at a position; rows may be made in any order. */
  textOf: (position: number, row: Transaction) => string;
  /** Takes the texts of all rows in their order, as UTF-8. @returns whether they were worked on: a good moment to let others go first. */
  add: (position: number, text: Uint8Array) => boolean;
  /** Ends the file. @returns what its reader should know, in words. */
  end: () => string[];
}

/** Bytes gathered before they go on. */
const pieceSize = 65_536;

/** Gathers small pieces into larger ones. What `onPiece` is given is good until it returns. */
function gathered(onPiece: (bytes: Uint8Array) => void) {
  const piece = new Uint8Array(pieceSize);
  let size = 0;
  const flush = (): void => {
    if (size > 0) onPiece(piece.subarray(0, size));
    size = 0;
  };
  return {
    flush,
    /** @returns whether a piece went on. */
    add(bytes: Uint8Array): boolean {
      const isFull = size + bytes.length > pieceSize;
      if (isFull) flush();
      if (bytes.length > pieceSize) onPiece(bytes);
      else {
        piece.set(bytes, size);
        size += bytes.length;
      }
      return isFull;
    },
  };
}

/**
 * Rows as CSV: UTF-8 with a byte order mark, lines of one heading, all rows, and below them the totals, of all rows and of each asset.
 * What the rows were narrowed to stands in the file's name alone: a line of it would be a row to every other program.
 */
export function csvFile({ columns: keys, zone, names, totals }: FilePlan, onBytes: (bytes: Uint8Array) => void): TransactionFile {
  const columns = columnsOfKeys(keys);
  const heading = fileHeading(columns, zone);
  const pieces = gathered((bytes) => onBytes(bytes.slice()));
  const padded = (cells: readonly SheetCell[]): SheetCell[] => [
    ...cells,
    ...Array.from({ length: Math.max(0, heading.length - cells.length) }, () => ({ text: '', isNumber: false })),
  ];
  pieces.add(strToU8(byteOrderMark + csvLine(heading)));
  return {
    textOf: (_position, row) => csvLine(fileRow(columns, row, names, zone)),
    add: (_position, line) => pieces.add(line),
    end() {
      for (const row of [...totalsRows(totals), ...assetRows(totals, names)]) pieces.add(strToU8(csvLine(padded(row))));
      pieces.flush();
      return [];
    },
  };
}

function lossWords({ cutTexts, longNumbers }: SheetLosses): string[] {
  return [
    ...(longNumbers === 0
      ? []
      : [
          `${countWords(longNumbers, 'number has', 'numbers have')} more than the 15 digits a spreadsheet keeps and ${longNumbers === 1 ? 'is' : 'are'} there as text with every digit; formulas pass over them.`,
        ]),
    ...(cutTexts === 0
      ? []
      : [
          `${countWords(cutTexts, 'text was', 'texts were')} longer than a cell holds and ${cutTexts === 1 ? 'is' : 'are'} cut, with a mark. The CSV file has them whole.`,
        ]),
  ];
}

/** A heading and the rows of totals leave this much of a sheet to the rows. */
const rowsOfSheet = sheetRowLimit - 6;

/**
 * Rows as a workbook: sheets of the rows with the totals below the last, a sheet of totals per asset, and one of what the file holds.
 * @param perSheet rows of a sheet, where not as many as a spreadsheet takes.
 */
export function workbookFile(plan: FilePlan, onBytes: (bytes: Uint8Array) => void, perSheet = rowsOfSheet): TransactionFile {
  const { zone, names, totals } = plan;
  const columns = columnsOfKeys(plan.columns);
  const writer = new XlsxWriter(plan.madeAt, onBytes);
  const pieces = gathered((bytes) => writer.write(bytes));
  let sheets = 0;
  const startSheet = (layout: SheetLayout): void => {
    pieces.flush();
    writer.startSheet(layout);
  };
  const endSheet = (filteredRows = 0): void => {
    pieces.flush();
    writer.endSheet(filteredRows);
  };
  const writeAll = (rows: readonly SheetCell[][], from: number): void => {
    for (const [i, cells] of rows.entries()) pieces.add(strToU8(writer.row(from + i, cells)));
  };
  const startRows = (): void => {
    sheets += 1;
    startSheet({ name: sheets === 1 ? 'Transactions' : `Transactions ${sheets}`, columns: fileWidths(columns), hasHeading: true });
    writeAll([fileHeading(columns, zone)], 1);
  };
  startRows();
  return {
    textOf: (position, row) => writer.row((position % perSheet) + 2, fileRow(columns, row, names, zone)),
    add(position, xml) {
      const isNext = position > 0 && position % perSheet === 0;
      if (isNext) {
        endSheet(perSheet + 1);
        startRows();
      }
      return pieces.add(xml) || isNext;
    },
    end() {
      const rows = totals.count - (sheets - 1) * perSheet;
      writeAll(totalsRows(totals), rows + 3);
      endSheet(rows + 1);
      startSheet({ name: 'Totals', columns: totalsWidths, hasHeading: true });
      writeAll([...totalsRows(totals), ...assetRows(totals, names)], 1);
      endSheet();
      const notes = [
        ...(sheets === 1 ? [] : [`A sheet takes ${perSheet.toLocaleString('en-US')} rows: these go on over ${sheets} sheets.`]),
        ...lossWords(writer.losses),
      ];
      startSheet({ name: 'About', columns: [{ width: 22 }, { width: 100 }], hasHeading: false });
      writeAll(aboutRows([...plan.about, ...notes.map((note): [string, string] => ['Note', note])]), 1);
      endSheet();
      writer.end();
      return notes;
    },
  };
}

function aboutRows(about: readonly (readonly [string, string])[]): SheetCell[][] {
  return about.map(([name, what]) => [
    { text: name, isNumber: false, look: 'heading' },
    { text: what, isNumber: false, look: 'long' },
  ]);
}
