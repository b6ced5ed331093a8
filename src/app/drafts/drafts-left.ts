import { z } from 'zod';
import { keptKeys, type TabStorage } from '#app/kept-keys.ts';

// A browser writes nothing into a database any more for a page that goes: what is typed in the last moment, and what was dropped in it, is
// with the tab meanwhile.

const { key: leftKey } = keptKeys.draftsLeft;
const fieldsSchema = z.record(z.string(), z.unknown());
const leftSchema = z.object({
  userId: z.string(),
  drafts: z.array(
    z.object({
      form_key: z.string(),
      client_id: z.string().nullable(),
      entity_id: z.string().nullable(),
      fields: fieldsSchema,
      before: fieldsSchema,
      kept_at: z.number(),
    }),
  ),
  // a build before this one left none, or wrote them otherwise
  dropped: z.array(z.string()).catch([]),
  at: z.number().default(0),
});

export type LeftDrafts = z.infer<typeof leftSchema>;

/** What a page left with the tab; null where that is nothing, or another build's. */
export function leftIn(tab: TabStorage): LeftDrafts | null {
  try {
    return leftSchema.parse(JSON.parse(tab.getItem(leftKey) ?? 'null'));
  } catch {
    return null;
  }
}

/** Leaves that in place of what was left before. */
export function leave(tab: TabStorage, left: LeftDrafts): void {
  if (left.drafts.length + left.dropped.length > 0) tab.setItem(leftKey, JSON.stringify(left));
  else forgetLeft(tab);
}

export function forgetLeft(tab: TabStorage): void {
  tab.removeItem(leftKey);
}
