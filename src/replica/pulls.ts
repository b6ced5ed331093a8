import { generationIn } from './generation.ts';
import type { RowTables } from './row-tables.ts';
import { ClosedSetError } from './set-errors.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** A place in a list read newest first by its dates. */
export interface KeysetCursor {
  /** Rows up to and including this moment are still to be read; null reads from the newest. */
  end_date: string | null;
  /** So much later than `end_date` the server is asked up to, ms: asked up to the moment itself it left that out. */
  later?: number;
  /** How many rows at and before `end_date` were read already: only where one moment fills whole pages. */
  skip: number;
  /** Ids and dates of the rows last read, to know the fresh rows of a page and to see that pages join. */
  tail: string[];
  /** Rows of the longest page so far: what a server hands out at a time may be less than what was asked for. */
  longest?: number;
  /** The rows read so far of the moment at which the last page ended: only once it is read to its end are they all. */
  moment?: { at: number; ids: string[] };
}

export const startCursor: KeysetCursor = { end_date: null, skip: 0, tail: [] };

/** A place in a list that is read by skipping. */
export interface SkipCursor {
  skip: number;
  /** Prints of the rows last read, and of which lay between which, to see that pages join. */
  tail: string[];
  /** Print of the first page, and its length: a server that does not skip gives it again. */
  first?: { print: string; rows: number };
  /** Rows of the longest page so far. */
  longest: number;
  /** Pages one after another with nothing new in them. */
  idle: number;
  /** Pages one after another that did not join. */
  failures: number;
}

export const skipStart: SkipCursor = { skip: 0, tail: [], longest: 0, idle: 0, failures: 0 };

/** How far a list that takes several pages is read. What was read of it bears its beginning. */
export interface Sweep {
  /** When its first page was asked for, UTC milliseconds: what it says is as old as that. */
  begun_at: number;
  /** Where the pull stood then: what made the answers of that time void makes all of it void. */
  begun_in: { resets: number; generation: string | null; settled: number; answers?: number };
  /** Which of the questions that make up the list is asked, from 0. */
  at: number;
  cursor: SkipCursor;
  /** Of a list that is read by dates, where it goes on in place of `cursor`. */
  dated?: KeysetCursor;
  /** What it says so far of rows that are not in it. */
  absence: Absence;
  /** How many rows the server counted once there was a second page; null where it did not say, absent where it was not asked. */
  count?: number | null;
}

/** Whether what was read of a list is void: of another database, or of before all was begun anew. */
export function isVoid({ begun_in: begun }: Sweep, { resets, generation }: Pick<Standing, 'resets' | 'generation'>): boolean {
  return begun.resets !== resets || begun.generation !== generation;
}

/**
 * What a list says of rows that are not in it. `gone`: one answer held the whole set. `missed`: it was read in pages, which a row may
 * have slipped through. `nothing`: the answer may have been cut.
 */
export type Absence = 'gone' | 'missed' | 'nothing';

/** Lists one after another a row must be missing from before it is taken for gone, where one of them may lack a row that is there. */
export const missesToGo = 3;

/** What parts of a list say together. */
export function absenceOf(parts: readonly Absence[]): Absence {
  return parts.includes('nothing') ? 'nothing' : parts.includes('missed') ? 'missed' : 'gone';
}

/**
 * How far the pull of a scope has come: `recent` reads this month and the one before, what a person looks at first;
 * `older` everything before it; `steady` keeps what is held true.
 */
export type PullPhase = 'recent' | 'older' | 'steady';

/** A stretch of a list by its dates, both included, ISO. */
export interface Span {
  from: string;
  to: string;
}

/** A stretch that is to be read whole, be it long past: something was imported there. */
export interface WantedSpan extends Span {
  /** Tells it from others, be they equal, that are or were wanted of the pull: drawn at random. */
  no: number;
  /** Where it goes on; absent where nothing of it was read. */
  cursor?: KeysetCursor;
}

/** Where the pull of one noun for one scope stands. Written with the rows it speaks of, so it never claims more than is held. */
export interface PullRow {
  /** `user`, `client:<id>` or `entity:<id>`. */
  scope: string;
  noun: string;
  phase: PullPhase;
  /** Where the phase goes on; in the steady phase, where its round through the older rows goes on. */
  cursor: KeysetCursor;
  /** What is read with the next refreshes; absent where nothing is wanted. */
  wanted?: readonly WantedSpan[];
  /** Start of the recent stretch, ISO; fixed when the pull begins. */
  recent_from: string | null;
  /** When its first page was asked for, UTC milliseconds; absent once the first pull is over. */
  begun_at?: number;
  /** Everything from this moment on is held, in UTC milliseconds; null before the first page. */
  complete_from: number | null;
  /** Rows held of it, as older builds counted them. `counts` has them since. */
  rows?: number;
  /** When the reading began by which the scope was last read to its end (in the steady phase: its recent stretch), UTC milliseconds. */
  last_complete_at: number | null;
  /** When the server said last that a scope in no list is there still, UTC milliseconds. */
  there_at?: number;
  /** Edits settled in the scope so far: a list asked for before the latest of them is out of date. Absent is none. */
  settled?: number;
  /** How often the feed told of rows of the list so far: one answer that is the whole of it is out of date then, too. Absent is never. */
  told?: number;
  /** After how many answers of the feed its latest page was written. */
  read_after?: number;
  /** The server gave a part of the list alone, and no way to the rest. */
  is_cut?: true;
  /** Where a list that takes several pages goes on; absent where none is under way. */
  sweep?: Sweep;
  /** How often the pages of its first pull ended where they could not. */
  cut_off?: number;
  /** How often in a row the list had other rows than the server counted. */
  miscounts?: number;
  /** When the server refused the scope, UTC milliseconds: it is left alone for a while, or until the session is renewed. Absent where it answers. */
  denied_at?: number;
  /** The right to the list is gone by the server's own word, and what was held of it went: until it answers, nothing of it is written. */
  is_withheld?: true;
}

