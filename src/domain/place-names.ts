/** The name of a client or an entity as two are compared: without regard to case, or to blanks around and between. */
export function placeNameKey(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
