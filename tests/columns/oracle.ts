import type { Condition, DecimalCondition } from '#columns/conditions.ts';
import { murmur128 } from '#columns/keys.ts';
import type { Row, Schema, Value } from '#columns/schema.ts';
import type { Sort } from '#columns/sorting.ts';
import type { Query } from '#columns/query.ts';
import type { TotalsRequest } from '#columns/totals.ts';

export type OracleRow = Row & { readonly place: number; readonly overlaid: number };

/** The table as an array of rows, without a thought for speed. Decimals are whole numbers of 10^-80. */
export class Oracle {
  readonly base = new Map<string, OracleRow>();
  overlay = new Map<string, OracleRow>();
  without = new Set<string>();
  readonly schema: Schema;

  constructor(schema: Schema) {
    this.schema = schema;
  }

  put(rows: readonly Row[], places: readonly number[]): void {
    for (const [i, row] of rows.entries()) this.base.set(row.key, { ...row, place: places[i] ?? -1, overlaid: 0 });
  }

  remove(keys: readonly string[]): void {
    for (const key of keys) this.base.delete(key);
  }

  setOverlay(rows: readonly Row[], places: readonly number[], without: readonly string[]): void {
    this.overlay = new Map(rows.map((row, i) => [row.key, { ...row, place: places[i] ?? -1, overlaid: 1 }]));
    this.without = new Set(without);
  }

  visible(): OracleRow[] {
    const seen = [...this.base.values()].filter(({ key }) => !this.overlay.has(key) && !this.without.has(key));
    return [...seen, ...this.overlay.values()];
  }

  select({ where = [], sort = [] }: Query, codes: (column: string) => readonly (string | null)[]): OracleRow[] {
    const matched = this.visible().filter((row) => where.every((condition) => holds(row, condition)));
    return matched.sort((a, b) => {
      for (const each of sort) {
        const order = this.compareBy(each, a, b, codes);
        if (order !== 0) return order;
      }
      return b.time - a.time || compare(keyHex(b.key), keyHex(a.key));
    });
  }

  totals(rows: readonly OracleRow[], { groupBy = [], sums = [], products = [] }: TotalsRequest) {
    const groups = new Map<string, OracleRow[]>(groupBy.length === 0 ? [['[]', []]] : []);
    for (const row of rows) {
      const group = JSON.stringify(groupBy.map((column) => valueOf(row, column)));
      groups.set(group, [...(groups.get(group) ?? []), row]);
    }
    return Array.from(groups, ([by, members]) => ({
      by: JSON.parse(by) as Value[],
      count: members.length,
      sums: Object.fromEntries(sums.map((column) => [column, text(sum(members.map((row) => decimalOf(row, column) ?? 0n)), 80)])),
      products: products.map(([a, b]) => text(sum(members.map((row) => (decimalOf(row, a) ?? 0n) * (decimalOf(row, b) ?? 0n))), 160)),
    }));
  }

  facets(rows: readonly OracleRow[], column: string): Map<Value, number> {
    const counts = new Map<Value, number>();
    for (const row of rows) counts.set(valueOf(row, column), (counts.get(valueOf(row, column)) ?? 0) + 1);
    return counts;
  }

  private compareBy({ column, descending, ranks }: Sort, a: OracleRow, b: OracleRow, codes: (column: string) => readonly Value[]): number {
    const kind = this.schema[column];
    const of = (row: OracleRow): Value | bigint => {
      if (column === 'time') return row.time;
      if (column === 'key') return keyHex(row.key);
      const value = valueOf(row, column);
      if (kind === 'flag') return value === true ? 1 : 0;
      if (value === null) return null;
      if (kind === 'decimal') return decimalOf(row, column);
      if (kind === 'text')
        return Array.from(asStored(String(value)), (c) => (c.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join('');
      if (!ranks) return value;
      return ranks[kind === 'code' ? codes(column).indexOf(value) : Number(value)] ?? Infinity;
    };
    const [left, right] = [of(a), of(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return (descending ? -1 : 1) * compare(left, right);
  }
}

function holds(row: OracleRow, condition: Condition): boolean {
  if ('any' in condition) return condition.any.some((each) => holds(row, each)) !== (condition.not ?? false);
  if ('flag' in condition) return (valueOf(row, condition.flag) === true) === condition.is;
  return holdsPlain(row, condition) !== (condition.not ?? false);
}

function holdsPlain(row: OracleRow, condition: Exclude<Condition, { any: unknown } | { flag: unknown }>): boolean {
  if ('key' in condition) return condition.key.in.includes(row.key);
  if ('in' in condition) return condition.in.includes(valueOf(row, condition.column) as string | number | null);
  if ('contains' in condition) {
    const value = valueOf(row, condition.column);
    return typeof value === 'string' && asStored(value).includes(condition.contains.toLowerCase());
  }
  if ('oneOf' in condition) return hasText(row, condition.column, condition.oneOf);
  if ('from' in condition || 'to' in condition || condition.column === 'time') {
    const { from = -Infinity, to = Infinity } = condition as { from?: number; to?: number };
    return row.time >= from && row.time <= to;
  }
  const value = decimalOf(row, condition.column);
  const { atLeast, atMost, above, below } = condition as DecimalCondition;
  if (value === null) return false;
  if (atLeast !== undefined && value < exact(atLeast)) return false;
  if (atMost !== undefined && value > exact(atMost)) return false;
  if (above !== undefined && value <= exact(above)) return false;
  return below === undefined || value < exact(below);
}

const asStored = (text: string): string => text.toLowerCase().normalize('NFC');

/** Whether the text of a row is one of some, whatever the case. */
export function hasText(row: Row, column: string, texts: readonly string[]): boolean {
  const value = valueOf(row, column);
  return typeof value === 'string' && texts.some((each) => asStored(each) === asStored(value));
}

function valueOf(row: Row, column: string): Value {
  return row.values[column] ?? null;
}

function decimalOf(row: Row, column: string): bigint | null {
  const value = valueOf(row, column);
  return value === null ? null : exact(String(value));
}

/** A decimal text as a whole number of 10^-80. */
export function exact(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const magnitude = BigInt(whole) * 10n ** 80n + BigInt(fraction.padEnd(80, '0'));
  return decimal.startsWith('-') ? -magnitude : magnitude;
}

/** A whole number of 10^-scale as canonical text. */
export function text(unscaled: bigint, scale: number): string {
  const magnitude = unscaled < 0n ? -unscaled : unscaled;
  const unit = 10n ** BigInt(scale);
  const fraction = (magnitude % unit).toString().padStart(scale, '0').replace(/0+$/, '');
  return `${unscaled < 0n ? '-' : ''}${magnitude / unit}${fraction && '.'}${fraction}`;
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

function compare<T>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function keyHex(key: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)) return key.replaceAll('-', '');
  return Array.from(murmur128(new TextEncoder().encode(key)), (word) => word.toString(16).padStart(8, '0')).join('');
}
