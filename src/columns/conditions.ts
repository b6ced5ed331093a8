import type { Dictionary } from './dictionaries.ts';
import { anyOf, keepInTime, keepKeys, not, type Filter } from './filters.ts';
import { keepBounded } from './filter-decimals.ts';
import { keepByTable } from './filter-tables.ts';
import { keepContaining, keepOneOf } from './filter-texts.ts';
import { keyOf } from './keys.ts';
import { expectKind, type Layout } from './schema.ts';
import { type CodeColumn, nullSmall } from './segments.ts';
import type { Span } from './times.ts';

/** The value of a code or small column is in the list. A string that no row ever had matches nothing. */
type InCondition = { readonly column: string; readonly in: readonly (string | number | null)[]; readonly not?: boolean };
/** The time lies in a range, both ends included, in milliseconds. */
type TimeCondition = { readonly column: 'time'; readonly from?: number; readonly to?: number; readonly not?: boolean };
/** The flag is (or is not) set. */
type FlagCondition = { readonly flag: string; readonly is: boolean };
/** The value of a decimal column is not null and lies within all the bounds given, compared exactly. */
export type DecimalCondition = {
  readonly column: string;
  readonly atLeast?: string;
  readonly atMost?: string;
  readonly above?: string;
  readonly below?: string;
  readonly not?: boolean;
};
/** The text is not null and contains the given one, whatever the case of either. Letters of the text are composed since rows are taken so. */
type TextCondition = { readonly column: string; readonly contains: string; readonly not?: boolean };
/** The text is one of the list, whatever the case of either. */
type TextListCondition = { readonly column: string; readonly oneOf: readonly string[]; readonly not?: boolean };
/** The key is in the list. */
type KeyCondition = { readonly key: { readonly in: readonly string[] }; readonly not?: boolean };
/** At least one of the conditions holds (so none of an empty list). */
type AnyCondition = { readonly any: readonly Condition[]; readonly not?: boolean };

/** What must hold of a row. `not: true` turns a condition round; a null then counts as a row that does not match. */
export type Condition =
  | InCondition
  | TimeCondition
  | FlagCondition
  | DecimalCondition
  | TextCondition
  | TextListCondition
  | KeyCondition
  | AnyCondition;

/** Compiles the conditions of a query, cheapest first. Throws a RangeError for an unknown column or a malformed bound. */
export function compileConditions(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, where: readonly Condition[]): Filter[] {
  return where.map((condition) => compile(layout, dictionaries, condition)).toSorted((a, b) => a.cost - b.cost);
}

/** The span of times within which a row must lie to meet all the conditions. */
export function spanOf(where: readonly Condition[]): Span {
  let span = { from: -Infinity, to: Infinity };
  for (const condition of where) {
    if (!isTime(condition) || condition.not) continue;
    span = { from: Math.max(span.from, condition.from ?? -Infinity), to: Math.min(span.to, condition.to ?? Infinity) };
  }
  return span;
}

/** Whether any of the conditions looks at a text. */
export function looksAtText(where: readonly Condition[]): boolean {
  return where.some((condition) => ('any' in condition ? looksAtText(condition.any) : 'contains' in condition || 'oneOf' in condition));
}

function compile(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, condition: Condition): Filter {
  if ('any' in condition) return not(anyOf(condition.any.map((each) => compile(layout, dictionaries, each))), condition.not);
  if ('flag' in condition) return compileFlag(layout, condition);
  if ('key' in condition) return not(keepKeys(condition.key.in.map(keyOf)), condition.not);
  if ('in' in condition) return compileIn(layout, dictionaries, condition);
  if ('contains' in condition) {
    expectKind(layout, condition.column, ['text']);
    return not(keepContaining(condition.column, condition.contains), condition.not);
  }
  if ('oneOf' in condition) {
    expectKind(layout, condition.column, ['text']);
    return not(keepOneOf(condition.column, condition.oneOf), condition.not);
  }
  if (isTime(condition)) return not(keepInTime(spanOf([{ ...condition, not: false }])), condition.not);
  expectKind(layout, condition.column, ['decimal']);
  return not(keepBounded(condition), condition.not);
}

function isTime(condition: Condition): condition is TimeCondition {
  return 'column' in condition && condition.column === 'time' && !['in', 'contains', 'oneOf'].some((name) => name in condition);
}

/** The filters of flags by bit and by whether it is set: what they have made ready serves the next query, too. */
const flagFilters = [false, true].map((is) => Array.from({ length: 8 }, (_, bit) => flagFilter(bit, is)));

function flagFilter(bit: number, is: boolean): Filter {
  const table = Uint8Array.from({ length: 256 }, (_, flags) => (((flags >>> bit) & 1) === Number(is) ? 1 : 0));
  // no column's name has a blank at its beginning
  return keepByTable('', ({ hot }) => hot.flags, { table, called: ` ${bit} ${is}` });
}

function compileFlag(layout: Layout, { flag, is }: FlagCondition): Filter {
  expectKind(layout, flag, ['flag']);
  return flagFilters[Number(is)]?.[layout.flags.indexOf(flag)] as Filter;
}

function compileIn(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, condition: InCondition): Filter {
  const { column } = condition;
  const kind = expectKind(layout, column, ['code', 'small']);
  const [found, missed] = condition.not ? [0, 1] : [1, 0];
  const dictionary = dictionaries.get(column);
  const table = new Uint8Array(kind === 'small' ? 256 : (dictionary?.values.length ?? 0)).fill(missed);
  for (const value of condition.in) {
    const at = kind === 'small' ? smallOf(value) : typeof value === 'number' ? undefined : dictionary?.find(value);
    if (at !== undefined) table[at] = found;
  }
  const values = kind === 'small' ? 'smalls' : 'codes';
  return keepByTable(column, ({ hot }) => hot[values][column] as CodeColumn, { table });
}

function smallOf(value: string | number | null): number | undefined {
  if (value === null) return nullSmall;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < nullSmall ? value : undefined;
}
