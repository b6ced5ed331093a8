import { type Bits, countBits, isEmpty } from './bits.ts';
import { type Chunk, SegmentChunk } from './chunks.ts';
import { type Filter, keepWhere } from './filters.ts';
import { longestByWords, searchByWords } from './search-words.ts';
import { contains, needleOf, searchAll } from './search.ts';
import { nullText, type TextColumn } from './segments.ts';
import { mayContain } from './text-pairs.ts';
import { TextSet } from './text-set.ts';
import { utf8Of } from './utf8.ts';

/** Of fewer rows than one in so many each is searched by itself: the others would take longer than to find out where each begins. */
const sparse = 4;

/** Keeps the rows whose text contains another, whatever the case of either. A chunk without rows left needs no text. */
export function keepContaining(column: string, text: string): Filter {
  const bytes = utf8Of(text.toLowerCase());
  const needle = needleOf(bytes);
  // a letter for each byte: half of a pair of UTF-16 is no part of what the whole is written with
  const name = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const keep = (chunk: Chunk, bits: Bits): void => {
    const count = countBits(bits);
    if (count === 0) return;
    const texts = textsOf(chunk, column);
    if (!needle) keepShort(bits, texts, bytes[0]);
    else if (count * sparse < chunk.rows) {
      keepWhere(bits, (row) => contains(texts.bytes, texts.offsets[row] as number, texts.offsets[row + 1] as number, needle));
    } else if (bytes.length <= longestByWords) searchByWords(bits, texts, chunk.rows, bytes);
    else searchAll(bits, texts, chunk.rows, needle);
  };
  return {
    cost: 6,
    keep: (chunk, bits) => {
      if (!(chunk instanceof SegmentChunk) || bytes.length === 0) return keep(chunk, bits);
      if (isEmpty(bits)) return;
      // it must be there even where nothing of it has to be read
      textsOf(chunk, column);
      const pairs = chunk.textPairs(column);
      if (pairs && !mayContain(pairs, bytes)) {
        bits.fill(0);
        return;
      }
      const missed = chunk.missedTexts(column);
      missed.leaveOut(bits, name);
      const asked = bits.slice();
      keep(chunk, bits);
      missed.note(name, asked, bits);
    },
  };
}

/** Keeps the rows whose text is one of some others, whatever the case of either. */
export function keepOneOf(column: string, texts: readonly string[]): Filter {
  const { set } = TextSet.of(texts);
  return {
    cost: 5,
    keep: (chunk, bits) => {
      const { offsets, bytes } = textsOf(chunk, column);
      keepWhere(bits, (row) => set.find(bytes, offsets[row] as number, offsets[row + 1] as number) >= 0);
    },
  };
}

function textsOf(chunk: Chunk, column: string): TextColumn {
  const texts = chunk.texts?.[column];
  if (!texts) throw new RangeError(`The text of column "${column}" is not loaded`);
  return texts;
}

/** Keeps the rows whose text is no null and has a byte, where one is given. */
function keepShort(bits: Bits, { offsets, bytes }: TextColumn, wanted: number | undefined): void {
  keepWhere(bits, (row) => {
    const from = offsets[row] as number;
    const to = offsets[row + 1] as number;
    if (to === from + 1 && bytes[from] === nullText) return false;
    let at = from;
    while (wanted !== undefined && at < to && bytes[at] !== wanted) at++;
    return wanted === undefined || at < to;
  });
}
