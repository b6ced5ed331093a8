import { isLost, putNewer, type RowsWriting, type ServerRow } from './apply.ts';
import { type FeedState, feedStateIn } from './feed-state.ts';
import type { Replica } from './open.ts';
import { pullIn } from './pulls.ts';
import { placeOfRow, scopeKey } from './scopes.ts';
import type { RowNoun } from './row-tables.ts';

/** What an accepted edit left in a list. */
interface Settled {
  noun: RowNoun;
  /**
   * The edit had its effect after the feed was followed last: whatever became of its row since is still to be told. Of another one it
   * may have been told already, or the feed was begun after it.
   */
  isFresh: boolean;
}

/** The row as the edit left it. */
interface LeftRow extends Settled {
  scope: string;
  row: ServerRow & { client_id?: string };
  /** Asked of a client or an entity alone: whether the feed tells that it is there, if it is. Where it does not, its client may say so. */
  isTold: boolean;
}

/** The row is no more. */
interface RemovedRow extends Settled {
  removed: string;
  /** The version that was removed; null where the edit was made on none. */
  version: number | null;
  now: number;
}

export type SettledAnswer = LeftRow | RemovedRow;

/** Writes what accepted edits left, in their order and in one transaction: each for itself would cost as much as all of them. */
export async function settleAnswers({ rows }: Replica, answers: readonly SettledAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  await rows.write([...new Set([...answers.map(({ noun }) => noun), 'clients' as const]), 'pulls', 'meta', 'gone'], async (tx) => {
    const feed = await feedStateIn(tx);
    for (const answer of answers) await ('row' in answer ? putLeft(tx, feed, answer) : takeRemoved(tx, feed, answer));
  });
}

/** Whether a client may be seen, as far as is known here: the feed tells of it, or it was only just made. */
async function isClientThere(tx: RowsWriting, feed: FeedState, client: string): Promise<boolean> {
  return !isLost(feed, scopeKey('client', client)) || (await tx.get('clients', client)) !== undefined;
}

/** Whether what an edit left may have gone out of sight since: of a client or an entity, and of what is in one, the feed tells that. */
async function isOutOfSight(tx: RowsWriting, feed: FeedState, { noun, scope, row, isTold }: LeftRow): Promise<boolean> {
  if (isLost(feed, scope)) return true;
  const place = placeOfRow(noun, row);
  if (place === null || !isLost(feed, place)) return false;
  const client = row.client_id ?? '';
  if (noun === 'archived_assets') return !(await isClientThere(tx, feed, client));
  if ((await tx.get(noun, row.id)) !== undefined) return false;
  return isTold || (noun === 'entities' && !(await isClientThere(tx, feed, client)));
}

/** Writes the row an edit left, where it is newer than what is held. */
async function putLeft(tx: RowsWriting, feed: FeedState | null, answer: LeftRow): Promise<void> {
  if (feed && (await isOutOfSight(tx, feed, answer))) return;
  const { noun, isFresh, scope, row } = answer;
  const { is_withheld: isWithheld } = await pullIn(tx, scope, noun);
  if (!isWithheld) await putNewer(tx, noun, scope, [row]);
  await countSettled(tx, scope, noun, isFresh && feed !== null);
}

/**
 * Removes the row an edit removed. One that may have been made anew since, being newer than the version the edit was made on, is left to
 * who tells that. A list on its way does not bring it back, whether or not the copy had it: a copy begun anew may lack it.
 */
async function takeRemoved(
  tx: RowsWriting,
  feed: FeedState | null,
  { noun, isFresh, removed: id, version, now }: RemovedRow,
): Promise<void> {
  const held = await tx.get(noun, id);
  const isThatOne = version !== null && (held?.version ?? 0) <= version;
  if (held && (isFresh || !feed || isThatOne)) await tx.remove(noun, id);
  // what a feed tells goes on where it was: at another server a row made anew begins again
  if (feed && version !== null) {
    const known = await tx.get('gone', [noun, id]);
    // it may have been told already, of a version that came after the one the edit was made on
    await tx.put('gone', { noun, id, version: Math.max(version, known?.version ?? version), at: now });
  }
  const scopes = held ? [held._scope] : (await tx.list('pulls')).filter((pull) => pull.noun === noun).map(({ scope }) => scope);
  for (const scope of scopes) await countSettled(tx, scope, noun, isFresh && feed !== null);
}

/** An accepted edit left a row that was not told. */
export function settleUnseen({ rows }: Replica, { noun, isFresh }: Settled, scope: string): Promise<void> {
  return rows.write(['pulls', 'meta'], async (tx) => countSettled(tx, scope, noun, isFresh && (await feedStateIn(tx)) !== null));
}

/** What is asked for now is older than what was settled. The list is read again for what else the edit changed, unless a feed will tell. */
async function countSettled(tx: RowsWriting, scope: string, noun: RowNoun, isTold: boolean): Promise<void> {
  const pull = await pullIn(tx, scope, noun);
  await tx.put('pulls', { ...pull, ...(isTold ? {} : { last_complete_at: null }), settled: (pull.settled ?? 0) + 1 });
}
