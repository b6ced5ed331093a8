import type { z } from 'zod';
import { type Fields, isSameValue } from '#replica/merge.ts';
import type { Draft } from '#replica/outbox-tables.ts';

/** What zod says of a value that is of its kind but not yet, or no longer, right: a person is in the middle of typing it. */
const unfinished: ReadonlySet<string> = new Set(['too_small', 'too_big', 'invalid_format', 'not_multiple_of', 'custom']);

function fits(schema: z.ZodType, value: unknown): boolean {
  const { error } = schema.safeParse(value);
  return error === undefined || error.issues.every(({ code }) => unfinished.has(code));
}

/** The fields of a draft that the form has, with values of their kind: another build may have kept it. */
export function fittingFields({ shape }: z.ZodObject, { fields }: Draft): Fields {
  const shapes: Readonly<Record<string, unknown>> = shape;
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => Object.hasOwn(shapes, name) && fits(shape[name], value)));
}

/** A field that is left empty has no value. */
const valueOf = (value: unknown): unknown => (value === '' ? null : value);

/** What of a form differs from what it began with; null where nothing does. */
export function typedFields(values: Fields, usual: Fields): Pick<Draft, 'fields' | 'before'> | null {
  const names = Object.keys(values).filter((name) => !isSameValue(valueOf(values[name]), valueOf(usual[name])));
  if (names.length === 0) return null;
  const of = (from: Fields): Fields => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { fields: of(values), before: of(usual) };
}

/** Whether what was typed over in a draft has become something else since. */
export function isOutdated({ before }: Draft, fields: Fields, usual: Fields): boolean {
  return Object.keys(fields).some((name) => Object.hasOwn(before, name) && !isSameValue(before[name], usual[name]));
}
