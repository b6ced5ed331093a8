import type { Row } from './schema.ts';
import { nullText, type TextColumn } from './segments.ts';
import { utf8Room, writeLowerUtf8 } from './utf8.ts';

/** A text column with room to grow. */
export type GrowingText = { -readonly [P in keyof TextColumn]: TextColumn[P] };

// A platform's own encoder, which every browser, worker and server has, but which the language does not.
declare const TextEncoder: new () => { encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number } };
const encoder = new TextEncoder();

/** So many texts are put in lower case and encoded together, as long as they are ASCII. */
const together = 128;
/** More characters than this are not put together. */
const mostTogether = 2 ** 20;

/** Which of the texts at hand are nulls; a space stands for them. */
const nulls = new Uint8Array(together);

/** Adds the texts of a column of some rows at the rows from `first` on. */
export function addTexts(column: GrowingText, first: number, rows: readonly Row[], name: string): void {
  const texts: string[] = [];
  let length = 0;
  let added = first;
  for (let i = 0; i < rows.length; i++) {
    const text = (rows[i] as Row).values[name] as string | null | undefined;
    const isNull = text === null || text === undefined;
    nulls[texts.length] = isNull ? 1 : 0;
    texts.push(isNull ? ' ' : text);
    length += isNull ? 1 : text.length;
    if (texts.length < together && length < mostTogether && i < rows.length - 1) continue;
    if (length >= mostTogether || !addAscii(column, added, texts, length)) addEach(column, added, texts);
    added += texts.length;
    texts.length = length = 0;
  }
}

/** Adds texts all at once. False, with nothing added, when they are not all ASCII. */
function addAscii(column: GrowingText, first: number, texts: readonly string[], length: number): boolean {
  const { offsets } = column;
  const start = offsets[first] as number;
  makeRoom(column, start + length);
  const all = texts.join('').toLowerCase();
  const { read, written } = encoder.encodeInto(all, column.bytes.subarray(start, start + length));
  if (read !== length || written !== length || all.length !== length) return false;
  let at = start;
  for (let i = 0; i < texts.length; i++) {
    if (nulls[i] === 1) column.bytes[at] = nullText;
    at += (texts[i] as string).length;
    offsets[first + i + 1] = at;
  }
  return true;
}

function addEach(column: GrowingText, first: number, texts: readonly string[]): void {
  let at = column.offsets[first] as number;
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] as string;
    makeRoom(column, at + utf8Room(text));
    if (nulls[i] === 1) column.bytes[at++] = nullText;
    else at = writeLowerUtf8(text, column.bytes, at);
    column.offsets[first + i + 1] = at;
  }
}

function makeRoom(column: GrowingText, length: number): void {
  if (length <= column.bytes.length) return;
  const bytes = new Uint8Array(length * 2);
  bytes.set(column.bytes);
  column.bytes = bytes;
}
