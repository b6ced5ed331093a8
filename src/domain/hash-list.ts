/** Most hashes and ids one looks for at once. */
export const mostHashes = 10_000;
/** Longer than the hash of any chain and the id of any exchange. */
const longestHash = 200;

export type HashReading = { ok: true; hashes: string[] } | { ok: false; message: string };

const bareHex = /^[0-9a-f]{64}$/i;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const prefixedHex = /^0x[0-9a-f]{64}$/i;

/** The ways one hash is written: 64 hex digits stand with and without `0x`. */
export function hashForms(hash: string): string[] {
  if (bareHex.test(hash)) return [hash, `0x${hash}`];
  // ids of rows are told apart by case, and ours have none in capitals; hashes are not
  if (uuid.test(hash)) return [hash.toLowerCase()];
  return prefixedHex.test(hash) ? [hash, hash.slice(2)] : [hash];
}

const prefixedLong = /^0x(?=(?:[0-9a-f]{40}|[0-9a-f]{64})$)/i;

/** What every way of writing a hash or an address has as a part: its 40 or 64 hex digits without `0x`; anything else as it is. */
export function partOfAll(text: string): string {
  return text.replace(prefixedLong, '');
}

/** What two ways of writing one hash have in common. */
function sameHash(hash: string): string {
  const lower = hash.toLowerCase();
  return prefixedHex.test(lower) ? lower.slice(2) : lower;
}

/** Cuts pasted text into what stands between blanks, commas, semicolons and bars, without quotes and brackets around it. */
function wordsOf(text: string): string[] {
  const bare = text.split(/[\s,;|\u200b\ufeff]+/).map((word) => word.replace(/^["'`“”‘’[\](){}<>]+|["'`“”‘’[\](){}<>]+$/g, ''));
  return bare.filter((word) => word !== '');
}

/** Reads a pasted column of hashes and ids, each once, in their order. Refuses, in words, more than one may look for. */
export function readHashes(text: string): HashReading {
  const words = wordsOf(text);
  const hashes = [...new Map(words.toReversed().map((word) => [sameHash(word), word])).values()].reverse();
  const long = hashes.find((hash) => hash.length > longestHash);
  if (long) return { ok: false, message: `“${long.slice(0, 24)}…” is longer than any hash or id` };
  if (hashes.length > mostHashes) {
    const [found, most] = [hashes.length, mostHashes].map((count) => count.toLocaleString('en-US'));
    return { ok: false, message: `These are ${found}; up to ${most} can be looked for at once. Nothing was changed: take some out here.` };
  }
  return { ok: true, hashes };
}

/** The pasted hashes none of whose forms was found, of a list of forms that were not. */
export function notFound(hashes: readonly string[], missing: readonly string[]): string[] {
  const lost = new Set(missing.map((hash) => hash.toLowerCase()));
  return lost.size === 0 ? [] : hashes.filter((hash) => hashForms(hash).every((form) => lost.has(form.toLowerCase())));
}

/** Whether pasted text is a column of hashes or ids rather than words: several, and most with digits and as long as ids are. */
export function isHashColumn(text: string): boolean {
  const words = wordsOf(text);
  const likely = words.filter((word) => word.length >= 8 && /\d/.test(word));
  return words.length >= 2 && /[\n\t]/.test(text.trim()) && likely.length * 10 >= words.length * 9;
}
