import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { type CopyStanding, copyStanding } from '#replica/apply.ts';
import { Breaker } from './breaker.ts';
import type { Job } from './plan.ts';
import { planOf, pullJob, type Run } from './run.ts';
import { asksForQuiet } from './quiet.ts';
import { mayBeOfAllSince, mayBeOfThisAlone, notFetchedText, serverFaults } from './server-faults.ts';

/** Pulls on their way at once, and where data is to be saved. */
const pullsAtOnce = 4;
const pullsWhenSaving = 2;
/** Longest a scope is left alone after a fault, in milliseconds; a later moment was written by a clock since put right. */
const longestWaitMs = 15_000;
/** Failures that concern the server or the network as a whole; any other concerns the scope that met it, and the rest goes on. */
const endsRound: ReadonlySet<ErrorCode> = new Set([...serverFaults, 'client_too_old']);
/** So many failures in a row, of whatever lists, are the server's. */
const mostInARow = 8;

interface ScopeFault {
  fails: number;
  nextAt: number;
  problem: string;
}

/** What is known of a round that is under way. */
interface Round {
  /** Jobs that are being done, by their keys. */
  running: Map<string, Promise<void>>;
  done: Set<string>;
  /** What ends it. */
  fatal: unknown[];
  hasAnswers: boolean;
  failsInARow: number;
  /** Whether the server answers anything: it is being asked. */
  asking: Promise<boolean> | null;
}

/** What is done once a round. What was refreshed may be let go of in the same round, and is then read for the first time again in it. */
const workOf = ({ kind, key }: Job): string => `${kind} ${key}`;

/** What a round needs of the engine around it. */
export interface RoundPorts {
  now: () => number;
  /** How long to wait after so many failures, in milliseconds. */
  backoffMs: (fails: number) => number;
  /** The clients somebody looks at. */
  visible: () => readonly string[];
  isSignedOut: () => boolean;
  isSavingData: () => boolean;
  /** Sends what waits: edits made during a round do not wait for its end. */
  send: (run: Run, epoch: number) => Promise<unknown>;
  /** Applies what the server tells of, which does not wait for the end of a round either. */
  follow: (run: Run) => Promise<void>;
  /** Whether clients are to be let go of before more is read for the first time. */
  isOverBudget: (run: Run, standing: CopyStanding) => Promise<boolean>;
  onStart: () => void;
  onProgress: (run: Run, standing: CopyStanding) => void;
}

/** The list a job reads; null for one that reads none. */
function listOf(job: Job): string | null {
  if (job.kind === 'left') return null;
  return job.kind === 'stream' ? job.stream.noun : 'transactions';
}

/** Pulls, round after round, all that is due, each thing once a round; remembers which scopes the server cannot answer. */
export class PullRounds {
  readonly #ports: RoundPorts;
  readonly #faults = new Map<string, ScopeFault>();
  readonly #breaker = new Breaker();

  constructor(ports: RoundPorts) {
    this.#ports = ports;
  }

  /** Whether something that is to be read could not be. */
  get hasFaults(): boolean {
    return this.#faults.size > 0 || this.#breaker.isOpen;
  }

