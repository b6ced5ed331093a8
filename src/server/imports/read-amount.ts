import { decimal } from '#domain/amounts.ts';
import { quoted, type Reading, refused } from './imported-row.ts';

/** How a file writes the decimal mark. `either`: OFX, where point and comma are both allowed. */
export type DecimalMark = 'point' | 'comma' | 'either';

/** What the wire and the database can carry. */
const most = { whole: 60, places: 40, exponent: 100, letters: 200 };

const spaces = /[\s\u00a0\u202f'’]/g;

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

/** Takes thousands separators out and makes the mark a point; empty text where a separator is out of place. */
function ungrouped(digits: string, group: string, point: string): string {
  const [whole = '', ...fraction] = digits.split(point);
  const groups = whole.split(group);
  const wellGrouped = groups.length === 1 || (/^\d{1,3}$/.test(groups[0] ?? '') && groups.slice(1).every((part) => /^\d{3}$/.test(part)));
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
  const match = /^([+-]|\()?([\d.,]*\d[\d.,]*)(?:e([+-]?\d{1,6}))?(\))?$/i.exec(text.replace(spaces, '').replaceAll('−', '-'));
  if (!match || (match[1] === '(') !== (match[4] === ')')) return notANumber;
  const [, sign, digits = '', exponent = '0'] = match;
  const plain = withPoint(digits, mark);
  if (!plain.ok) return refused(`${name} ${quoted(text)} can be read two ways: as thousands, or as a number with three decimal places`);
  if (!/^(\d+\.?\d*|\.\d+)$/.test(plain.value)) {
    return mark === 'comma' ? refused(`${name} ${quoted(text)} is not a number with a decimal comma`) : notANumber;
  }
  // looked at before the number is made: 1E999999999 written out would fill the memory
  if (Math.abs(Number(exponent)) > most.exponent) return refused(`${name} ${quoted(text)} is too large or too small to be kept`);
  const padded = plain.value.startsWith('.') ? `0${plain.value}` : plain.value.replace(/\.$/, '');
  const value = decimal(`${sign === '-' || sign === '(' ? '-' : ''}${padded}e${exponent}`).toFixed();
  const [whole = '', places = ''] = value.replace('-', '').split('.');
  if (whole.length > most.whole || places.length > most.places) return refused(`${name} ${quoted(text)} has more digits than can be kept`);
  return { ok: true, value };
}
