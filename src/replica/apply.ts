import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import { columnNouns } from './column-nouns.ts';
import { countsIn } from './counts.ts';
import type { Replica } from './open.ts';
import { type FeedState, feedStateIn } from './feed-state.ts';
import { goneIn } from './gone.ts';
import { clientsLeft, placesOf } from './left-columns.ts';
import {
  type Absence,
  admitted,
  isVoid,
  missesToGo,
  pullIn,
  type PullRow,
  type Standing,
  standingIn,
  type Sweep,
  type WantedSpan,
  wanting,
} from './pulls.ts';
import type { RowNoun, RowTables, Scoped } from './row-tables.ts';
import type { StoreWriting } from './store.ts';

/** What applying needs to know of a server row. */
export interface ServerRow {
  id: string;
  version?: number;
}

type ScopedRow = ServerRow & Scoped;
export type RowsWriting = StoreWriting<RowTables>;

/** A noun's rows as far as writing them goes: whatever else is in them is the server's. */
function asRows<N extends RowNoun>(rows: readonly ScopedRow[]): RowTables[N]['row'][] {
  return rows as unknown as RowTables[N]['row'][];
}

/** What a scope's list answered. */
export interface AnsweredList {
  noun: RowNoun;
  scope: string;
  rows: readonly ServerRow[];
  /** Ids of rows that are there and could not be read: they are not gone. */
  unread?: readonly string[];
  absence: Absence;
  /** Where the pull stood when it was asked for. */
  askedAt: Standing;
  now: number;
}

/**
 * Writes what a scope's list answered, and that it was read, in one transaction. One asked for while the copy was of another database
 * says nothing of this one. What is told of the scope while the list was on its way, by a settled edit or the feed, is newer than the
 * list: then it takes nothing away, and is asked for again. And where another thing may be seen by now than when it was asked for, nothing
 * of it is written: it may have rows that went out of sight since.
 * @returns whether it says how things are: else it is to be asked for again.
 */
export function applyList(
  { rows }: Replica,
  { noun, scope, rows: listed, unread = [], absence, askedAt, now }: AnsweredList,
): Promise<boolean> {
  return rows.write([noun, 'pulls', 'meta', 'gone'], async (tx) => {
    const { pull, resets, generation, answers } = await standingIn(tx, scope, noun);
    const feed = await feedStateIn(tx);
    if (isLost(feed, scope) || generation !== askedAt.generation) return true;
    if (feed && resets !== askedAt.resets) {
      await tx.put('pulls', { ...pull, last_complete_at: null });
      return false;
    }
    const isOutOfDate = resets !== askedAt.resets || isNewsSince(pull, askedAt.pull);
    const ids = new Set([...listed.map((row) => row.id), ...unread]);
    const doubts = isOutOfDate ? 0 : await removeAbsent(tx, { noun, scope, ids, absence, answers });
    await markUnread(tx, noun, unread);
    // whatever their versions: a row made anew under its id begins again
    if (!isOutOfDate && (absence === 'gone' || !feed)) await tx.putMany(noun, asRows(listed.map((row) => ({ ...row, _scope: scope }))));
    // only a feed says which of its rows went since
    else if (feed) await putNewer(tx, noun, scope, listed);
    // what it left open is settled now: a place that is gone is not to be shown until the list is due again
    const last_complete_at = isOutOfDate || doubts > 0 ? null : now;
    await tx.put('pulls', { ...readWhole(pull, absence), last_complete_at });
    return true;
  });
}

/** Whether an edit was settled in the scope of a list, or the feed told of it, since it was asked for. */
function isNewsSince(pull: PullRow, asked: PullRow): boolean {
  return (pull.settled ?? 0) !== (asked.settled ?? 0) || (pull.told ?? 0) !== (asked.told ?? 0);
}

/** Rows that could not be read were in their list, as they are held. @param swept as in `putNewer`. */
async function markUnread(tx: RowsWriting, noun: RowNoun, ids: readonly string[], swept?: number): Promise<void> {
  if (ids.length === 0) return;
  const mark = swept === undefined ? {} : { _swept: swept };
  const held = await tx.getMany(noun, ids);
  const kept = held.flatMap((row) => {
    if (!row) return [];
    const { _missed: _before, ...known } = row;
    return [{ ...known, ...mark }];
  });
  await tx.putMany(noun, asRows(kept));
}

/** A pull whose list was read to its end. */
function readWhole(pull: PullRow, absence: Absence): PullRow {
  const { is_cut: _before, sweep: _over, miscounts: _past, ...known } = admitted(pull);
  return { ...known, phase: 'steady', ...(absence === 'nothing' ? { is_cut: true } : {}) };
}

/** A page of a list that is read in several. */
export interface AnsweredPage {
  noun: RowNoun;
  scope: string;
  rows: readonly ServerRow[];
  /** As above. */
  unread?: readonly string[];
  /** Where the pull stood when the page was asked for. */
  askedAt: Standing;
  /** Where the reading goes on after it, or what it came to with this page. */
  sweep: Sweep;
  end?: SweepEnd;
}