  /** What could not be read last and is still to be, in words; null where there is nothing. */
  get problem(): string | null {
    return (
      [...this.#faults.values()].at(-1)?.problem ?? (this.#breaker.isOpen ? 'Some of it could not be fetched. It is tried again.' : null)
    );
  }

  /** The server answered something. */
  heard(): void {
    this.#breaker.heard();
  }

  forgetFaults(): void {
    this.#faults.clear();
    this.#breaker.forget();
  }

  /**
   * One round. Throws the first failure that concerns the server or the network as a whole.
   * @returns how the copy stands then, and whether it stopped before more was read than is to be kept.
   */
  async all(run: Run, epoch: number): Promise<{ standing: CopyStanding; isWithin: boolean }> {
    const { now, isSignedOut, isSavingData, send, follow, onStart, onProgress, visible, isOverBudget } = this.#ports;
    const began = now();
    const round: Round = { running: new Map(), done: new Set(), fatal: [], hasAnswers: false, failsInARow: 0, asking: null };
    const { running, done, fatal } = round;
    let isWithin = true;
    let standing = await copyStanding(run.replica);
    const look = async (): Promise<void> => {
      standing = await copyStanding(run.replica);
      onProgress(run, standing);
    };
    try {
      while (fatal.length === 0 && run.isWriter && !run.abort.signal.aborted && !isSignedOut()) {
        const isMoved = run.hasEdits || run.isNudged;
        if (run.hasEdits) await send(run, epoch);
        if (run.isNudged) await follow(run);
        if (isMoved) await look();
        const isSaving = isSavingData();
        const plan = planOf(run, standing, { now: now(), visible: visible(), isSavingData: isSaving });
        const next = plan.find(
          (job) => !running.has(job.key) && !done.has(workOf(job)) && !this.#isFaulty(job.key, began) && this.#isAsked(listOf(job), began),
        );
        if (!next && running.size === 0) break;
        if (next && running.size < (isSaving ? pullsWhenSaving : pullsAtOnce)) {
          isWithin = next.kind !== 'first' || !(await isOverBudget(run, standing));
          if (!isWithin) break;
          onStart();
          running.set(next.key, this.#start(run, next, round));
          continue;
        }
        await Promise.race(running.values());
        await look();
      }
    } catch (error) {
      fatal.push(error);
    }
    // whatever ends a round, nothing of it is under way in the next: an older answer would be written over a newer one
    if (running.size > 0) {
      await Promise.all(running.values());
      await look();
    }
    this.#forgetUnwanted(planOf(run, standing, { now: now(), visible: visible(), isSavingData: isSavingData() }));
    if (fatal.length > 0) throw fatal[0];
    return { standing, isWithin };
  }

  async #start(run: Run, job: Job, round: Round): Promise<void> {
    const list = listOf(job);
    let isDone = true;
    if (list !== null) this.#breaker.ask(list);
    try {
      isDone = await pullJob(run, job, this.#ports.now);
      this.#faults.delete(job.key);
      if (list !== null) this.#answered(list, round);
    } catch (error) {
      await this.#failed(run, job, { error, round });
    } finally {
      round.running.delete(job.key);
      // what takes many pages goes on in turns; all else is done once a round
      if (isDone) round.done.add(workOf(job));
    }
  }

  #isAsked(list: string | null, at: number): boolean {
    return list === null || this.#breaker.isClosed(list, at);
  }

  #answered(list: string, round: Round): void {
    this.#breaker.answered(list);
    round.hasAnswers = true;
    round.failsInARow = 0;
  }

  /**
   * A job that was not answered. What may be the list's alone counts for that list, and ends the round only where the server answers nothing
   * else, or nothing any more.
   */
  async #failed(run: Run, job: Job, { error, round }: { error: unknown; round: Round }): Promise<void> {
    const list = listOf(job);
    const mayEnd = !(error instanceof ApiError) || endsRound.has(error.code);
    const isOfTheList = !mayEnd || mayBeOfThisAlone(error);
    if (list !== null && isOfTheList) this.#breaker.failed(list, this.#ports.now(), asksForQuiet(error) ? error.retryAfterMs : undefined);
    else if (list !== null) this.#breaker.released(list);
    round.failsInARow += 1;
    const mayGoOn = isOfTheList && round.failsInARow < mostInARow;
    if (!mayEnd || (mayGoOn && (await this.#isAnswering(run, round, mayBeOfAllSince(error))))) this.#noteFault(job, error);
    else round.fatal.push(error);
  }

  /** Whether the server answers: where nothing else was answered in a round, or that says nothing of now, it is asked. */
  async #isAnswering(run: Run, round: Round, isDoubtful: boolean): Promise<boolean> {
    if (round.hasAnswers && !isDoubtful) return true;
    round.asking ??= run
      .hear()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        round.asking = null;
      });
    if (!(await round.asking)) return false;
    round.hasAnswers = true;
    this.heard();
    return true;
  }

  /** A scope the server cannot answer waits, longer each time, and holds up nothing else. */
  #noteFault({ key }: Job, error: ApiError): void {
    const fails = (this.#faults.get(key)?.fails ?? 0) + 1;
    const problem = notFetchedText(error);
    // told is what failed last
    this.#faults.delete(key);
    this.#faults.set(key, { fails, nextAt: this.#ports.now() + this.#ports.backoffMs(fails), problem });
  }

  /** What is not to be read any more, for it is left out, or out of sight, is no fault. */
  #forgetUnwanted(plan: readonly Job[]): void {
    const wanted = new Set(plan.map(({ key }) => key));
    for (const key of this.#faults.keys()) if (!wanted.has(key)) this.#faults.delete(key);
    this.#breaker.keepOnly(new Set(plan.map(listOf)));
  }

  #isFaulty(key: string, now: number): boolean {
    const fault = this.#faults.get(key);
    return fault !== undefined && fault.nextAt > now && fault.nextAt - now <= longestWaitMs;
  }
}
