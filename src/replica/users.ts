import type { Replica } from './open.ts';
import type { MarkedRow } from './overlay.ts';
import { shownRows } from './shown-rows.ts';

/** A person as the screen shows them. */
export type ShownUser = MarkedRow<'users'>;

/** The people one sees, by e-mail, with the edits that wait laid over them. */
export async function shownUsersOf(replica: Replica): Promise<ShownUser[]> {
  return (await shownRows(replica, 'users')).sort((a, b) => (a.email < b.email ? -1 : 1));
}
