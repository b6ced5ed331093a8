import { parse } from 'csv-parse/sync';

/** One row of a CSV file. */
export interface CsvRecord {
  /** Line of the file it starts on, from 1. */
  line: number;
  /** As it stands, without the line end. */
  text: string;
  cells: string[];
  /** A quote opens in it that no quote closes. */
  isUnclosed: boolean;
}

/** How often a file may have a quote left open before the rest of it is one bad row: each costs a look at all that follows. */
const mostRepairs = 20;

/** Line ends as `\n`, so that a line number is a count of them and one row has one text whatever system saved it. */
export function withPlainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Whether a row has the cells the header asks for; cells too many are let pass when they are empty. */
export function isFit(cells: readonly string[], width: number): boolean {
  return cells.length >= width && cells.slice(width).every((cell) => cell === '');
}

/** Rows up to the end, or up to a quote that is open there; lines are counted from 1 within `lines`. */
function parsed(lines: readonly string[], delimiter: string): { records: CsvRecord[]; readLines: number; isWhole: boolean } {
  const records: CsvRecord[] = [];
  let readLines = 0;
  const take = (cells: string[], last: number): null => {
    let first = readLines;
    while (first < last - 1 && lines[first]?.trim() === '') first += 1;
    records.push({ line: first + 1, text: lines.slice(first, last).join('\n'), cells, isUnclosed: false });
    readLines = last;
    return null;
  };
  try {
    parse(lines.join('\n'), {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      // taken as they come: when the text ends inside a quote, parse throws and returns none of them
      on_record: (cells: string[], context) => take(cells, context.lines),
    });
    return { records, readLines, isWhole: true };
  } catch {
    return { records, readLines, isWhole: false };
  }
}

/**
 * Cuts CSV text (line ends `\n`) into rows. A quote left open would swallow the rows that follow: where the text ends
 * inside a quote, or a row over several lines does not fit `width`, its first line alone is the bad row and reading
 * goes on with the next line.
 */
export function csvRecords(text: string, delimiter: string, width: number): CsvRecord[] {
  const records: CsvRecord[] = [];
  let repairs = 0;
  const repair = (lines: readonly string[], firstLine: number): void => {
    const start = lines.findIndex((line) => line.trim() !== '');
    if (start < 0) return;
    repairs += 1;
    const last = repairs > mostRepairs ? lines.length : start + 1;
    const bad = lines.slice(start, last).join('\n');
    records.push({ line: firstLine + start, text: bad, cells: [bad], isUnclosed: true });
    if (last < lines.length) read(lines.slice(last), firstLine + last);
  };
  const read = (lines: readonly string[], firstLine: number): void => {
    const found = parsed(lines, delimiter);
    for (const record of found.records) {
      const line = record.line + firstLine - 1;
      const isBroken = record.text.includes('\n') && !isFit(record.cells, width);
      if (isBroken) repair(record.text.split('\n'), line);
      else records.push({ ...record, line });
    }
    if (!found.isWhole) repair(lines.slice(found.readLines), firstLine + found.readLines);
  };
  read(text.split('\n'), 1);
  return records;
}
