import { hasBit } from './bits.ts';
import { SegmentChunk } from './chunks.ts';
import { TextNotLoadedError } from './errors.ts';
import { keyOf } from './keys.ts';
import { expectKind, type Layout } from './schema.ts';
import { TextSet } from './text-set.ts';
import { bitsIn, countIn, type View } from './view.ts';

/** For each of some keys whether the view has its row. */
export function amongKeys(view: View, keys: readonly string[]): boolean[] {
  return keys.map((key) => {
    const words = keyOf(key);
    return view.chunks.some((chunk, index) => {
      const row = chunk.find(words, 0);
      return row >= 0 && hasBit(bitsIn(view, index), row);
    });
  });
}

/** For each of some texts whether a row of the view has it in a column. Throws a TextNotLoadedError when it needs text. */
export function amongTexts(layout: Layout, view: View, column: string, texts: readonly string[]): boolean[] {
  expectKind(layout, column, ['text']);
  const looked = view.chunks.filter((_, index) => countIn(view, index) !== 0);
  const missing = looked.filter((chunk) => chunk instanceof SegmentChunk && chunk.texts === null) as SegmentChunk[];
  if (missing.length > 0) throw new TextNotLoadedError(missing.map(({ segment }) => segment.partition));
  const { set, numbers } = TextSet.of(texts);
  const found = new Uint8Array(set.size);
  let left = set.size;
  for (const [index, chunk] of view.chunks.entries()) {
    const bits = bitsIn(view, index);
    const held = chunk.texts?.[column];
    for (let w = 0; held && w < bits.length && left > 0; w++) {
      for (let rest = bits[w] as number; rest !== 0; rest &= rest - 1) {
        const row = (w << 5) + 31 - Math.clz32(rest & -rest);
        const number = set.find(held.bytes, held.offsets[row] as number, held.offsets[row + 1] as number);
        if (number < 0 || found[number] === 1) continue;
        found[number] = 1;
        left--;
      }
    }
  }
  return numbers.map((number) => found[number] === 1);
}