export function newPull(scope: string, noun: string): PullRow {
  return {
    scope,
    noun,
    phase: 'recent',
    cursor: startCursor,
    recent_from: null,
    complete_from: null,
    last_complete_at: null,
  };
}

/** A pull that is no longer refused. */
export function admitted(pull: PullRow): PullRow {
  const { denied_at: _denied, is_withheld: _withheld, ...known } = pull;
  return known;
}

/** Where a pull stands, to be told with what is asked for as of it. */
export interface Standing {
  pull: PullRow;
  /** How often pulls began anew: what was asked for before they last did says nothing of what is held since. */
  resets: number;
  /** Which database the rows held are of; null where nobody said. */
  generation: string | null;
  /** How many answers of the feed were applied. */
  answers: number;
}

/** What is written with the rows of an answer. */
export interface PullProgress {
  /** Where the pull stood when it was asked for. */
  askedAt: Pick<Standing, 'pull' | 'resets'>;
  /** Where it stands now; absent where that is as it was. */
  pull?: PullRow;
}

const resetsName = 'pull_resets';

async function resetsIn(tx: StoreReading<RowTables>): Promise<number> {
  return Number((await tx.get('meta', resetsName))?.value ?? 0);
}

/** Pulls begin anew: what is on its way was asked for in another state of affairs. */
export async function countReset(tx: StoreWriting<RowTables>): Promise<void> {
  await tx.put('meta', { k: resetsName, value: (await resetsIn(tx)) + 1 });
}

const purgesName = 'purges';

/** How often something was let go of for it may no longer be seen. Nothing says of what: that is gone to the last byte. */
export async function purgesIn(tx: StoreReading<RowTables>): Promise<number> {
  return Number((await tx.get('meta', purgesName))?.value ?? 0);
}

/** Something goes that may no longer be seen: whoever holds anything of it beside the copy is to let go of it, too. */
export async function countPurge(tx: StoreWriting<RowTables>): Promise<void> {
  await tx.put('meta', { k: purgesName, value: (await purgesIn(tx)) + 1 });
}

const answersName = 'feed_answers';

/** How many answers of the feed were applied, whatever they told, within a transaction over `meta`. */
export async function answersIn(tx: StoreReading<RowTables>): Promise<number> {
  return Number((await tx.get('meta', answersName))?.value ?? 0);
}

export async function countAnswer(tx: StoreWriting<RowTables>): Promise<void> {
  await tx.put('meta', { k: answersName, value: (await answersIn(tx)) + 1 });
}

/** The pull of a noun for a scope, within a transaction over `pulls`; a new one where it has not begun. */
export async function pullIn(tx: StoreReading<RowTables>, scope: string, noun: string): Promise<PullRow> {
  return (await tx.get('pulls', [scope, noun])) ?? newPull(scope, noun);
}

/** Where that pull stands, within a transaction over `pulls` and `meta`. */
export async function standingIn(tx: StoreReading<RowTables>, scope: string, noun: string): Promise<Standing> {
  const [resets, generation, answers] = [await resetsIn(tx), await generationIn(tx), await answersIn(tx)];
  return { pull: await pullIn(tx, scope, noun), resets, generation, answers };
}

/**
 * Writes how far a pull is. One that was made due since stays due, and what is wanted since stays wanted.
 * @throws ClosedSetError where pulls were reset since it was asked for: what was asked for before is not kept either, some of it may
 *   have been let go of for good.
 */
export async function putProgress(tx: StoreWriting<RowTables>, { askedAt, pull }: PullProgress): Promise<void> {
  if ((await resetsIn(tx)) !== askedAt.resets) throw new ClosedSetError();
  const read_after = await answersIn(tx);
  const held = await tx.get('pulls', [askedAt.pull.scope, askedAt.pull.noun]);
  if (!pull) {
    if (held && held.read_after !== read_after) await tx.put('pulls', { ...held, read_after });
    return;
  }
  const isMadeDue = held?.last_complete_at === null && askedAt.pull.last_complete_at !== null;
  await tx.put('pulls', {
    ...wanting(pull, wantedStill(held, askedAt.pull, pull)),
    read_after,
    ...(isMadeDue ? { last_complete_at: null } : {}),
  });
}

/** A pull of which some stretches are wanted. */
export function wanting({ wanted: _former, ...pull }: PullRow, wanted: readonly WantedSpan[]): PullRow {
  return wanted.length > 0 ? { ...pull, wanted } : pull;
}

/** What is wanted of a pull by now, that what was read since left: what was wanted meanwhile, or read by another worker, is not in that. */
function wantedStill(held: PullRow | undefined, before: PullRow, after: PullRow): WantedSpan[] {
  const numbers = ({ wanted = [] }: PullRow): Set<number> => new Set(wanted.map(({ no }) => no));
  const [asked, there] = [numbers(before), held ? numbers(held) : null];
  const news = (held?.wanted ?? []).filter(({ no }) => !asked.has(no));
  return [...(after.wanted ?? []).filter(({ no }) => there?.has(no) ?? true), ...news];
}

/** How the pulls of transactions stand, by the scope of their entity. */
export function transactionPulls(pulls: readonly PullRow[]): ReadonlyMap<string, PullRow> {
  return new Map(pulls.filter(({ noun }) => noun === 'transactions').map((pull) => [pull.scope, pull]));
}
