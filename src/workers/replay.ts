import { ApiError } from '#contract/errors.ts';
import { touchedTransactions } from '#contract/mutations.ts';
import type { Replica } from '#replica/open.ts';
import { fileOf } from '#replica/edit-files.ts';
import { ackedMutations, type Attempted, beginSending, type Outcome, retire, takeTurn } from '#replica/sending.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { attempt } from './attempt.ts';
import type { AttemptPorts } from './attempt-outcome.ts';
import { isOfThisAlone } from './server-faults.ts';

/** Lanes that may be on their way at once: as many connections as a browser opens to a server that speaks no HTTP/2. */
const lanesAtOnce = 6;
/** Accepted edits whose rows are read back by one call: the ids of so many fit into an address. */
const settledAtOnce = 50;
/** Accepted edits that are asked about alone, and of which none is answered, before the others are left for later. */
const mostUnanswered = 8;

export interface ReplayPorts extends AttemptPorts {
  replica: Replica;
  /** The writer's term; a stale one stops the replay at its next write. */
  epoch: number;
  /**
   * Brings the replica what the server made of accepted edits; only then are they taken out.
   * @param fresh ids of edits that had their effect since this sending began.
   */
  settle: (edits: readonly OutboxRow[], fresh: ReadonlySet<string>) => Promise<void>;
  /** Aborted when the work ends: nothing more is sent then. */
  signal: AbortSignal;
  /** Whether the server asked to be left alone: nothing more is sent then either. */
  isQuiet: () => boolean;
}

/** Of accepted edits those whose effect the replica now holds, and why that of others could not be read, where any is left. */
interface ReadBack {
  settled: readonly OutboxRow[];
  fault: ApiError | null;
}

interface ReadingBack {
  /** Ids of edits that had their effect since this sending began. */
  fresh: ReadonlySet<string>;
  /** Whether each is asked about alone where they are not answered together. */
  asksEach: boolean;
}

