import { type DecimalColumn, limbsFor, mostDecimals, mostLimbs, safe, writeDecimal, writeNull, writeSafe } from './decimal-columns.ts';
import { writeDigits } from './decimal-digits.ts';
import { parseDecimal, powersOfTen } from './decimals.ts';
import type { Row } from './schema.ts';

/** Memory that one batch after another uses, so that pages leave no garbage behind. */
const shared: { readonly wholes: Float64Array; readonly scales: Uint8Array }[] = [];

/** The decimal texts of one column of some rows, read but not yet written. */
export class DecimalTexts {
  /** How many decimals those values need that need no more than limbs keep. */
  scale = 0;
  private readonly name: string;
  /** Each value as a whole number of 10^-scale: NaN for a null, not exact from 2^53 on. */
  private readonly wholes: Float64Array;
  private readonly scales: Uint8Array;
  private isEmpty = true;
  private wholeDigits = 0;

  /** Of the texts with the same `ordinal` only those made last can be used: they share their memory. */
  constructor(name: string, rows: number, ordinal: number) {
    const known = shared[ordinal];
    const memory = known && known.scales.length >= rows ? known : { wholes: new Float64Array(rows), scales: new Uint8Array(rows) };
    shared[ordinal] = memory;
    this.name = name;
    this.wholes = memory.wholes;
    this.scales = memory.scales;
  }

  /** Takes a null for a row. */
  skip(row: number): void {
    this.wholes[row] = Number.NaN;
  }

  /** Reads the text of a row. False when it is not a plain decimal. */
  read(row: number, text: string): boolean {
    let whole = 0;
    let scale = 0;
    let zeros = 0;
    const start = text.charCodeAt(0) === 45 ? 1 : 0;
    const end = text.length;
    let at = start;
    let digit = 0;
    for (; at < end && (digit = text.charCodeAt(at) - 48) >= 0 && digit <= 9; at++) whole = whole * 10 + digit;
    const digits = at - start;
    if (digits === 0) return false;
    if (at < end) {
      if (digit !== -2 || at === end - 1) return false;
      const point = at++;
      for (; at < end && (digit = text.charCodeAt(at) - 48) >= 0 && digit <= 9; at++) {
        if (digit === 0) zeros++;
        else {
          whole = whole * (zeros < 22 ? (powersOfTen[zeros + 1] as number) : safe) + digit;
          scale = at - point;
          zeros = 0;
        }
      }
      if (at < end) return false;
    }
    this.wholes[row] = start === 1 ? -whole : whole;
    this.scales[row] = Math.min(scale, 255);
    if (scale > mostDecimals) return true;
    if (scale > this.scale) this.scale = scale;
    if (digits > this.wholeDigits) this.wholeDigits = digits;
    this.isEmpty = false;
    return true;
  }

  /** How many limbs hold the values at a scale; those that need more than four go to the side map. */
  limbsAt(scale: number): number {
    return this.isEmpty ? 0 : Math.min(mostLimbs, limbsFor(this.wholeDigits + scale));
  }

  /** Writes the values into a column at the rows from `first` on. The column has their scale and their limbs. */
  write(column: DecimalColumn, first: number, rows: readonly Row[]): void {
    const { wholes, scales } = this;
    for (let i = 0; i < rows.length; i++) {
      const whole = wholes[i] as number;
      if (Number.isNaN(whole)) {
        writeNull(column, first + i);
        continue;
      }
      const up = column.scale - (scales[i] as number);
      const scaled = up < 0 ? safe : whole * (powersOfTen[up] as number);
      if (Math.abs(scaled) < safe && Math.abs(whole) < safe) writeSafe(column, first + i, scaled);
      else {
        const text = (rows[i] as Row).values[this.name] as string;
        if (up < 0 || !writeDigits(column, first + i, text)) writeDecimal(column, first + i, parseDecimal(text, this.name));
      }
    }
  }
}
