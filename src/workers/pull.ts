import { listTransactions } from '#contract/transactions.ts';
import { startOfPreviousMonth } from '#domain/dates.ts';
import { columnNouns } from '#replica/column-nouns.ts';
import { admitted, type KeysetCursor, type PullRow, type Span, type Standing, standingIn, startCursor, wanting } from '#replica/pulls.ts';
import { scopeKey } from '#replica/scopes.ts';
import { isLeftOutIn } from '#replica/left-out.ts';
import { ClosedSetError } from '#replica/set-errors.ts';
import { asideOf, keysetStep } from './paging.ts';
import type { PulledEntity, PullPorts } from './pull-ports.ts';
import { unlessRefused } from './refused.ts';
import { type AskedPage, askPage, beginning, changeBy, readToBy, type Stretch, type TransactionSet } from './transaction-pages.ts';

/** Pages of older rows read again in one round of the steady phase. */
const sweepPages = 3;
/** Pages of what is wanted that are read in one round: what somebody looks at is not to wait for all of it. */
const wantedPages = 20;
/** How often a first pull is begun anew for its pages ended where they could not. */
const mostCutOff = 3;
/**
 * Where the pull of an entity's transactions stands at this moment; what was planned may be out of date.
 * @throws ClosedSetError where its rows are another client's by now, or none are kept on this device.
 */
function standingOfEntity({ replica }: PullPorts, entity: PulledEntity): Promise<Standing> {
  return replica.rows.read(['pulls', 'meta', 'entities'], async (tx) => {
    const isHere = (await tx.get('entities', entity.id))?.client_id === entity.client_id;
    if (!isHere || (await isLeftOutIn(tx, entity.client_id))) throw new ClosedSetError();
    return standingIn(tx, scopeKey('entity', entity.id), columnNouns.transactions.noun);
  });
}

/** A page of a first pull, and where the pull stood when it was asked for. */
interface FirstPage extends AskedPage {
  askedAt: Standing;
}

/** The stretch of recent rows. Of a server that may read no more than the day of a moment it overlaps with the older ones. */
function recentStretch({ pageLimit }: PullPorts, from: string): Stretch {
  return { from: pageLimit === null ? asideOf(from, -1) : from };
}

/** The same of any stretch. */
function wholeStretch({ pageLimit }: PullPorts, { from, to }: Span): Required<Stretch> {
  return pageLimit === null ? { from: asideOf(from, -1), to: asideOf(to, 1) } : { from, to };
}

/** Asks for the page at which a first pull goes on. */
function askFirst(ports: PullPorts, entity: PulledEntity, { pull, ...asked }: Standing): FirstPage {
  // what was read first is as old as that, however long the rest takes: a laptop may sleep in between
  const { begun_at = ports.now(), recent_from, ...known } = pull;
  const recentFrom = recent_from ?? new Date(startOfPreviousMonth(ports.now())).toISOString();
  const stretch = pull.phase === 'recent' ? recentStretch(ports, recentFrom) : { from: beginning };
  const askedAt = { ...asked, pull: { ...known, begun_at, recent_from: recentFrom } };
  return { askedAt, ...askPage(ports, entity, stretch, pull.cursor) };
}

/** The same for the page behind one that is not written yet. @throws ClosedSetError where the entity is another client's by now. */
async function askNext(ports: PullPorts, entity: PulledEntity, standing: Standing): Promise<FirstPage> {
  await standingOfEntity(ports, entity);
  return askFirst(ports, entity, standing);
}

/** Where a pull stands that has read all from a moment on, and nothing older. */
function olderThan(recentFrom: string): Pick<PullRow, 'phase' | 'cursor' | 'complete_from'> {
  return { phase: 'older', cursor: { ...startCursor, end_date: recentFrom }, complete_from: Date.parse(recentFrom) };
}

/**
 * Where a first pull stands after a page.
 * @param readTo everything from there on was read, in UTC milliseconds; null where the page says nothing of that.
 */