async function readBack(ports: ReplayPorts, edits: readonly OutboxRow[], { fresh, asksEach }: ReadingBack): Promise<ReadBack> {
  try {
    await ports.settle(edits, fresh);
    return { settled: edits, fault: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isUnseen = error.isSaid && (error.code === 'permission_denied' || error.code === 'not_found');
    // rows that may no longer be seen will never come back, so that one is done
    if (edits.length === 1 && isUnseen) return { settled: edits, fault: null };
    // accepted, but its effect could not be read back yet: it stays in the view and is settled on a later round
    if (edits.length === 1 || !asksEach || !isOfThisAlone(error)) return { settled: [], fault: error };
    return readBackEach(ports, edits, fresh);
  }
}

/** The same in their order, begun anywhere: what is never answered is not always asked about before all others. */
function turned<Edit>(edits: readonly Edit[], random: () => number): Edit[] {
  const from = Math.floor(random() * edits.length);
  return [...edits.slice(from), ...edits.slice(0, from)];
}

/** Which of them it is that cannot be read back, each alone tells. */
async function readBackEach(ports: ReplayPorts, edits: readonly OutboxRow[], fresh: ReadonlySet<string>): Promise<ReadBack> {
  const settled: OutboxRow[] = [];
  let [fault, faults]: [ApiError | null, number] = [null, 0];
  for (const edit of turned(edits, ports.random)) {
    const alone = await readBack(ports, [edit], { fresh, asksEach: false });
    settled.push(...alone.settled);
    if (!alone.fault) continue;
    [fault, faults] = [alone.fault, faults + 1];
    if (!isOfThisAlone(fault) || (settled.length === 0 && faults >= mostUnanswered)) break;
  }
  return { settled, fault };
}

/** Groups of so many, each in its own order. */
function groupsOf(all: readonly OutboxRow[], random: () => number): OutboxRow[][] {
  const anywhere = turned(all, random);
  const groups: OutboxRow[][] = [];
  for (let at = 0; at < anywhere.length; at += settledAtOnce)
    groups.push(anywhere.slice(at, at + settledAtOnce).sort((one, other) => one.seq - other.seq));
  return groups;
}

/** Those of some edits before which none of others touched the same row: laid over it, that one would hide what they left. */
function upToDate(edits: readonly OutboxRow[], others: readonly OutboxRow[]): OutboxRow[] {
  const firstOf = new Map<string, number>();
  for (const other of others)
    for (const id of touchedTransactions(other)) firstOf.set(id, Math.min(firstOf.get(id) ?? Infinity, other.seq));
  return edits.filter((edit) => touchedTransactions(edit).every((id) => edit.seq < (firstOf.get(id) ?? Infinity)));
}

/** Takes out the accepted edits whose effect the replica holds. @returns why others stay, where any does. */
async function settleAcked(ports: ReplayPorts, fresh: ReadonlySet<string>): Promise<ApiError | null> {
  const { outbox } = ports.replica;
  let fault: ApiError | null = null;
  const acked = await ackedMutations(outbox);
  const asksFor = (edit: OutboxRow): boolean => touchedTransactions(edit).length > 0;
  let unread = acked.filter(asksFor);
  // what needs no answer does not wait for that of others
  const groups = [acked.filter((edit) => !asksFor(edit)), ...groupsOf(unread, ports.random)];
  let held: OutboxRow[] = [];
  let asksEach = true;
  for (const group of groups) {
    const read = await readBack(ports, group, { fresh, asksEach });
    fault ??= read.fault;
    // a server that answers for none of so many has something else
    asksEach &&= read.fault === null || read.settled.length > 0;
    const settled = new Set(read.settled);
    unread = unread.filter((edit) => !settled.has(edit));
    held.push(...settled);
    const done = new Set(upToDate(held, unread));
    held = held.filter((edit) => !done.has(edit));
    await retire(outbox, ports.epoch, [...done], ports.now());
  }
  return fault;
}

/** One sending of all that can be sent. */
class Sending {
  isSignedOut = false;
  isDenied = false;
  /** Why accepted edits could not be read back last; null where all were. */
  notReadBack: ApiError | null = null;
  readonly #ports: ReplayPorts;
  readonly #underway = new Set<Promise<void>>();
  readonly #faults: unknown[] = [];
  /** Edits that had their effect since this began. */
  readonly #fresh = new Set<string>();
  /** Attempts that are over and not written: those that end while one is written are written together. */
  readonly #attempted: Attempted[] = [];
  #onTheirWay = 0;
  #isSettling = false;
  /** There may be accepted edits to read back: what an earlier sending could not is tried again. */
  #hasAccepted = true;
  /** Something ended since the last turn, or there was none. */
  #hasNews = true;

  constructor(ports: ReplayPorts) {
    this.#ports = ports;
  }

  /** Resolves when nothing is under way and nothing more can be sent now. */
  async run(): Promise<void> {
    for (;;) {
      if (this.#hasNews && this.#faults.length === 0) {
        this.#hasNews = false;
        await this.#turn().catch((error: unknown) => void this.#faults.push(error));
      } else if (this.#underway.size > 0) await Promise.race(this.#underway);
      else break;
    }
    if (this.#faults.length === 0) return;
    await this.#keepOutcomes();
    throw this.#faults[0];
  }

  /** Notes what attempts came to that no turn wrote; one by one, as one of them may be the fault. What cannot be written is sent again. */
  async #keepOutcomes(): Promise<void> {
    const { replica, epoch, now } = this.#ports;
    for (const each of this.#attempted)
      await takeTurn(replica.outbox, epoch, { attempted: [each], now: now(), most: 0 }).catch(() => undefined);
  }

  async #turn(): Promise<void> {
    const { replica, epoch, now, signal, isQuiet } = this.#ports;
    const attempted = [...this.#attempted];
    const isEnding = this.isSignedOut || signal.aborted || isQuiet();
    const most = isEnding ? 0 : lanesAtOnce - this.#onTheirWay;
    const taken = await takeTurn(replica.outbox, epoch, { attempted, now: now(), most });
    // what ended meanwhile is written with the next
    this.#attempted.splice(0, attempted.length);
    for (const edit of taken) this.#begin(this.#send(edit));
    const accepted = attempted.filter(({ outcome }) => outcome.event === 'accepted').length;
    this.#hasAccepted ||= accepted > 0;
    this.#hasNews ||= accepted < attempted.length;
    if (isEnding || !this.#hasAccepted || this.#isSettling) return;
    this.#hasAccepted = false;
    this.#begin(this.#settle());
  }

  #begin(work: Promise<void>): void {
    const begun = work
      .catch((error: unknown) => void this.#faults.push(error))
      .then(() => {
        this.#underway.delete(begun);
        this.#hasNews = true;
      });
    this.#underway.add(begun);
  }

  /** Where the file of an edit cannot be read any more the person decides about that one, and the others go on. */
  async #attempt(edit: OutboxRow): Promise<Outcome> {
    const unread = new ApiError({ code: 'invalid', detail: 'The file of this edit can no longer be read on this device' });
    const { outbox } = this.#ports.replica;
    // a database that the browser closed meanwhile is open again the second time
    const file = await fileOf(outbox, edit)
      .catch(() => fileOf(outbox, edit))
      .catch(() => null);
    const isLost = file === null || (file === undefined && edit.file !== undefined);
    return isLost ? { event: 'refuse', error: unread } : attempt(this.#ports, edit, file);
  }

  async #send(edit: OutboxRow): Promise<void> {
    this.#onTheirWay += 1;
    const outcome = await this.#attempt(edit);
    this.#onTheirWay -= 1;
    this.#attempted.push({ seq: edit.seq, outcome });
    // an attempt before it may have had the effect, and this one only the answer
    if (outcome.event === 'accepted' && edit.may_have_arrived !== true) this.#fresh.add(edit.id);
    this.isSignedOut ||= outcome.event === 'not_authenticated';
    this.isDenied ||= outcome.event === 'permission_denied';
  }

  async #settle(): Promise<void> {
    this.#isSettling = true;
    this.notReadBack = await settleAcked(this.#ports, this.#fresh).finally(() => {
      this.#isSettling = false;
    });
  }
}

/**
 * Sends what waits in the outbox, each lane in order and some lanes at once, until nothing more can be sent now; what was accepted is
 * read back meanwhile. Every attempt of an edit carries the same key, so one whose answer was lost is sent again and has its effect once.
 * @returns whether the server wants a sign-in, whether it refused any of it for want of a right, and why accepted edits stay.
 */
export async function replay(ports: ReplayPorts): Promise<Pick<Sending, 'isSignedOut' | 'isDenied' | 'notReadBack'>> {
  // this writer is the only one and sends nothing at this moment: what still says so lost its outcome
  await beginSending(ports.replica.outbox, ports.epoch, ports.build);
  const sending = new Sending(ports);
  await sending.run();
  return sending;
}