/** What a list that was read in several pages came to. */
interface SweepEnd {
  /** All rows that were in it. */
  ids: ReadonlySet<string>;
  /** The server counts other rows than were read, or other ones than at the beginning. */
  isMiscounted: boolean;
}

/** Readings in a row that may have other rows than the server counts, before the list is taken as it was read. */
const mostMiscounts = 3;

/**
 * Writes a page of a list that is read in several, and where its reading goes on, in one transaction. What made the answers void that were
 * on their way since the list was begun makes the pages before void as well. What the feed told since does not: its rows say so.
 * @returns `goes_on`; `again` where no feed says what was settled or told since the page was asked for; `void` where the list is to be
 *   begun anew; `over` where it is read to its end, or out of sight.
 */
export function applyListPage(
  { rows: store }: Replica,
  { noun, scope, rows, unread = [], askedAt, sweep, end }: AnsweredPage,
): Promise<'goes_on' | 'again' | 'over' | 'void'> {
  return store.write([noun, 'pulls', 'meta', 'gone'], async (tx) => {
    const standing = await standingIn(tx, scope, noun);
    const { pull } = standing;
    const feed = await feedStateIn(tx);
    if (isLost(feed, scope)) return 'over';
    if (isVoid(sweep, standing)) return 'void';
    const settled = pull.settled ?? 0;
    // only a feed says which of its rows went since
    if (!feed && isNewsSince(pull, askedAt.pull)) return 'again';
    if (feed) await putNewer(tx, noun, scope, rows, sweep.begun_at);
    // whatever their versions, as above: nothing else was told of the list since the page was asked for
    else await tx.putMany(noun, asRows(rows.map((row) => ({ ...row, _scope: scope, _swept: sweep.begun_at }))));
    await markUnread(tx, noun, unread, sweep.begun_at);
    if (!end) {
      await tx.put('pulls', { ...admitted(pull), sweep });
      return 'goes_on';
    }
    const { absence, begun_in: begun } = sweep;
    const isOutOfDate = settled !== begun.settled || (!feed && standing.answers !== (begun.answers ?? 0));
    const doubts = isOutOfDate ? 0 : await removeAbsent(tx, { noun, scope, ids: end.ids, absence, answers: begun.answers ?? 0 });
    const miscounts = end.isMiscounted ? (pull.miscounts ?? 0) + 1 : 0;
    const isCountedAnew = miscounts > 0 && miscounts < mostMiscounts;
    const isOpen = isOutOfDate || isCountedAnew || (feed !== null && doubts > 0);
    const read = { ...readWhole(pull, absence), last_complete_at: isOpen ? null : sweep.begun_at };
    await tx.put('pulls', isCountedAnew ? { ...read, miscounts } : read);
    return 'over';
  });
}

/** Ids of the rows of a scope that a list begun then had so far. */
export async function sweptIds({ rows }: Replica, noun: RowNoun, scope: string, { begun_at }: Sweep): Promise<Set<string>> {
  const held = await rows.read([noun], (tx) => tx.list(noun, { index: '_scope', is: scope }));
  return new Set(held.flatMap(({ id, _swept }) => (_swept === begun_at ? [id] : [])));
}

/** A list that is read in several pages is begun anew. */
export function dropSweep({ rows }: Replica, scope: string, noun: RowNoun): Promise<void> {
  return rows.write(['pulls'], async (tx) => {
    const { sweep: _dropped, ...pull } = await pullIn(tx, scope, noun);
    await tx.put('pulls', pull);
  });
}

/** Whether the feed says that a scope may not be seen: what was asked for before does not bring it back. */
export function isLost(feed: FeedState | null, scope: string): boolean {
  return feed !== null && scope !== 'user' && !feed.scopes.some(({ key }) => key === scope);
}

interface Absent {
  noun: RowNoun;
  scope: string;
  /** Of the rows in the list. */
  ids: ReadonlySet<string>;
  absence: Absence;
  /** How many answers of the feed there were when it was begun: rows it told of since are there, be they in no page. */
  answers: number;
}

/**
 * Removes the rows of a scope that are not in its list; where they may have slipped through it, once they were missing often enough.
 * @returns of how many it is still open whether they are gone.
 */
async function removeAbsent(tx: RowsWriting, { noun, scope, ids, absence, answers }: Absent): Promise<number> {
  if (absence === 'nothing') return 0;
  const keys = (await tx.keys(noun, { index: '_scope', is: scope })).filter((id) => !ids.has(id));
  if (keys.length === 0) return 0;
  const held = await tx.getMany(noun, keys);
  const absent = held.flatMap((row) => (row && (row._told ?? 0) <= answers ? [{ ...row, _missed: (row._missed ?? 0) + 1 }] : []));
  const isGone = ({ _missed }: { _missed: number }): boolean => absence === 'gone' || _missed >= missesToGo;
  await tx.removeMany(
    noun,
    absent.filter(isGone).map(({ id }) => id),
  );
  const left = absent.filter((row) => !isGone(row));
  await tx.putMany(noun, asRows(left));
  return left.length;
}

