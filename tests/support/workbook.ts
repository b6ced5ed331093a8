import { strFromU8, unzipSync } from 'fflate';

/** A cell as a reader finds it: text, the digits of a number, or nothing. */
export interface ReadCell {
  kind: 'text' | 'number';
  text: string;
  style: number;
}
export type ReadRow = Map<string, ReadCell>;
export interface ReadSheet {
  name: string;
  /** By the numbers rows have in the sheet. */
  rows: Map<number, ReadRow>;
  xml: string;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text of XML as a spreadsheet takes it. @source XML 1.0; ECMA-376, ST_Xstring */
function unescaped(xml: string): string {
  return xml
    .replace(/&(\w+);/g, (whole, name: string) => named[name] ?? whole)
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function cellsOf(xml: string, shared: readonly string[]): ReadRow {
  const cells: ReadRow = new Map();
  for (const [, at = '', attributes = '', inner = ''] of xml.matchAll(/<c r="([A-Z]+)\d+"([^>]*)>(.*?)<\/c>/gs)) {
    const style = Number(/ s="(\d+)"/.exec(attributes)?.[1] ?? 0);
    const type = / t="(\w+)"/.exec(attributes)?.[1];
    const value = /<v>(.*?)<\/v>/s.exec(inner)?.[1] ?? '';
    if (type === undefined) cells.set(at, { kind: 'number', text: value, style });
    else {
      const text = type === 's' ? shared[Number(value)]! : unescaped(/<t[^>]*>(.*?)<\/t>/s.exec(inner)?.[1] ?? '');
      cells.set(at, { kind: 'text', text, style });
    }
  }
  return cells;
}

/** Reads a workbook back, with none of the code that wrote it but the unzipping. */
export function readWorkbook(bytes: Uint8Array): { sheets: ReadSheet[]; parts: string[]; part: (path: string) => string } {
  const files = unzipSync(bytes);
  const part = (path: string): string => strFromU8(files[path]!);
  const shared = [...part('xl/sharedStrings.xml').matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map(([, text = '']) => unescaped(text));
  const names = [...part('xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)].map(([, name = '']) => unescaped(name));
  const sheets = names.map((name, index) => {
    const xml = part(`xl/worksheets/sheet${index + 1}.xml`);
    const rows = [...xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(
      ([, no = '', inner = '']) => [Number(no), cellsOf(inner, shared)] as const,
    );
    return { name, xml, rows: new Map(rows) };
  });
  return { sheets, parts: Object.keys(files), part };
}

/** The cells of a row of a sheet, dates as texts of the zone's wall clock. */
export function sheetCells({ rows }: ReadSheet, no: number, width: number): string[] {
  return Array.from({ length: width }, (_, column) => {
    const cell = rows.get(no)?.get(column < 26 ? String.fromCharCode(65 + column) : '');
    if (!cell) return '';
    if (cell.style !== 2) return cell.text;
    const wall = new Date(Math.round((Number(cell.text) - 25_569) * 86_400_000)).toISOString();
    return `${wall.slice(5, 7)}/${wall.slice(8, 10)}/${wall.slice(0, 4)} ${wall.slice(11, 16)}`;
  });
}

/** Parts of a file as one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
