/** A hash index over the keys of one segment: finds a row by its 16 bytes. */
export type KeyIndex = { readonly slots: Uint32Array; readonly keys: Uint32Array };

// A slot holds row + 1 in its low 17 bits and 15 bits of the hash above them, so a miss seldom has to read the keys.
const rowBits = 17;
const rowMask = (1 << rowBits) - 1;

/** Builds the index. `keys` holds four words a row, at most 65,536 rows. */
export function buildKeyIndex(keys: Uint32Array, rows: number): KeyIndex {
  const size = 1 << Math.max(3, 32 - Math.clz32(rows * 2 - 1));
  const slots = new Uint32Array(size);
  for (let row = 0; row < rows; row++) {
    const hash = hashOf(keys, row * 4);
    let slot = hash & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = (hash & ~rowMask) | (row + 1);
  }
  return { slots, keys };
}

/** The row of a key (four words), or -1. */
export function findKey({ slots, keys }: KeyIndex, words: Uint32Array): number {
  const hash = hashOf(words, 0);
  const mark = hash >>> rowBits;
  const mask = slots.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot] as number;
    if (entry === 0) return -1;
    if (entry >>> rowBits !== mark) continue;
    const at = ((entry & rowMask) - 1) * 4;
    if (keys[at] === words[0] && keys[at + 1] === words[1] && keys[at + 2] === words[2] && keys[at + 3] === words[3]) return at / 4;
  }
}

function hashOf(keys: Uint32Array, at: number): number {
  let h = Math.imul(keys[at] as number, 0x9e3779b1) ^ (keys[at + 1] as number);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b) ^ (keys[at + 2] as number);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) ^ (keys[at + 3] as number);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return h ^ (h >>> 13);
}