/**
 * An answer asked for before a newer row came must not take that row's place.
 * @param swept when the list was begun of which they are a page: also a row that stays as it is was in it.
 */
export async function putNewer(tx: RowsWriting, noun: RowNoun, scope: string, fresh: readonly ServerRow[], swept?: number): Promise<void> {
  const held: (ScopedRow | undefined)[] = await tx.getMany(
    noun,
    fresh.map((row) => row.id),
  );
  const gone = await goneIn(tx, noun, fresh);
  const mark = swept === undefined ? {} : { _swept: swept };
  const written = fresh.flatMap((row, index): ScopedRow[] => {
    const before = held[index];
    const isNewer = (before?.version ?? -1) <= (row.version ?? 0) && (gone.get(row.id) ?? -1) < (row.version ?? Infinity);
    if (isNewer) return [{ ...row, _scope: scope, ...mark }];
    if (!before || swept === undefined) return [];
    const { _missed: _before, ...kept } = before;
    return [{ ...kept, ...mark }];
  });
  await tx.putMany(noun, asRows(written));
}

/** What there is to plan by, as of one moment: the places there are, how each pull stands, and how far the feed is followed. */
export interface CopyStanding {
  clients: Client[];
  entities: Entity[];
  pulls: PullRow[];
  /** How many transactions are held of each scope. */
  held: ReadonlyMap<string, number>;
  /** Clients in whose columns there are, or were, transactions of entities that lie in another one by now. */
  left: string[];
  feed: FeedState | null;
}

export function copyStanding({ rows }: Replica): Promise<CopyStanding> {
  return rows.read(['clients', 'entities', 'pulls', 'counts', 'meta'], async (tx) => {
    const [pulls, entities, feed] = [await tx.list('pulls'), await tx.list('entities'), await feedStateIn(tx)];
    return {
      clients: await tx.list('clients'),
      entities,
      pulls,
      held: await countsIn(tx, columnNouns.transactions.noun, { entities, pulls }),
      left: await clientsLeft(tx, placesOf(entities, feed)),
      feed,
    };
  });
}

/** Where the pull of a noun for a scope stands, to be told with what is asked for now. */
export function standingOf({ rows }: Replica, scope: string, noun: string): Promise<Standing> {
  return rows.read(['pulls', 'meta'], (tx) => standingIn(tx, scope, noun));
}

/** Notes that a scope in no list is there still and may be read, so that it is not asked about for a while. What is held of it is as old as it was. */
export async function markThere({ rows }: Replica, scope: string, noun: string, now: number): Promise<void> {
  await rows.write(['pulls'], async (tx) => tx.put('pulls', { ...admitted(await pullIn(tx, scope, noun)), there_at: now }));
}

/** Makes everything due, or what concerns one scope and noun. */
export async function makeDue({ rows }: Replica, only?: { scope: string; noun: string }): Promise<void> {
  await rows.write(['pulls'], async (tx) => {
    const pulls = await tx.list('pulls', only ? { is: [only.scope, only.noun] } : {});
    await tx.putMany(
      'pulls',
      pulls.map((pull) => ({ ...pull, last_complete_at: null })),
    );
  });
}

/** Has all transactions of an entity in a stretch read with its next refreshes. What was never read of it is read as a whole. */
export async function wantStretch({ rows }: Replica, scope: string, span: WantedSpan): Promise<void> {
  await rows.write(['pulls'], async (tx) => {
    const pull = await tx.get('pulls', [scope, columnNouns.transactions.noun]);
    const isAsked = [span.from, span.to].every((moment) => !Number.isNaN(Date.parse(moment)));
    if (pull && isAsked) await tx.put('pulls', wanting(pull, [...(pull.wanted ?? []), span]));
  });
}

/** A stretch was read that was wanted. */
export async function hasStretch({ rows }: Replica, scope: string, { no }: WantedSpan): Promise<void> {
  await rows.write(['pulls'], async (tx) => {
    const pull = await tx.get('pulls', [scope, columnNouns.transactions.noun]);
    const left = pull?.wanted?.filter((span) => span.no !== no);
    if (pull && left) await tx.put('pulls', wanting(pull, left));
  });
}

/** A renewed session may see more: refused scopes are asked for again. */
export async function forgetDenials({ rows }: Replica): Promise<void> {
  await rows.write(['pulls'], async (tx) => {
    const denied = (await tx.list('pulls')).filter((pull) => pull.denied_at !== undefined);
    await tx.putMany(
      'pulls',
      denied.map((pull) => ({ ...admitted(pull), last_complete_at: null })),
    );
  });
}
