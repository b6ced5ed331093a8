/** A name as two are compared: without regard to case, to blanks around and between, or to how accents are written. */
export function nameKey(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
