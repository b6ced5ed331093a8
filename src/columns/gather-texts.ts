import type { Picks } from './picks.ts';
import type { Layout } from './schema.ts';
import { type Segment, type StoredText, type TextColumn, type TextTier, textChecksum } from './segments.ts';

/** How many bytes are copied between two breaths. */
const copiedAtOnce = 2 ** 20;
/** A piece of fewer bytes is copied faster by hand than by a call. */
const short = 96;

/** Copies the texts of picked rows. Yields now and then. */
export function* gatherTexts(layout: Layout, segment: Pick<Segment, 'partition' | 'checksum'>, picks: Picks): Generator<void, TextTier> {
  const columns: Record<string, StoredText> = {};
  for (const name of layout.texts) {
    const column = yield* gatherText(picks, name);
    yield;
    columns[name] = { ...column, checksum: textChecksum(segment, name, column) };
    yield;
  }
  return columns;
}

function* gatherText({ sources, source, row, at }: Picks, name: string): Generator<void, TextColumn> {
  const columns = sources.map(({ texts }) => texts?.[name] as TextColumn);
  const offsets = new Uint32Array((at.at(-1) as number) + 1);
  for (let run = 0; run < row.length; run++) {
    const from = (columns[source[run] as number] as TextColumn).offsets;
    const first = at[run] as number;
    const last = at[run + 1] as number;
    const shift = (offsets[first] as number) - (from[row[run] as number] as number);
    for (let i = first + 1; i <= last; i++) offsets[i] = (from[(row[run] as number) + i - first] as number) + shift;
  }
  yield;
  const bytes = new Uint8Array(offsets.at(-1) as number);
  let copied = 0;
  for (let run = 0; run < row.length; run++) {
    const from = columns[source[run] as number] as TextColumn;
    const to = offsets[at[run] as number] as number;
    const length = (offsets[at[run + 1] as number] as number) - to;
    copyBytes(from.bytes, from.offsets[row[run] as number] as number, bytes, to, length);
    copied += length;
    if (copied > copiedAtOnce) {
      copied = 0;
      yield;
    }
  }
  return { offsets, bytes };
}

function copyBytes(from: Uint8Array, at: number, into: Uint8Array, to: number, length: number): void {
  if (length > short) into.set(from.subarray(at, at + length), to);
  else for (let i = 0; i < length; i++) into[to + i] = from[at + i] as number;
}