function standingAfter({ pull }: Standing, next: KeysetCursor | null, readTo: number | null): PullRow {
  const held = admitted(pull);
  if (next) return { ...held, cursor: next, complete_from: readTo ?? held.complete_from };
  const { begun_at: begunAt = null, recent_from: recentFrom, cut_off: _past, ...read } = held;
  if (pull.phase === 'recent' && recentFrom !== null) return { ...held, ...olderThan(recentFrom) };
  return {
    ...read,
    recent_from: recentFrom,
    phase: 'steady',
    cursor: startCursor,
    complete_from: Date.parse(beginning),
    last_complete_at: begunAt,
  };
}

/** Where a first pull stands whose phase is begun anew. */
function begunAnew({ pull }: Standing): PullRow {
  const { phase, recent_from: recentFrom, cut_off: before = 0 } = pull;
  const begun = phase === 'recent' || recentFrom === null ? { cursor: startCursor } : olderThan(recentFrom);
  return { ...admitted(pull), ...begun, cut_off: before + 1 };
}

/**
 * Whether a page of a first pull ends it where it cannot end: it is asked for up to the moment of a row that was read, and has not even that
 * one. All of it may have gone out of sight meanwhile. A server that keeps on doing so leaves that moment out.
 */
function isCutOff({ pageLimit }: PullPorts, { cursor }: AskedPage, { pull }: Standing, page: { rows: number; isEnd: boolean }): boolean {
  return pageLimit === null && page.isEnd && page.rows === 0 && cursor.tail.length > 0 && (pull.cut_off ?? 0) < mostCutOff;
}

interface FirstPullWatch {
  /** Asked before each page. */
  goesOn: () => boolean;
  /** Told of each page that was written. */
  onPage: () => void;
}

/**
 * Goes on with the first pull of an entity, to the end of its phase at most. The rows of a page and the new standing are written together,
 * so a kill at any point loses neither. The page after it is asked for meanwhile: were the writing refused, because rows began anew since
 * it was asked for, that one is dropped with it. The set is taken before the standing is read: one that is dropped meanwhile takes
 * nothing more. Ends, too, where the server refuses the list.
 */
export async function pullFirst(ports: PullPorts, entity: PulledEntity, { goesOn, onPage }: FirstPullWatch): Promise<void> {
  const set = await ports.sets.transactions(entity.client_id);
  const begun = await standingOfEntity(ports, entity);
  let asked = begun.pull.phase !== 'steady' && goesOn() ? askFirst(ports, entity, begun) : null;
  while (asked) {
    const { askedAt, ...page }: FirstPage = asked;
    const question = { askedAt, right: listTransactions.permission };
    const read = await unlessRefused(ports, question, async () => {
      const { rows, places, isLast } = await page.answer;
      const step = keysetStep(page.cursor, places, isLast);
      const isAnew = isCutOff(ports, page, askedAt, { rows: places.length, isEnd: step.next === null });
      const after = isAnew ? begunAnew(askedAt) : standingAfter(askedAt, step.next, readToBy(places, step));
      const next = step.next && goesOn() ? await askNext(ports, entity, { ...askedAt, pull: after }) : null;
      return { after, next, change: await changeBy(ports, { set, entity }, page, { rows, places, step }) };
    });
    if (!read) return;
    await set.change(read.change, { askedAt, pull: read.after });
    onPage();
    asked = read.next;
  }
}

/** Reads all from a day to another, both included, of an entity, leaving the pull's own place as it is. */
export async function pullStretch(ports: PullPorts, entity: PulledEntity, span: Span): Promise<void> {
  const set = await ports.sets.transactions(entity.client_id);
  await readStretch(ports, { set, entity, askedAt: await standingOfEntity(ports, entity) }, wholeStretch(ports, span));
}

/** Whose rows are read, where they go, and how the pull stood before. */
interface Reading {
  set: TransactionSet;
  entity: PulledEntity;
  askedAt: Standing;
}

/** What was read of a stretch. */
interface ReadStretch {
  /** Where it goes on; null at its end. */
  goesOnAt: KeysetCursor | null;
  /** More of its rows were not held than were, and more than the longest page of it has. */
  isNews: boolean;
  /** More rows of it went than the longest page of it has: be it that they are gone, or that all of it is out of sight for a while. */
  isLoss: boolean;
}

