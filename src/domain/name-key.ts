/** A name as two are compared: without regard to case, to blanks around and between, or to how accents are written. */
export function nameKey(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

// letters that Unicode takes for no accented ones
const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' };

/** The words of a name as one looks for it: without case, accents or punctuation, one blank between. */
export function searchKey(name: string): string {
  // most names are plain ones, and there may be many thousands
  if (/^[\w .]*$/.test(name))
    return name
      .toLowerCase()
      .replace(/[ ._]+/g, ' ')
      .trim();
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
