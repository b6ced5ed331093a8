/** A piece of OFX: a tag opened or closed, or the text between tags with its entities resolved. */
export interface OfxPiece {
  kind: 'open' | 'close' | 'text';
  /** Tag name in capitals without brackets, or the text as it stands, blanks and all. */
  value: string;
  /** Offsets in the file. */
  start: number;
  end: number;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Resolves entities. Unknown ones, a bare `&`, and characters no database text can hold (zero, half a pair) stay as written. */
function resolved(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, dec?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(entities, name.toLowerCase()) ? (entities[name.toLowerCase()] ?? whole) : whole;
    const code = dec === undefined ? Number.parseInt(hex ?? '', 16) : Number(dec);
    const holdable = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return holdable ? String.fromCodePoint(code) : whole;
  });
}

const tag = /<(\/?)([A-Za-z][\w.-]*)(?:\s[^<>]*)?\/?>/y;

/** The end of a comment, CDATA section or processing instruction that starts here; `at` itself when none does or none ends. */
function endOfAside(text: string, at: number, [opening, closing]: readonly [string, string]): number {
  if (!text.startsWith(opening, at)) return at;
  const end = text.indexOf(closing, at + opening.length);
  return end < 0 ? at : end + closing.length;
}

const comment = ['<!--', '-->'] as const;
const instruction = ['<?', '?>'] as const;
const cdata = ['<![CDATA[', ']]>'] as const;

/**
 * Cuts OFX 1 (SGML, leaves without closing tags) or OFX 2 (XML) into pieces, in one pass. A `<` that starts no tag is text.
 * Says nothing of nesting: who reads the pieces knows which tags hold others.
 */
export function* ofxPieces(text: string): Generator<OfxPiece> {
  // an aside that is never closed would be searched to the end again from each of its openings
  const endless = new Set<string>();
  const aside = (at: number, pair: readonly [string, string]): number => {
    if (endless.has(pair[0])) return at;
    const end = endOfAside(text, at, pair);
    if (end === at && text.startsWith(pair[0], at)) endless.add(pair[0]);
    return end;
  };
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('<', at);
    const stop = open < 0 ? text.length : open;
    if (stop > at) yield { kind: 'text', value: resolved(text.slice(at, stop)), start: at, end: stop };
    if (open < 0) return;
    const skipped = Math.max(aside(open, comment), aside(open, instruction));
    const cdataEnd = aside(open, cdata);
    tag.lastIndex = open;
    const match = skipped > open || cdataEnd > open ? null : tag.exec(text);
    if (cdataEnd > open) {
      yield { kind: 'text', value: text.slice(open + cdata[0].length, cdataEnd - cdata[1].length), start: open, end: cdataEnd };
    } else if (match) {
      yield { kind: match[1] ? 'close' : 'open', value: (match[2] ?? '').toUpperCase(), start: open, end: tag.lastIndex };
    } else if (skipped === open) {
      yield { kind: 'text', value: '<', start: open, end: open + 1 };
    }
    at = Math.max(skipped, cdataEnd, match ? tag.lastIndex : open + 1);
  }
}
