import { z } from 'zod';

/** An opaque row id. Ours are UUIDv7; another server's may be anything short. */
export const idSchema = z.string().min(1).max(64);

/** The id of a row the client makes: a UUIDv7. */
export const newIdSchema = z.uuidv7({ error: 'Expected a UUID of version 7' });

/** Free text such as a filter's. No database text holds a zero byte. */
export function textSchema(longest: number, tooLong?: string) {
  return z
    .string()
    .max(longest, tooLong)
    .refine((text) => !text.includes('\0'), { error: 'Zero bytes are not text' });
}

/** What a masked value is shown with: sent back it would take the place of the real one. */
const mask = '***';

/** The messages of a text a person types into a form. */
export const formTextMessages = {
  empty: (label: string) => `${label} is required`,
  long: (label: string, longest: number) => `${label} has at most ${longest} characters`,
  masked: (label: string) => `${label} is masked: type it anew or leave it as it is`,
} as const;

/** A line of text a person types into a form: without blanks around it, and not a masked value (specification section 5). */
export function formTextSchema(label: string, longest: number) {
  return z
    .string()
    .trim()
    .max(longest, formTextMessages.long(label, longest))
    .refine((text) => !text.includes(mask), { error: formTextMessages.masked(label) })
    .refine((text) => !/\p{Cc}/u.test(text), { error: `${label} is one line of text` });
}

/** The same where there must be something to see: blanks and invisible signs alone are no name. */
export function formNameSchema(label: string, longest: number) {
  return formTextSchema(label, longest).refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text), { error: formTextMessages.empty(label) });
}

/** The same where it may be left out: empty is null. */
export function formOptionalSchema(label: string, longest: number) {
  return formTextSchema(label, longest)
    .nullable()
    .transform((text) => (text === '' ? null : text));
}

/** An exact decimal as text, never a float: `-12.340000000000000001`. No exponent, no thousands separator. */
export const decimalSchema = z.string().regex(/^-?\d{1,60}(\.\d{1,40})?$/, 'Expected a decimal number such as -12.34');

/** A moment as ISO 8601 in UTC with `Z`. */
export const instantSchema = z.iso.datetime();

/** A date-only or full ISO moment, as date filters take it. A date-only end includes its whole UTC day. */
export const dateFilterSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'Expected a date such as 2026-09-14, or a moment such as 2026-09-14T13:05:00Z',
  })
  .refine((text) => new Date(text).getUTCFullYear() >= 1 && new Date(text).getUTCFullYear() <= 9999, {
    error: 'Expected a date between the years 1 and 9999',
  });

/** A yes or no that may arrive as query text. */
export const flagSchema = z.union([z.boolean(), z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })], {
  error: 'Expected true or false',
});

/** A whole number that may arrive as query text. */
export function countSchema(max: number) {
  return z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,15}$/, 'Expected a whole number')
        .transform(Number),
    ])
    .pipe(z.number().int().min(0).max(max));
}

/** The size of a page that may arrive as query text. */
export function limitSchema(max: number) {
  return countSchema(max).pipe(z.number().min(1));
}

/** An enumeration's number that may arrive as query text. */
export const codeSchema = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/, 'Expected a number')
      .transform(Number),
  ])
  .pipe(z.number().int().min(0).max(32_767));

/** A filter that takes one value or many (repeated parameters); always read as a list. */
export function manySchema<T extends z.ZodType>(item: T) {
  return z.union([z.array(item).max(1000), item.transform((value) => [value])]).optional();
}

/** As {@link manySchema}, but any `all` among the values means "no filter". */
export function manyOrAllSchema<T extends z.ZodType>(item: T) {
  const values = z.union([z.literal('all'), item]);
  return z
    .union([z.array(values).max(1000), values.transform((value) => [value])])
    .transform((list) =>
      list.includes('all') ? undefined : list.filter((value): value is Exclude<typeof value, 'all'> => value !== 'all'),
    )
    .optional();
}

/** The most rows our server puts in one page of a list; the specification's pages are what is asked for by default. */
export const largestPage = 5_000;

/** `skip` and `limit` of a list call. `max` is the largest page the server hands out. */
export function pageFields(defaultLimit: number, max = largestPage) {
  return { skip: countSchema(1_000_000_000).prefault(0), limit: limitSchema(max).prefault(defaultLimit) };
}

/** The order of a list: by one of its rows' fields, ascending unless told. Without a field it is the list's usual one. */
export function orderFields<const Fields extends readonly [string, ...string[]]>(fields: Fields) {
  return {
    order_by: z.enum(fields, { error: `Expected one of ${fields.join(', ')}` }).optional(),
    order_by_asc: flagSchema.prefault(true),
  };
}

/** `{count}`, the answer of the count calls. */
export const countAnswerSchema = z.object({ count: z.number().int() });
