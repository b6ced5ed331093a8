import { formatUsd } from '#domain/amounts.ts';
import { formatDay, type TimeZone } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import type { GridCell } from './ui/grid/grid-column.ts';

/** Where nothing is known. */
const unknown: GridCell = { shown: '–', plain: '' };

/** A count; a dash where nobody counted. */
export function countCell(count: number | null | undefined): GridCell {
  return count === null || count === undefined ? unknown : { shown: count.toLocaleString('en-US'), plain: String(count) };
}

/** An amount in US dollars; a dash where nothing is known of it. */
export function usdCell(value: string | null | undefined, numbers: NumberStyle): GridCell {
  return value === null || value === undefined || value === '' ? unknown : { shown: formatUsd(value, numbers), plain: value };
}

/** The day of a moment. @param iso the moment as ISO text; a dash where there is none. */
export function dayCell(iso: string | null, zone: TimeZone): GridCell {
  return iso === null ? unknown : { shown: formatDay(Date.parse(iso), zone) };
}
