import { ApiError } from '#contract/errors.ts';
import { mutationNamed, touchedTransactions } from '#contract/mutations.ts';
import { selectTransactions, type Transaction } from '#contract/transactions.ts';
import { makeDue } from '#replica/apply.ts';
import { isMaking } from '#replica/conflicts.ts';
import { feedStateOf } from '#replica/feed-state.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { readLastSync } from '#replica/kept.ts';
import { acceptedSince } from '#replica/receipts.ts';
import { idOfScope, scopeKey } from '#replica/scopes.ts';
import { ClosedSetError, DamagedSetError } from '#replica/set-errors.ts';
import { type SettledAnswer, settleAnswers, settleUnseen } from '#replica/settled-answers.ts';
import { clientHolding } from './held-clients.ts';
import { isOfThisAlone, isSaidGone, serverFaults } from './server-faults.ts';
import { followedIn, type Run, transactionsOf } from './run.ts';
import { scopeOfRow } from './streams.ts';
import { idsAtOnce } from './transaction-pages.ts';

/** Whether an edit was met: its row was as it wants it already, by another hand, and what it answers is told by a list or the feed. */
const hasNoAnswer = ({ name, input, answer }: OutboxRow): boolean =>
  mutationNamed(name).removes?.(input) === undefined && (answer ?? null) === null;

interface Answering {
  isFresh: boolean;
  now: number;
  /** The clients that are left out on this device: of their entities the feed is not followed. */
  leftOut: ReadonlySet<string>;
  isKept: (entityId: string) => Promise<boolean>;
}

/** What an accepted edit left: the row it answered, or that the one is gone which it removed; null where the copy keeps nothing of it. */
async function answerOf(
  { name, input, answer, base }: OutboxRow,
  { isFresh, now, leftOut, isKept }: Answering,
): Promise<SettledAnswer | null> {
  const { answers: noun, removes } = mutationNamed(name);
  const removed = removes?.(input);
  if (noun === null) return null;
  if (removed !== undefined) return { noun, isFresh, removed, version: base?.version ?? null, now };
  const row = (answer ?? null) as { id: string; client_id?: string; version?: number } | null;
  if (!row) return null;
  const scope = scopeOfRow(noun, row);
  const of = idOfScope('entity', scope);
  // what is not kept here is not kept either because an edit was about it; and of an entity not known yet the first list brings it
  if (of !== null && !(await isKept(of))) return null;
  // what an edit was made on does not tell what makes a row: of one that is there, too, no version may be known
  const isTold = !isMaking(name) && !(noun === 'entities' && leftOut.has(row.client_id ?? ''));
  return { noun, isFresh, scope, row, isTold };
}

/**
 * Brings the replica what accepted edits left at the server: the rows they answered, and the rows they touched.
 * @param fresh those of them that had their effect after the feed was followed last.
 */
export async function settleEdits(
  run: Run,
  edits: readonly OutboxRow[],
  { fresh, now }: { fresh: ReadonlySet<OutboxRow['id']>; now: number },
): Promise<void> {
  const { replica, leftOut } = run;
  const clients = new Map<string, Promise<string | undefined>>();
  const isKept = async (entityId: string): Promise<boolean> => {
    // many edits are of one entity
    const asked = clients.get(entityId) ?? clientHolding(replica, entityId);
    clients.set(entityId, asked);
    const client = await asked;
    return client !== undefined && !leftOut.has(client);
  };
  const answers = await Promise.all(edits.map((edit) => answerOf(edit, { isFresh: fresh.has(edit.id), now, leftOut, isKept })));
  await settleAnswers(
    replica,
    answers.filter((answer) => answer !== null),
  );
  const ids = [...new Set(edits.flatMap(touchedTransactions))];
  if (ids.length === 0) return;
  const brought = await bringTransactions(run, ids);
  for (const edit of edits.filter(hasNoAnswer)) {
    const noun = mutationNamed(edit.name).answers;
    const touched = new Set(touchedTransactions(edit));
    const entities = new Set(brought.flatMap((row) => (touched.has(row.id) ? [row.entity_id] : [])));
    for (const id of entities)
      if (noun !== null) await settleUnseen(replica, { noun, isFresh: fresh.has(edit.id) }, scopeKey('entity', id));
  }
}

/**
 * Transactions by their ids. Of a server that is none of ours it is not known whether it takes several, and it may refuse all for one that
 * is not there, or for there are several: what lacks is asked for alone.
 */
async function transactionsBy({ call, feed }: Run, ids: readonly string[]): Promise<Transaction[]> {
  if (feed.pageLimit !== null) return call(selectTransactions, { trx_id: [...ids] });
  const asked = (some: readonly string[]): Promise<Transaction[]> =>
    call(selectTransactions, { trx_id: [...some] }).catch((error: unknown) => {
      if (isSaidGone(error) || (some.length > 1 && isOfThisAlone(error))) return [];
      throw error;
    });
  const rows = await asked(ids);
  if (rows.length > 1 || ids.length === 1) return rows;
  for (const id of ids) if (!rows.some((row) => row.id === id)) rows.push(...(await asked([id])));
  return rows;
}

/** Brings the replica transactions as they are by now. @returns those of entities that are kept here. */
async function bringTransactions(run: Run, ids: readonly string[]): Promise<Transaction[]> {
  const { replica, sets, queries, leftOut } = run;
  const rows = await transactionsBy(run, ids);
  const followed = followedIn(await feedStateOf(replica));
  const brought: Transaction[] = [];
  for (const entityId of new Set(rows.map((row) => row.entity_id))) {
    const client = await clientHolding(replica, entityId);
    // what the feed does not follow yet is brought by its first pull; and nobody would tell that it went
    const isFollowed = followed?.has(scopeKey('entity', entityId)) ?? true;
    if (client === undefined || !isFollowed || leftOut.has(client)) continue;
    const here = rows.filter((row) => row.entity_id === entityId);
    brought.push(...here);
    const set = await sets.transactions(client);
    await set.apply(here).catch(async (error: unknown) => {
      // a set that is fetched anew will hold these rows too
      if (error instanceof DamagedSetError) await sets.mend(error);
      else if (!(error instanceof ClosedSetError)) throw error;
    });
    queries.changed(transactionsOf({ client_id: client }));
  }
  return brought;
}

/** How far a clock may have been set back meanwhile, in milliseconds. */
const marginMs = 60_000;

/**
 * Reads again what edits left that were accepted after the copy was whole last, at a server that tells no changes: the outbox says that it
 * is here, and the power may have failed before it was on the disk. Where the copy was whole last is lost with it.
 */
export async function readBackAccepted(run: Run): Promise<void> {
  const wholeAt = await readLastSync(run.replica);
  const receipts = wholeAt === null ? [] : await acceptedSince(run.replica.outbox, wholeAt - marginMs);
  if (receipts.length === 0) return;
  await makeDue(run.replica);
  const ids = [...new Set(receipts.flatMap(({ touched = [] }) => touched))];
  for (let at = 0; at < ids.length; at += idsAtOnce) await bringIfSeen(run, ids.slice(at, at + idsAtOnce));
}

/** The same of some; what the server cannot answer, or refuses, holds up nothing else: of several each is asked for alone. */
async function bringIfSeen(run: Run, ids: readonly string[]): Promise<void> {
  try {
    await bringTransactions(run, ids);
  } catch (error) {
    if (!(error instanceof ApiError) || serverFaults.includes(error.code)) throw error;
    const isRefused = error.isSaid && (error.code === 'permission_denied' || error.code === 'not_found');
    if (isRefused && ids.length > 1) for (const id of ids) await bringIfSeen(run, [id]);
  }
}
