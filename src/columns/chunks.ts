import { type Bits, allSet, countBits, subtract } from './bits.ts';
import { Memo } from './memo.ts';
import { MissedTexts } from './missed-texts.ts';
import { buildKeyFilter, buildKeyIndex, findKey, type KeyFilter, type KeyIndex, mayHaveKey } from './key-index.ts';
import { compareKeys } from './keys.ts';
import { unpackHot } from './packing.ts';
import type { NumberOrder, PartedOrder } from './number-orders.ts';
import { type Postings, postingsOf } from './postings.ts';
import type { CodeColumn, Hot, Segment, StoredText, TextColumn, TextTier } from './segments.ts';
import type { GroupSums } from './group-sums.ts';
import { pairsOfTexts, type TextPairs } from './text-pairs.ts';
import { timeOf } from './times.ts';

/** Rows in memory that a query scans as one piece: a segment, the delta or the overlay. */
export type Chunk = {
  readonly rows: number;
  readonly hot: Hot;
  /** The text columns, or null while a segment's text is not loaded. */
  readonly texts: Readonly<Record<string, TextColumn>> | null;
  /** Whether the rows lie in the order (time descending, key descending). */
  readonly sorted: boolean;
  /** Rows replaced or removed for good, kept until the next seal. May be longer than the rows need. */
  readonly dead: Bits | null;
  /** Rows that the overlay stands in for. May be longer than the rows need. */
  readonly hidden: Bits | null;
  /** The last row of a key (four words of `words` from `at` on), dead or not, or -1. */
  find(words: Uint32Array, at: number): number;
};

/** A segment with what a table knows about it in memory. Its rows never change, so neither does what is remembered of them. */
export class SegmentChunk implements Chunk {
  readonly sorted = true;
  readonly segment: Segment;
  readonly rows: number;
  readonly hot: Hot;
  /** Null until all its text columns are there. */
  text: TextTier | null;
  dead: Bits | null = null;
  hidden: Bits | null = null;
  /** The totals of all its rows, by request. */
  readonly totals = new Memo<GroupSums>(6);
  /** Of some filters the rows that they keep, by filter. */
  readonly kept = new Memo<Bits>(24);
  private readonly seen = new Memo<true>(64);
  private readonly posted = new Memo<Postings | 'none'>(8);
  private readonly besides = new Memo<Uint8Array>(6);
  private readonly orders = new Memo<NumberOrder>(6);
  private readonly parted = new Memo<PartedOrder>(6);
  private readonly pairs = new Memo<TextPairs>(8);
  private readonly missed = new Map<string, MissedTexts>();
  /** The text columns that came so far. */
  private readonly taken = new Map<string, StoredText>();
  private everyRow: Bits | null = null;
  private index: KeyIndex | null = null;
  private filter: KeyFilter | null = null;

  constructor(segment: Segment) {
    this.segment = segment;
    this.rows = segment.rows;
    this.hot = unpackHot(segment.hot, segment.rows);
    this.text = segment.text;
  }

  get texts(): Readonly<Record<string, TextColumn>> | null {
    return this.text;
  }

  /** Takes one of its text columns. @param names those it is to have in all. */
  takeText(name: string, text: StoredText, names: readonly string[]): void {
    // two who need them may both read them
    if (this.text !== null) return;
    this.taken.set(name, text);
    if (!names.every((each) => this.taken.has(each))) return;
    this.text = Object.fromEntries(this.taken);
    this.taken.clear();
  }

  /** A bitmap of all its rows, the same one each time: it is not to be written into. */
  get all(): Bits {
    this.everyRow ??= allSet(this.rows);
    return this.everyRow;
  }

  /** Whether this was asked before with the same name, not too long ago. */
  isSecondSight(name: string): boolean {
    if (this.seen.get(name)) return true;
    this.seen.set(name, true);
    return false;
  }

