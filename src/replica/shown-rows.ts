import { heldRows, type OfDatabase } from './held-rows.ts';
import type { Replica } from './open.ts';
import { withPending } from './outbox.ts';
import { foldRows, type MarkedRow } from './overlay.ts';
import type { MadeNoun, NounRow } from './reducers.ts';

/** The rows of a noun as the screen shows them, with the edits that wait laid over them, in no order. */
export async function shownRows<Noun extends MadeNoun>({ rows, outbox }: Replica, noun: Noun): Promise<MarkedRow<Noun>[]> {
  const [held, edits] = await withPending(outbox, () => heldRows(rows, noun));
  // each table holds the rows of its noun
  return foldRows(noun, held as readonly (NounRow[Noun] & OfDatabase)[], edits);
}
