// How wide texts are in a list, from the widths of their signs: to ask the browser for each text would cost more than to write it.

/** The printable signs of ASCII. */
const signs = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
/** What any other sign is taken to be, of the size of the font: hardly one is wider. */
const wide = 1.4;

interface Ruler {
  /** By the code of a sign. Pixels. */
  widths: Float64Array;
  /** Of a sign that is not known. Pixels. */
  wideWidth: number;
}

const rulers = new Map<string, Ruler>();

function measured(look: string): Ruler {
  const box = document.createElement('div');
  box.className = `invisible absolute top-0 left-0 text-grid whitespace-pre ${look}`;
  box.append(
    ...signs.map((sign) => {
      const span = document.createElement('span');
      span.textContent = sign;
      return span;
    }),
  );
  document.body.append(box);
  const widths = new Float64Array(128);
  for (const [at, span] of [...box.children].entries()) widths[32 + at] = span.getBoundingClientRect().width;
  const wideWidth = wide * Number.parseFloat(getComputedStyle(box).fontSize);
  box.remove();
  return { widths, wideWidth };
}

function rulerOf(look: string): Ruler {
  // another zoom may round widths otherwise
  const key = `${devicePixelRatio} ${look}`;
  const ruler = rulers.get(key) ?? measured(look);
  rulers.set(key, ruler);
  return ruler;
}

/**
 * The width of a text in one line, kerning aside, in pixels.
 * @param look the class names that say how it is written.
 */
export function textWidth(text: string, look: string): number {
  const { widths, wideWidth } = rulerOf(look);
  let width = 0;
  for (let at = 0; at < text.length; at += 1) width += widths[text.charCodeAt(at)] || wideWidth;
  return width;
}
