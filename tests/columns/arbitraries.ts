import fc from 'fast-check';
import type { Condition } from '#columns/conditions.ts';
import type { ColumnKind, Row, Schema, Value } from '#columns/schema.ts';
import type { Sort } from '#columns/sorting.ts';
import type { Query } from '#columns/query.ts';
import type { TotalsRequest } from '#columns/totals.ts';

/** 160 keys: UUIDs that differ in the first, a middle or the last digit, and texts that are no canonical UUIDs. */
export const keys = Array.from({ length: 160 }, (_, i) => {
  const hex = i.toString(16).padStart(2, '0');
  if (i % 4 === 0) return `${hex}8a7f10-0000-7000-8000-0123456789ab`;
  if (i % 4 === 1) return `018a7f10-0000-70${hex}-8000-0123456789ab`;
  if (i % 4 === 2) return `018a7f10-0000-7000-8000-0123456789${hex}`;
  return [i === 3 ? '' : `plain ${i}`, `id-${i}`, `ключ ${i}`, `018A7F10-0000-7000-8000-0123456789${hex}`][(i >>> 2) % 4] ?? '';
});

export const codeValues = ['', 'a', 'b', 'Ä', 'alpha', 'beta', '😀', '\uffff'];
const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((each) => each.join(''));

/** Decimal texts of all sorts: short, with 30 decimals, of 40 digits, alike to 20 digits, at the limits of 128 bits. */
export const decimalText = fc.oneof(
  fc.constantFrom('0', '-0', '0.000', '1', '-1', '1.50', '0.000000000000000001', '-0.000000000000000001', '0.0000000000000000001'),
  fc.constantFrom(
    '170141183460469231731',
    '-170141183460469231731',
    '170141183381241069217.4',
    '170141183381241069217.5',
    '1.00000000000000000000000',
    '-5',
  ),
  fc.tuple(fc.constantFrom('', '-'), digits(1, 6), digits(1, 4)).map(([sign, whole, part]) => `${sign}${whole}.${part}`),
  fc.tuple(fc.constantFrom('', '-'), digits(1, 3), digits(15, 30)).map(([sign, whole, part]) => `${sign}${whole}.${part}`),
  fc.tuple(fc.constantFrom('', '-'), digits(30, 40)).map(([sign, whole]) => sign + whole),
  fc.tuple(fc.constantFrom('', '-'), digits(1, 2)).map(([sign, end]) => `${sign}12345678901234567.0123456789012345${end}`),
);

