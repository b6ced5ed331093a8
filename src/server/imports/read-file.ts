import { readCsv } from './csv.ts';
import { decodeFile } from './decode-file.ts';
import { type FileReading, refused } from './imported-row.ts';
import { looksLikeOfx, readOfx } from './ofx.ts';

/** The most rows one file may bring. */
export const importRowLimit = 200_000;

export interface ReadOptions {
  /** A CSV profile's id; left out, the profile is found from the header. An OFX file needs none. */
  profileId?: string;
  /** The account's asset, for files that do not name one. */
  defaultSymbol?: string;
}

/** Files people take for a CSV, by their first bytes. */
const otherFiles: readonly { start: string; is: string }[] = [
  { start: 'PK\u0003\u0004', is: 'a zip or Excel file; save the sheet as CSV, or unpack it' },
  { start: '%PDF', is: 'a PDF; ask the bank or exchange for OFX or CSV' },
  { start: '\u00d0\u00cf\u0011\u00e0', is: 'an old Excel file; save the sheet as CSV' },
  { start: '\u001f\u008b', is: 'a gzip file; unpack it' },
];

function whatElse(bytes: Uint8Array, text: string): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 8));
  const other = otherFiles.find(({ start }) => head.startsWith(start));
  if (other) return other.is;
  // what no text holds, and no database text column takes
  if (text.includes('\u0000')) return 'not a text file';
  const sample = text.slice(0, 4000);
  const odd = Array.from(sample).filter((letter) => letter === '\ufffd' || (letter < ' ' && !'\t\n\r\f'.includes(letter))).length;
  if (odd > sample.length / 50 + 1) return 'not a text file';
  if (/^\s*(<!doctype html|<html)/i.test(sample)) return 'a web page; download the export again';
  return null;
}

/**
 * Reads a file somebody imports. OFX and CSV are told apart by their content, never by the name.
 * @param fileName for words to the person, and for the asset of files that carry it only there.
 * @returns the rows with drafts or reasons, or one reason when nothing can be read. Never throws.
 */
export function readImport(bytes: Uint8Array, fileName: string, options: ReadOptions): FileReading {
  const { text, encoding, isGuess } = decodeFile(bytes);
  const plain = text.replace(/^\ufeff/, '');
  if (plain.trim() === '') return refused(`The file ${fileName} is empty`);
  const other = whatElse(bytes, plain);
  if (other !== null) return refused(`The file ${fileName} is ${other}`);
  const limits = { ...options, fileName, rowLimit: importRowLimit };
  const reading = looksLikeOfx(plain) ? readOfx(plain, limits) : readCsv(plain, limits);
  if (!reading.ok) return reading;
  const doubt = isGuess ? [`The file does not say its encoding; it was read as ${encoding}, so check accents and names`] : [];
  return { ok: true, file: { ...reading.file, warnings: [...doubt, ...reading.file.warnings] } };
}
