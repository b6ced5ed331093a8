import { strToU8 } from 'fflate';
import type { Transaction } from '#contract/transactions.ts';
import { byteOrderMark, csvLine } from './csv.ts';
import type { TimeZone } from './dates.ts';
import type { SheetCell, SheetLosses } from './sheet-cells.ts';
import type { TransactionColumnKey, TransactionNames } from './transaction-cells.ts';
import {
  assetRows,
  columnsOfKeys,
  fileHeading,
  fileRow,
  type FileTotals,
  fileWidths,
  totalsRows,
  totalsWidths,
} from './file-cells.ts';
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
  /** Takes the texts of all rows in their order. @returns whether bytes were made of them: a good moment to let others go first. */
  add: (position: number, text: string) => boolean;
  /** Ends the file. @returns what its reader should know, in words. */
  end: () => string[];
}

/** Text gathered before bytes are made of it. */
const pieceLength = 65_536;

function rowsWord(rows: number, one: string, many: string): string {
  return `${rows.toLocaleString('en-US')} ${rows === 1 ? one : many}`;
}

/**
 * Rows as CSV: UTF-8 with a byte order mark, lines of one heading, all rows, and below them the totals, of all rows and of each asset.
 * What the rows were narrowed to stands in the file's name alone: a line of it would be a row to every other program.
 */
export function csvFile({ columns: keys, zone, names, totals }: FilePlan, onBytes: (bytes: Uint8Array) => void): TransactionFile {
  const columns = columnsOfKeys(keys);
  const heading = fileHeading(columns, zone);
  let waiting = byteOrderMark + csvLine(heading);
  const padded = (cells: readonly SheetCell[]): SheetCell[] => [
    ...cells,
    ...Array.from({ length: Math.max(0, heading.length - cells.length) }, () => ({ text: '', isNumber: false })),
  ];
  const flush = (): void => {
    onBytes(strToU8(waiting));
    waiting = '';
  };
  return {
    textOf: (_position, row) => csvLine(fileRow(columns, row, names, zone)),
    add(_position, line) {
      waiting += line;
      if (waiting.length < pieceLength) return false;
      flush();
      return true;
    },
    end() {
      for (const row of [...totalsRows(totals), ...assetRows(totals, names)]) waiting += csvLine(padded(row));
      flush();
      return [];
    },
  };
}

function lossWords({ cutTexts, longNumbers }: SheetLosses): string[] {
  return [
    ...(longNumbers === 0
      ? []
      : [
          `${rowsWord(longNumbers, 'number has', 'numbers have')} more than the 15 digits a spreadsheet keeps and ${longNumbers === 1 ? 'is' : 'are'} there as text with every digit; formulas pass over them.`,
        ]),
    ...(cutTexts === 0
      ? []
      : [
          `${rowsWord(cutTexts, 'text was', 'texts were')} longer than a cell holds and ${cutTexts === 1 ? 'is' : 'are'} cut, with a mark. The CSV file has them whole.`,
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
  let waiting = '';
  let sheets = 0;
  const flush = (): void => {
    writer.write(waiting);
    waiting = '';
  };
  const startRows = (): void => {
    sheets += 1;
    const name = sheets === 1 ? 'Transactions' : `Transactions ${sheets}`;
    writer.startSheet({ name, columns: fileWidths(columns), hasHeading: true });
    waiting = writer.row(1, fileHeading(columns, zone));
  };
  const writeAll = (rows: readonly SheetCell[][], from: number): void => {
    waiting += rows.map((cells, i) => writer.row(from + i, cells)).join('');
    flush();
  };
  startRows();
  return {
    textOf: (position, row) => writer.row((position % perSheet) + 2, fileRow(columns, row, names, zone)),
    add(position, xml) {
      const isNext = position > 0 && position % perSheet === 0;
      if (isNext) {
        flush();
        writer.endSheet(perSheet + 1);
        startRows();
      }
      waiting += xml;
      if (waiting.length < pieceLength) return isNext;
      flush();
      return true;
    },
    end() {
      const rows = totals.count - (sheets - 1) * perSheet;
      writeAll(totalsRows(totals), rows + 3);
      writer.endSheet(rows + 1);
      writer.startSheet({ name: 'Totals', columns: totalsWidths, hasHeading: true });
      writeAll([...totalsRows(totals), ...assetRows(totals, names)], 1);
      writer.endSheet();
      const notes = [
        ...(sheets === 1 ? [] : [`A sheet takes ${perSheet.toLocaleString('en-US')} rows: these go on over ${sheets} sheets.`]),
        ...lossWords(writer.losses),
      ];
      writer.startSheet({ name: 'About', columns: [{ width: 22 }, { width: 100 }], hasHeading: false });
      writeAll(aboutRows([...plan.about, ...notes.map((note): [string, string] => ['Note', note])]), 1);
      writer.endSheet();
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
