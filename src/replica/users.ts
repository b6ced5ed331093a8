import { heldRows } from './held-rows.ts';
import type { Replica } from './open.ts';
import { withPending } from './outbox.ts';
import { foldRows, type MarkedRow } from './overlay.ts';

/** A person as the screen shows them. */
export type ShownUser = MarkedRow<'users'>;

/** The people one sees, by e-mail, with the edits that wait laid over them. */
export async function shownUsersOf({ rows, outbox }: Replica): Promise<ShownUser[]> {
  const [users, edits] = await withPending(outbox, () => heldRows(rows, 'users'));
  return foldRows('users', users, edits).sort((a, b) => (a.email < b.email ? -1 : 1));
}
