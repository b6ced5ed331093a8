/** The images a ticket may be sent with, by media type: how such a file begins. @source PNG 1.2, 3.1; JPEG, ITU-T T.81, B.1.1.3 */
const beginnings = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
} as const;
export type ImageKind = keyof typeof beginnings;

/** What a file is by its first bytes, whatever its name says; null where it is neither PNG nor JPEG. */
export function imageKindOf(bytes: Uint8Array): ImageKind | null {
  const kinds = Object.keys(beginnings) as ImageKind[];
  return kinds.find((kind) => beginnings[kind].every((byte, at) => bytes[at] === byte)) ?? null;
}
