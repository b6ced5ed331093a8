/** What a column holds. Flags share one byte per row; texts live in the lazy tier. */
export type ColumnKind = 'code' | 'small' | 'flag' | 'decimal' | 'text';

/** The columns of a table by name, in order (the order of the flags gives their bits). `time` and `key` exist always. */
export type Schema = Readonly<Record<string, ColumnKind>>;

export type Value = string | number | boolean | null;

/** One row as the caller gives it. A column that is not named is null (a flag: false). */
export type Row = {
  readonly key: string;
  /** Whole milliseconds since the epoch. */
  readonly time: number;
  readonly values: Readonly<Record<string, Value>>;
};

/** A schema sorted by kind. A flag's place in `flags` is its bit. */
export type Layout = {
  readonly kinds: ReadonlyMap<string, ColumnKind>;
  readonly codes: readonly string[];
  readonly smalls: readonly string[];
  readonly flags: readonly string[];
  readonly decimals: readonly string[];
  readonly texts: readonly string[];
};

/** The version of the stored shape of segments and dictionaries. A change of the bytes is a new number. */
export const formatVersion = 4;

/** A text that two schemas share only when their stored segments are interchangeable. */
export function schemaFingerprint(schema: Schema): string {
  const { codes, smalls, flags, decimals, texts } = layoutOf(schema);
  return JSON.stringify([formatVersion, codes.toSorted(), smalls.toSorted(), flags, decimals.toSorted(), texts.toSorted()]);
}

/** Sorts a schema's columns by kind. Throws a RangeError for a reserved name or a ninth flag. */
export function layoutOf(schema: Schema): Layout {
  const of = (kind: ColumnKind) => Object.keys(schema).filter((name) => schema[name] === kind);
  const layout = { codes: of('code'), smalls: of('small'), flags: of('flag'), decimals: of('decimal'), texts: of('text') };
  for (const reserved of ['time', 'key', '__proto__']) {
    if (Object.hasOwn(schema, reserved)) throw new RangeError(`A column cannot be called "${reserved}"`);
  }
  if (layout.flags.length > 8) throw new RangeError(`A table has at most 8 flags, not ${layout.flags.length}`);
  return { ...layout, kinds: new Map(Object.entries(schema)) };
}

/** Makes sure that a column is of one of the given kinds. Throws a RangeError that names the column otherwise. */
export function expectKind(layout: Layout, column: string, allowed: readonly ColumnKind[]): ColumnKind {
  const kind = layout.kinds.get(column);
  if (kind === undefined) throw new RangeError(`Unknown column "${column}"`);
  if (!allowed.includes(kind)) throw new RangeError(`Column "${column}" is a ${kind}, expected ${allowed.join(' or ')}`);
  return kind;
}
