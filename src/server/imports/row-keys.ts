import { createHash } from 'node:crypto';

/** Longest key a database index takes gladly; longer ones are replaced by their hash. */
const longestKey = 200;

/** A hash of a row's fields: 32 hex digits. The order of the fields and fields without text make no difference. */
export function contentHash(fields: Record<string, unknown>): string {
  const filled = Object.entries(fields)
    .filter(([, value]) => value !== '' && value !== null && value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return hashOf(JSON.stringify(filled));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Joins the parts of a key so that no two lists of parts give the same key. */
export function keyOf(parts: readonly string[]): string {
  const key = parts.map((part) => part.replaceAll('%', '%25').replaceAll(':', '%3A')).join(':');
  return key.length <= longestKey ? key : `${parts[0] ?? ''}:${hashOf(key)}`;
}

/** Counts how often each text was asked for: 1, 2, 3 for the first, second, third time. */
export function ordinals(): (text: string) => number {
  const seen = new Map<string, number>();
  return (text) => {
    const next = (seen.get(text) ?? 0) + 1;
    seen.set(text, next);
    return next;
  };
}
