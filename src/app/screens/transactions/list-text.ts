/** Values one picks, as the address holds them: `a,b`, `not:a,b`, `none,a`. The value of none is the empty text. */
export interface ListChoice {
  values: readonly string[];
  not: boolean;
}

const longestText = 200_000;
const mostValues = 5_000;
/** From so many on, ids of the usual form are packed, so that a server still takes the address: 500 of them are 11 KB. */
const packedFrom = 100;

const plainId = /^[\w.:-]{1,200}$/;
const escapedId = /^[\w.:%-]{1,600}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const packedLength = 22;

function packed(id: string): string {
  const bytes = id.replaceAll('-', '').match(/../g) ?? [];
  return btoa(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function unpacked(text: string): string | null {
  if (!/^[\w-]{21}[AQgw]$/.test(text)) return null;
  const bytes = Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** An id of any letters; one of plain letters, as ours are, stands as it is. */
function escaped(id: string): string[] {
  if (id === '') return ['none'];
  if (plainId.test(id) && id !== 'none' && !id.startsWith('not:')) return [id];
  try {
    // a first letter in disguise keeps an id that looks like one of our words apart from it
    return [plainId.test(id) ? `%${id.charCodeAt(0).toString(16)}${id.slice(1)}` : encodeURIComponent(id).replace(/[!'()*~]/g, hexOf)];
  } catch {
    return [];
  }
}

const hexOf = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

function unescaped(item: string): string[] {
  if (item === 'none') return [''];
  if (item.startsWith('~')) {
    const ids = (item.slice(1).match(/.{1,22}/g) ?? []).map((id) => (id.length === packedLength ? unpacked(id) : null));
    return ids.filter((id) => id !== null);
  }
  if (plainId.test(item)) return [item];
  if (!escapedId.test(item)) return [];
  try {
    const id = decodeURIComponent(item);
    return id.length <= 200 ? [id] : [];
  } catch {
    return [];
  }
}

/** Writes a list; nothing where it is empty. */
export function listText({ values, not }: ListChoice): string | undefined {
  const isLong = values.length > packedFrom;
  const ids = isLong ? values.filter((value) => uuid.test(value)) : [];
  const items = values.filter((value) => ids.length === 0 || !uuid.test(value)).flatMap(escaped);
  if (ids.length > 0) items.push(`~${ids.map(packed).join('')}`);
  return items.length === 0 ? undefined : `${not ? 'not:' : ''}${items.join(',')}`;
}

/**
 * Reads a list, whatever the text; what of it cannot be read, or `allows` refuses, is left out.
 * @returns also whether something was lost; null where nothing is left.
 */
export function readList(text: string, allows: (value: string) => boolean): { choice: ListChoice | null; isWhole: boolean } {
  if (text.length > longestText) return { choice: null, isWhole: false };
  const not = text.startsWith('not:');
  const items = (not ? text.slice(4) : text).split(',');
  const read = items.map((item) => ({ item, values: unescaped(item) }));
  const allowed = [...new Set(read.flatMap((one) => one.values))].filter(allows);
  const values = allowed.slice(0, mostValues);
  const isWhole =
    allowed.length === values.length &&
    read.every(
      ({ item, values: found }) =>
        found.length > 0 && found.every(allows) && (!item.startsWith('~') || item.length === 1 + found.length * packedLength),
    );
  return { choice: values.length === 0 ? null : { values, not }, isWhole };
}
