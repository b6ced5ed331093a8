/** The text of a file and how its bytes were read. */
interface DecodedFile {
  text: string;
  /** Name of the encoding, as TextDecoder has it. */
  encoding: string;
  /** The file said nothing of its encoding and is not UTF-8: accents may be wrong. */
  isGuess: boolean;
}

const marks: readonly { bytes: readonly number[]; encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** Text in a western script as UTF-16 has a zero in every other byte. */
function utf16WithoutMark(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, 200);
  if (head.length < 4 || head.length % 2 === 1) return null;
  const zeros = (parity: number) => head.filter((byte, at) => at % 2 === parity && byte === 0).length / (head.length / 2);
  if (zeros(1) > 0.7 && zeros(0) < 0.1) return 'utf-16le';
  return zeros(0) > 0.7 && zeros(1) < 0.1 ? 'utf-16be' : null;
}

/** What an OFX 1 header (`CHARSET:1252`) or an XML prolog (`encoding="..."`) says. */
function declared(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1000));
  const charset = /^\s*CHARSET\s*:\s*([\w-]+)/im.exec(head)?.[1];
  const label = charset ?? /<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1];
  if (label === undefined || /^none$/i.test(label)) return null;
  return /^\d{3,4}$/.test(label) ? `windows-${label}` : label;
}

function decoder(label: string, fatal: boolean) {
  try {
    return new TextDecoder(label, { fatal });
  } catch {
    return null; // a label TextDecoder does not know
  }
}

function decodedStrictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return decoder(encoding, true)?.decode(bytes) ?? null;
  } catch {
    return null; // bytes that are no text in this encoding
  }
}

/**
 * Text of a file: by its byte order mark, else as UTF-8 if it is valid UTF-8, else by what its header declares, else
 * as Windows-1252. Valid UTF-8 goes before the header, because banks write `CHARSET:1252` above UTF-8 and text in
 * Windows-1252 with an accent in it is never valid UTF-8 by chance.
 */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const mark = marks.find(({ bytes: start }) => start.every((byte, at) => bytes[at] === byte));
  const certain = mark?.encoding ?? utf16WithoutMark(bytes);
  if (certain) return { text: new TextDecoder(certain).decode(bytes), encoding: certain, isGuess: false };
  const utf8 = decodedStrictly(bytes, 'utf-8');
  if (utf8 !== null) return { text: utf8, encoding: 'utf-8', isGuess: false };
  const label = declared(bytes);
  const said = label === null ? null : decoder(label, false);
  const used = said ?? new TextDecoder('windows-1252');
  return { text: used.decode(bytes), encoding: used.encoding, isGuess: said === null };
}
