/** A hash index over the keys of one segment: finds a row by its 16 bytes. */
export type KeyIndex = { readonly slots: Uint32Array; readonly keys: Uint32Array };

// A slot holds row + 1 in its low 17 bits and 15 bits of the hash above them, so a miss seldom has to read the keys.
const rowBits = 17;
const rowMask = (1 << rowBits) - 1;

/** Builds the index. `keys` holds four words a row, at most 65,536 rows. */
export function buildKeyIndex(keys: Uint32Array, rows: number): KeyIndex {
  const size = sizeFor(rows);
  const slots = new Uint32Array(size);
  for (let row = 0; row < rows; row++) {
    const hash = hashOf(keys, row * 4);
    let slot = hash & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = (hash & ~rowMask) | (row + 1);
  }
  return { slots, keys };
}

/** The row of a key (four words from `at` on), or -1. */
export function findKey({ slots, keys }: KeyIndex, words: Uint32Array, at: number): number {
  const hash = hashOf(words, at);
  const mark = hash >>> rowBits;
  const mask = slots.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot] as number;
    if (entry === 0) return -1;
    if (entry >>> rowBits !== mark) continue;
    const row = (entry & rowMask) - 1;
    if (sameKey(keys, row * 4, words, at)) return row;
  }
}

/** Says quickly that a key is not among those of a segment; of keys that are not there it lets about one in sixteen through. */
export type KeyFilter = { readonly bits: Uint32Array; readonly least: number; readonly most: number };

/** Builds the filter: one of sixteen bits a row, and the range of the first words. */
export function buildKeyFilter(keys: Uint32Array, rows: number): KeyFilter {
  const bits = new Uint32Array(sizeFor(rows) >>> 2);
  const mask = bits.length - 1;
  let least = 0xffffffff;
  let most = 0;
  for (let at = 0; at < rows * 4; at += 4) {
    const hash = hashOf(keys, at);
    bits[(hash >>> 5) & mask] = (bits[(hash >>> 5) & mask] as number) | (1 << (hash & 31));
    const first = keys[at] as number;
    if (first < least) least = first;
    if (first > most) most = first;
  }
  return { bits, least, most };
}

/** Whether a key may be there. */
export function mayHaveKey({ bits, least, most }: KeyFilter, words: Uint32Array, at: number): boolean {
  const first = words[at] as number;
  if (first < least || first > most) return false;
  const hash = hashOf(words, at);
  return (((bits[(hash >>> 5) & (bits.length - 1)] as number) >>> (hash & 31)) & 1) === 1;
}

/** A hash index that grows: the last row of each key that was added. */
export class GrowingKeyIndex {
  private slots = new Uint32Array(64);
  private used = 0;

  /** The last row of a key (four words of `words` from `at` on), or -1. `keys` holds the keys of all rows added. */
  find(keys: Uint32Array, words: Uint32Array, at: number): number {
    const { slots } = this;
    return (slots[slotOf(slots, keys, words, at)] as number) - 1;
  }

  /** Adds a row of `keys`. @returns the row of the same key before it, or -1. */
  add(keys: Uint32Array, row: number): number {
    if (this.used * 2 >= this.slots.length) this.grow(keys);
    const { slots } = this;
    const slot = slotOf(slots, keys, keys, row * 4);
    const older = (slots[slot] as number) - 1;
    slots[slot] = row + 1;
    if (older < 0) this.used++;
    return older;
  }

  clear(): void {
    this.slots.fill(0);
    this.used = 0;
  }

  private grow(keys: Uint32Array): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 4);
    for (const entry of old) if (entry !== 0) this.slots[slotOf(this.slots, keys, keys, (entry - 1) * 4)] = entry;
  }
}

/** The slot that holds a key, or the free one where it belongs. */
function slotOf(slots: Uint32Array, keys: Uint32Array, words: Uint32Array, at: number): number {
  const mask = slots.length - 1;
  let slot = hashOf(words, at) & mask;
  for (let entry = slots[slot] as number; entry !== 0; entry = slots[slot] as number) {
    if (sameKey(keys, (entry - 1) * 4, words, at)) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

function sizeFor(rows: number): number {
  return 1 << Math.max(3, 32 - Math.clz32(rows * 2 - 1));
}

function sameKey(a: Uint32Array, at: number, b: Uint32Array, bAt: number): boolean {
  return a[at] === b[bAt] && a[at + 1] === b[bAt + 1] && a[at + 2] === b[bAt + 2] && a[at + 3] === b[bAt + 3];
}

function hashOf(keys: Uint32Array, at: number): number {
  let h = Math.imul(keys[at] as number, 0x9e3779b1) ^ (keys[at + 1] as number);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b) ^ (keys[at + 2] as number);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) ^ (keys[at + 3] as number);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return h ^ (h >>> 13);
}
