import { type Bits, subtract, unite } from './bits.ts';

/** Texts remembered of a column: as many as letters that somebody typed last. */
const most = 4;

/** The rows in which a text was looked for, and is not. */
type Missed = { readonly text: string; readonly rows: Bits };

/**
 * What searches of a column of texts have found nowhere: a row that does not contain "a7" does not contain "a7f" either, so that who types
 * on is answered from what is left.
 */
export class MissedTexts {
  private missed: readonly Missed[] = [];

  /** Clears the bits of rows that are known not to contain a text. */
  leaveOut(bits: Bits, text: string): void {
    for (const known of this.missed) if (text.includes(known.text)) subtract(bits, known.rows);
  }

  /** Remembers of the rows in which a text was looked for those that it was not found in. */
  note(text: string, asked: Bits, found: Bits): void {
    const rows = asked.slice();
    subtract(rows, found);
    const known = this.missed.find((each) => each.text === text);
    if (known) unite(rows, known.rows);
    this.missed = [{ text, rows }, ...this.missed.filter((each) => each !== known)].slice(0, most);
  }
}