/** Reads pages of a stretch, each written while the next one is asked for. */
async function readStretch(
  ports: PullPorts,
  { set, entity, askedAt }: Reading,
  stretch: Stretch,
  { from = startCursor, mostPages = Infinity } = {},
): Promise<ReadStretch> {
  let asked: AskedPage | null = askPage(ports, entity, stretch, from);
  let goesOnAt: KeysetCursor | null = null;
  const read = new Set<string>();
  let [unknown, longest, went] = [0, 0, 0];
  for (let pages = 1; asked; pages += 1) {
    const page: AskedPage = asked;
    const { rows, places, isLast } = await page.answer;
    const step = keysetStep(page.cursor, places, isLast);
    goesOnAt = step.next;
    asked = step.next && pages < mostPages ? askPage(ports, entity, stretch, step.next) : null;
    longest = Math.max(longest, rows.length);
    for (const { id } of rows) {
      if (!read.has(id) && !set.holds(id)) unknown += 1;
      read.add(id);
    }
    const change = await changeBy(ports, { set, entity }, page, { rows, places, step });
    went += change.removed.length;
    await set.change(change, { askedAt });
  }
  return { goesOnAt, isNews: unknown > longest && 2 * unknown > read.size, isLoss: went > longest };
}

/**
 * Reads some of what is wanted of an entity, and notes how far that is: a round that breaks off later loses nothing of it.
 * @returns where the pull stands then; null where the server refused.
 */
async function readWanted(ports: PullPorts, { set, entity, askedAt }: Reading): Promise<Standing | null> {
  const [first, ...others] = askedAt.pull.wanted ?? [];
  if (!first) return askedAt;
  const question = { askedAt, right: listTransactions.permission };
  const from = first.cursor ?? startCursor;
  const read = await unlessRefused(ports, question, () =>
    readStretch(ports, { set, entity, askedAt }, wholeStretch(ports, first), { from, mostPages: wantedPages }),
  );
  if (!read) return null;
  const left = read.goesOnAt ? [{ ...first, cursor: read.goesOnAt }, ...others] : others;
  const pull = wanting(askedAt.pull, left);
  await set.change({ rows: [], removed: [] }, { askedAt, pull });
  return { ...askedAt, pull };
}

/**
 * Keeps a pulled entity true: what is wanted of it, its recent stretch anew, from where it was read last, then a few pages of a round through
 * everything older. Where most of these were not held, the rest is hardly either, be it that much was imported, or that all of it was out of
 * sight for a while: that is a first pull.
 */
export async function refreshTransactions(ports: PullPorts, entity: PulledEntity): Promise<void> {
  const startedAt = ports.now();
  const set = await ports.sets.transactions(entity.client_id);
  const before = await standingOfEntity(ports, entity);
  const askedAt = before.pull.phase === 'steady' ? await readWanted(ports, { set, entity, askedAt: before }) : before;
  if (!askedAt) return;
  const { pull } = askedAt;
  if (pull.phase !== 'steady') return;
  const recentFrom = new Date(startOfPreviousMonth(startedAt)).toISOString();
  // on a device that was put by for months they are read, too
  const from = pull.recent_from !== null && pull.recent_from < recentFrom ? pull.recent_from : recentFrom;
  const question = { askedAt, right: listTransactions.permission };
  const older = await unlessRefused(ports, question, async () => {
    await readStretch(ports, { set, entity, askedAt }, recentStretch(ports, from));
    const stretch = { from: beginning, to: from };
    return readStretch(ports, { set, entity, askedAt }, stretch, { from: pull.cursor, mostPages: sweepPages });
  });
  if (!older) return;
  const known = { ...admitted(pull), recent_from: recentFrom };
  const anew = olderThan(from);
  // pages before these, if there are any, were read when it may have been out of sight
  const cursor = pull.cursor.tail.length === 0 ? older.goesOnAt : anew.cursor;
  const after: PullRow =
    older.isNews && cursor
      ? { ...known, ...anew, cursor, begun_at: startedAt }
      : { ...known, cursor: older.isLoss ? pull.cursor : (older.goesOnAt ?? startCursor), last_complete_at: startedAt };
  await set.change({ rows: [], removed: [] }, { askedAt, pull: after });
}
