import { isDecimal } from './decimals.ts';
import type { Layout, Row, Value } from './schema.ts';

/** Makes sure that rows and places can be stored, all of them, before anything changes. Throws a RangeError naming column and value. */
export function checkRows(layout: Layout, rows: readonly Row[], places: readonly number[]): void {
  if (rows.length !== places.length) throw new RangeError(`${rows.length} rows came with ${places.length} places`);
  for (const place of places) {
    if (place !== place >>> 0) throw new RangeError(`Place ${place} is not a whole number below 2^32`);
  }
  for (const row of rows) {
    if (typeof row.key !== 'string') throw new RangeError(`Key ${String(row.key)} is not a string`);
    if (!Number.isSafeInteger(row.time)) throw new RangeError(`Column "time": ${row.time} is not a whole number of milliseconds`);
    for (const name of Object.keys(row.values)) checkValue(layout, name, row.values[name]);
  }
}

function checkValue(layout: Layout, column: string, value: Value | undefined): void {
  const kind = layout.kinds.get(column);
  if (kind === undefined) throw new RangeError(`Unknown column "${column}"`);
  if (value === undefined || (value === null && kind !== 'flag')) return;
  switch (kind) {
    case 'code':
    case 'text':
      if (typeof value === 'string') return;
      break;
    case 'small':
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 254) return;
      break;
    case 'flag':
      if (typeof value === 'boolean') return;
      break;
    case 'decimal':
      if (typeof value === 'string' && isDecimal(value)) return;
  }
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  throw new RangeError(`Column "${column}": ${shown} is not ${wanted[kind]}`);
}

const wanted = {
  code: 'a string or null',
  text: 'a string or null',
  small: 'a whole number from 0 to 254 or null',
  flag: 'true or false',
  decimal: 'a decimal text or null',
} as const;
