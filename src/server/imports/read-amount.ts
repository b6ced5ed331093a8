import { decimal } from '#domain/amounts.ts';
import { quoted, type Reading, refused } from './imported-row.ts';

/** How a file writes the decimal mark. `either`: OFX, where point and comma are both allowed. */
export type DecimalMark = 'point' | 'comma' | 'either';

/** What the wire and the database can carry. */
const most = { whole: 60, places: 40, exponent: 100, letters: 200 };

/** What some countries part thousands with, whatever their decimal mark is. */
const blanks = /[\u00a0\u2007\u2009\u202f]/g;
const apostrophes = /’/g;

/** Looks like thousands, but a zero before them has no place. */
const zeroFirst = /^0\d{0,2}(?:[., ']\d{3})+(?!\d)/;
const decimalMarks = { point: ' with a decimal point', comma: ' with a decimal comma', either: '' } as const satisfies Record<
  DecimalMark,
  string
>;

function withPoint(digits: string, mark: DecimalMark): Reading<string> {
  const points = digits.split('.').length - 1;
  const commas = digits.split(',').length - 1;
  if (mark === 'point') return { ok: true, value: ungrouped(digits, ',', '.') };
  if (mark === 'comma') {
    if (/^[1-9]\d{0,2}\.\d{3}$/.test(digits)) return refused('two ways');
    return { ok: true, value: ungrouped(digits, '.', ',') };
  }
  if (commas === 1 && points === 0 && /^[1-9]\d{0,2},\d{3}$/.test(digits)) return refused('two ways');
  // of two marks the last is the decimal one; a mark that comes twice can only group thousands
  const decimalIsComma = commas === 1 && digits.lastIndexOf(',') > digits.lastIndexOf('.');
  return { ok: true, value: decimalIsComma ? ungrouped(digits, '.', ',') : ungrouped(digits, ',', '.') };
}

/**
 * Takes thousands separators out and makes the mark a point; empty text where a separator is out of place. A number has one kind of them,
 * and its thousands do not begin with a zero: `0,125` is a fraction in another mark, not 125.
 */
function ungrouped(digits: string, group: string, point: string): string {
  const [whole = '', ...fraction] = digits.split(point);
  const groups = whole.split(/[ ']/.exec(whole)?.[0] ?? group);
  const wellGrouped =
    groups.length === 1 || (/^[1-9]\d{0,2}$/.test(groups[0] ?? '') && groups.slice(1).every((part) => /^\d{3}$/.test(part)));
  return wellGrouped ? [groups.join(''), ...fraction].join('.') : '';
}

/**
 * Reads a number exactly as written: signs, `(1.00)` for minus, thousands separators in their places, exponents.
 * `1.234` where a comma is the decimal mark, and `1,234` in OFX, can be meant two ways a thousandfold apart: refused.
 * @param name what the number is, for the reason: `Amount`.
 * @returns a plain signed decimal without exponent, `-0.00000001`.
 */
export function readAmount(name: string, text: string, mark: DecimalMark): Reading<string> {
  const notANumber = refused(`${name} ${quoted(text)} is not a number`);
  if (text === '') return refused(`${name} is empty`);
  if (text.length > most.letters) return notANumber;
  const plainMarks = text.replace(blanks, ' ').replace(apostrophes, "'").replaceAll('−', '-').trim();
  const match = /^(?:([+-]|\()\s*)?([\d.,](?:[\d., ']*[\d.,])?)(?:e([+-]?\d{1,6}))?(?:\s*(\)))?$/i.exec(plainMarks);
  if (!match || (match[1] === '(') !== (match[4] === ')')) return notANumber;
  const [, sign, digits = '', exponent = '0'] = match;
  const plain = withPoint(digits, mark);
  if (!plain.ok) return refused(`${name} ${quoted(text)} can be read two ways: as thousands, or as a number with three decimal places`);
  if (!/^(\d+\.?\d*|\.\d+)$/.test(plain.value)) {
    if (zeroFirst.test(digits))
      return refused(`${name} ${quoted(text)} is not a number${decimalMarks[mark]}: thousands do not begin with a zero`);
    return mark === 'comma' ? refused(`${name} ${quoted(text)} is not a number${decimalMarks.comma}`) : notANumber;
  }
  // looked at before the number is made: 1E999999999 written out would fill the memory
  if (Math.abs(Number(exponent)) > most.exponent) return refused(`${name} ${quoted(text)} is too large or too small to be kept`);
  const padded = plain.value.startsWith('.') ? `0${plain.value}` : plain.value.replace(/\.$/, '');
  const value = decimal(`${sign === '-' || sign === '(' ? '-' : ''}${padded}e${exponent}`).toFixed();
  const [whole = '', places = ''] = value.replace('-', '').split('.');
  if (whole.length > most.whole || places.length > most.places) return refused(`${name} ${quoted(text)} has more digits than can be kept`);
  return { ok: true, value };
}