  /** The rows by their values in a column; null when this is first asked, since to look at the column once is cheaper. */
  postings(name: string, of: CodeColumn): Postings | null {
    const known = this.learnt(this.posted, name, () => postingsOf(of) ?? 'none');
    return known === 'none' ? null : known;
  }

  /** The values of another column in the order of postings, so that they are read one after another; null when this is first asked. */
  beside(name: string, postings: Postings, values: Uint8Array): Uint8Array | null {
    return this.learnt(this.besides, name, () => gathered(values, postings));
  }

  /** Which bytes stand next to one another in the texts of a column; null when this is first asked, or where they are not loaded. */
  textPairs(column: string): TextPairs | null {
    const texts = this.texts?.[column];
    return this.learnt(this.pairs, `pairs ${column}`, texts ? () => pairsOfTexts(texts) : null);
  }

  /** What searches of a column found nowhere. */
  missedTexts(column: string): MissedTexts {
    const missed = this.missed.get(column) ?? new MissedTexts();
    this.missed.set(column, missed);
    return missed;
  }

  /** The rows by their numbers in a column; null until `make` was allowed and this was asked before. */
  order(name: string, make: (() => NumberOrder) | null): NumberOrder | null {
    return this.learnt(this.orders, name, make);
  }

  /** Such an order parted by the codes of another column; null when this is first asked. */
  partedOrder(name: string, make: () => PartedOrder): PartedOrder | null {
    return this.learnt(this.parted, name, make);
  }

  /** What is remembered by a name, made when it is asked for again; null until then, and where it cannot be made. */
  private learnt<T extends {}>(memo: Memo<T>, name: string, make: (() => T) | null): T | null {
    const known = memo.get(name);
    if (known !== undefined) return known;
    if (make === null || !this.isSecondSight(name)) return null;
    const made = make();
    memo.set(name, made);
    return made;
  }

  /** Makes what tells most keys that it has no row of them, which `find` would make first. */
  prepareFind(): KeyFilter {
    return (this.filter ??= buildKeyFilter(this.hot.key, this.rows));
  }

  find(words: Uint32Array, at: number): number {
    if (!mayHaveKey(this.prepareFind(), words, at)) return -1;
    this.index ??= buildKeyIndex(this.hot.key, this.rows);
    return findKey(this.index, words, at);
  }
}

function gathered(values: Uint8Array, { rows }: Postings): Uint8Array {
  const bytes = new Uint8Array(rows.length);
  for (let at = 0; at < rows.length; at++) bytes[at] = values[rows[at] as number] as number;
  return bytes;
}

/** A bitmap of the rows of a chunk that a query sees, perhaps a shared one: it is not to be written into. */
export function liveBits(chunk: Chunk): Bits {
  if (chunk instanceof SegmentChunk && !chunk.dead && !chunk.hidden) return chunk.all;
  const bits = allSet(chunk.rows);
  if (chunk.dead) subtract(bits, chunk.dead);
  if (chunk.hidden) subtract(bits, chunk.hidden);
  return bits;
}

/** How many rows of a chunk are neither dead nor hidden. */
export function liveRows(chunk: Chunk): number {
  return chunk.dead || chunk.hidden ? countBits(liveBits(chunk)) : chunk.rows;
}

/** Compares two rows in the default order (time descending, key descending): negative when `a` comes first. */
export function compareRows(a: Hot, aRow: number, b: Hot, bRow: number): number {
  return timeOf(b.time, bRow) - timeOf(a.time, aRow) || compareKeys(b.key, bRow * 4, a.key, aRow * 4);
}

/** The first row of a sorted chunk that comes after `row` of `hot` in the default order; `rows` when there is none. */
export function rowAfter(chunk: Chunk, hot: Hot, row: number): number {
  return firstRow(chunk.rows, (at) => compareRows(chunk.hot, at, hot, row) > 0);
}

/** The first of `rows` rows for which `holds` (false for some rows, then true for the rest); `rows` when there is none. */
export function firstRow(rows: number, holds: (row: number) => boolean): number {
  let low = 0;
  let high = rows;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
