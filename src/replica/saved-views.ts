import type { ViewedList } from '#contract/saved-views.ts';
import { nameKey } from '#domain/name-key.ts';
import { heldRows } from './held-rows.ts';
import { needsPerson } from './mutation-states.ts';
import type { Replica } from './open.ts';
import { discard } from './decisions.ts';
import { pendingMutations, withPending } from './outbox.ts';
import { editsByRow, type MarkedRow } from './overlay.ts';
import { shownRows } from './shown-rows.ts';

/** A saved view as the screen shows it. */
export type ShownView = MarkedRow<'saved_views'>;

/** The person's views of a list by name, with waiting and refused edits laid over them. */
export async function savedViewsOf(replica: Replica, list: ViewedList): Promise<ShownView[]> {
  const order = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  return (await shownRows(replica, 'saved_views'))
    .filter((view) => view.list === list)
    .sort((a, b) => order.compare(a.name, b.name) || order.compare(a.id, b.id));
}

/**
 * The id to save a new view under: that of a view of the name whose deletion still waits, else the fresh one. Edits of one
 * view keep their order, those of two do not: the server could be asked for the name before it is free.
 */
export async function idForName(replica: Replica, { list, name }: { list: ViewedList; name: string }, fresh: string): Promise<string> {
  const [held, edits] = await withPending(replica.outbox, () => heldRows(replica.rows, 'saved_views'));
  const byView = editsByRow('saved_views', edits);
  const key = nameKey(name);
  const freed = held.find((view) => view.list === list && nameKey(view.name) === key && byView.get(view.id)?.at(-1)?.name === 'deleteView');
  return freed?.id ?? fresh;
}

/** The person's decision to let go of what the server refused of a view. */
export async function discardRefused(replica: Replica, id: string, now: number): Promise<void> {
  const edits = editsByRow('saved_views', await pendingMutations(replica.outbox)).get(id) ?? [];
  for (const edit of edits) if (needsPerson(edit.state)) await discard(replica.outbox, edit.seq, now);
}