const textValue = fc.oneof(
  fc.array(fc.constantFrom('a', 'A', 'b', 'ab', 'Ä', 'é', '😀', 'ÿ', '\u0000', ' '), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);

/** Texts to look for; some of them are short, so that some rows have them. */
export const textLists = fc.array(fc.oneof(fc.constantFrom('', 'a', 'A', 'b', 'AB', 'ä', ' ', '\u0000'), textValue), { maxLength: 6 });

/** Amounts as most columns have them: a few digits, which one or two limbs hold. */
const narrowDecimalText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom('', '-'), digits(1, 4), digits(1, 2)).map(([sign, whole, part]) => `${sign}${whole}.${part}`),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('', '-'), digits(9, 13), digits(1, 4)).map(([sign, whole, part]) => `${sign}${whole}.${part}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('0', '2147483647', '-2147483648', '9007199254740993', '-9223372036854775808') },
);

const values: Record<ColumnKind, fc.Arbitrary<Value>> = {
  code: fc.constantFrom(null, ...codeValues),
  small: fc.constantFrom(null, 0, 1, 2, 7, 253, 254),
  flag: fc.boolean(),
  decimal: fc.option(decimalText, { freq: 5 }),
  text: fc.option(textValue, { freq: 5 }),
};

/** A schema with a random number of columns of each kind. */
export const schemas: fc.Arbitrary<Schema> = fc
  .record({ code: fc.nat(2), small: fc.nat(2), flag: fc.nat(8), decimal: fc.nat(2), text: fc.nat(2) })
  .map((counts) =>
    Object.fromEntries(
      Object.entries(counts).flatMap(([kind, count]) => Array.from({ length: count }, (_, i) => [`${kind}${i}`, kind as ColumnKind])),
    ),
  );

const times = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }) },
  fc.constantFrom(-0, -5, 1_700_000_000_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);

export const keyLists = fc.array(fc.constantFrom(...keys, 'no such key'), { maxLength: 8 });

/** Rows that fit a schema; keys may repeat. */
export function rowsOf(schema: Schema, maxLength: number): fc.Arbitrary<Row[]> {
  // the first decimal column stays narrow, the second takes anything
  const narrow = fc.option(narrowDecimalText, { freq: 3 });
  const columns = Object.fromEntries(Object.entries(schema).map(([name, kind]) => [name, name === 'decimal0' ? narrow : values[kind]]));
  const row = fc.record({ key: fc.constantFrom(...keys), time: times, values: fc.record(columns, { requiredKeys: [] }) });
  return fc.array(row as fc.Arbitrary<Row>, { maxLength, size: 'max' });
}

function condition(schema: Schema, depth: number): fc.Arbitrary<Condition> {
  const not = fc.boolean();
  const plain = Object.entries(schema).map(([column, kind]): fc.Arbitrary<Condition> => {
    if (kind === 'flag') return fc.record({ flag: fc.constant(column), is: fc.boolean() });
    if (kind === 'text')
      return fc.oneof(
        fc.record({ column: fc.constant(column), contains: fc.oneof(fc.constantFrom('a', 'AB', 'ba', 'ä', '😀'), textValue), not }),
        fc.record({ column: fc.constant(column), oneOf: textLists, not }),
      );
    if (kind === 'decimal') {
      const bound = column === 'decimal0' ? fc.oneof(narrowDecimalText, decimalText) : decimalText;
      const bounds = { atLeast: bound, atMost: bound, above: bound, below: bound };
      return fc.record({ column: fc.constant(column), ...bounds, not }, { requiredKeys: ['column'] });
    }
    const wanted = fc.oneof(values[kind] as fc.Arbitrary<string | number | null>, fc.constantFrom('nowhere', 99, 255, 1.5));
    return fc.record({ column: fc.constant(column), in: fc.array(wanted, { maxLength: 5 }), not });
  });
  const always: fc.Arbitrary<Condition>[] = [
    fc.record({ column: fc.constant('time' as const), from: times, to: times, not }, { requiredKeys: ['column'] }),
    fc.record({ key: fc.record({ in: keyLists }), not }),
  ];
  if (depth > 0) always.push(fc.record({ any: fc.array(condition(schema, depth - 1), { maxLength: 3 }), not }));
  return fc.oneof(...plain, ...always);
}

function sort(schema: Schema): fc.Arbitrary<Sort> {
  const ranks = fc.array(fc.nat(4), { maxLength: 12 });
  const columns = Object.entries(schema).map(([column, kind]) =>
    kind === 'code' || kind === 'small'
      ? fc.record({ column: fc.constant(column), descending: fc.boolean(), ranks }, { requiredKeys: ['column', 'descending'] })
      : fc.record({ column: fc.constant(column), descending: fc.boolean() }),
  );
  return fc.oneof(...columns, fc.record({ column: fc.constantFrom('time', 'key'), descending: fc.boolean() }));
}

export function queriesOf(schema: Schema): fc.Arbitrary<Query> {
  return fc.record({ where: fc.array(condition(schema, 2), { maxLength: 2 }), sort: fc.array(sort(schema), { maxLength: 3 }) });
}

export function totalsRequestsOf(schema: Schema): fc.Arbitrary<TotalsRequest> {
  const of = (...kinds: ColumnKind[]) => Object.keys(schema).filter((name) => kinds.includes(schema[name] ?? 'flag'));
  const decimals = of('decimal');
  const pair = decimals.length > 0 ? [fc.tuple(fc.constantFrom(...decimals), fc.constantFrom(...decimals))] : [];
  return fc.record({
    groupBy: fc.subarray(of('code', 'small'), { maxLength: Math.min(2, of('code', 'small').length) }),
    sums: fc.subarray(decimals),
    products: pair[0] ? fc.array(pair[0], { maxLength: 2 }) : fc.constant([]),
  });
}
