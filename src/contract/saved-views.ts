import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { idSchema, instantSchema, largestPage, limitSchema, newIdSchema, textSchema } from './wire.ts';

/** The lists one can save a view of. */
export const viewedLists = ['transactions'] as const;
export type ViewedList = (typeof viewedLists)[number];

/** How much of each there may be: views of one person, and characters. */
export const savedViewLimits = { views: 400, page: 500, name: 80, search: 8_000 } as const;

/** Messages the form and the server share. */
export const savedViewMessages = {
  noName: 'Give the view a name',
  longName: `A name has at most ${savedViewLimits.name} characters`,
  taken: 'Another of your views already has this name',
  longSearch: `This filter is too long to be saved: the limit is ${savedViewLimits.search.toLocaleString('en-US')} characters`,
  full: `You have ${savedViewLimits.views} saved views, which is the limit. Delete one to save another.`,
} as const;

export const savedViewNameSchema = z
  .string()
  .trim()
  .max(savedViewLimits.name, savedViewMessages.longName)
  // something must be there to see: blanks, invisible signs and zero bytes alone are no name
  .refine((name) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) && !name.includes('\0'), { error: savedViewMessages.noName });

/** A person's named view of a list: the query of its address, for nobody else to see. `list` may be one a newer version knows. */
export const savedViewSchema = z.looseObject({
  id: idSchema,
  name: z.string(),
  list: z.string(),
  search: z.string(),
  version: z.number().int(),
  updated_at: instantSchema,
});
export type SavedView = z.infer<typeof savedViewSchema>;

/** All views of the person who asks, by name. */
export const listSavedViews = defineEndpoint({
  name: 'listSavedViews',
  method: 'GET',
  path: '/saved_views',
  permission: 'signed_in',
  input: z.object({ limit: limitSchema(largestPage).prefault(savedViewLimits.page) }),
  output: z.array(savedViewSchema),
  paging: { by: 'single', limit: savedViewLimits.page },
});

export const saveViewInputSchema = z.object({
  id: newIdSchema,
  name: savedViewNameSchema,
  list: z.enum(viewedLists),
  search: textSchema(savedViewLimits.search, savedViewMessages.longSearch),
});
export type SaveViewInput = z.infer<typeof saveViewInputSchema>;

/** Makes a view under an id the client made, or writes over the one that has it. A name is used once per list and person. */
export const saveView = defineEndpoint({
  name: 'saveView',
  method: 'PUT',
  path: '/saved_views/:id',
  permission: 'signed_in',
  input: saveViewInputSchema,
  output: savedViewSchema,
  ifMatch: { noun: 'saved_views', id: 'id' },
});

export const deleteViewInputSchema = z.object({ id: idSchema });
export type DeleteViewInput = z.infer<typeof deleteViewInputSchema>;

/** Deletes a view; one that is gone already is fine. */
export const deleteView = defineEndpoint({
  name: 'deleteView',
  method: 'DELETE',
  path: '/saved_views/:id',
  permission: 'signed_in',
  input: deleteViewInputSchema,
  output: z.object({}),
  ifMatch: { noun: 'saved_views', id: 'id' },
});
