import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { type CopyStanding, copyStanding } from '#replica/apply.ts';
import { Breaker } from './breaker.ts';
import type { Job } from './plan.ts';
import { planOf, pullJob, type Run } from './run.ts';
import { serverFaults } from './server-faults.ts';

/** Pulls on their way at once, and where data is to be saved. */
const pullsAtOnce = 4;
const pullsWhenSaving = 2;
/** Longest a scope is left alone after a fault, in milliseconds; a later moment was written by a clock since put right. */
const longestWaitMs = 15_000;
/** Failures that concern the server or the network as a whole; any other concerns the scope that met it, and the rest goes on. */
const endsRound: ReadonlySet<ErrorCode> = new Set([...serverFaults, 'client_too_old']);

interface ScopeFault {
  fails: number;
  nextAt: number;
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
  onFault: (problem: string) => void;
  onStart: () => void;
  onProgress: (run: Run, standing: CopyStanding) => void;
}

/** The list a job reads; one that reads none is answered by nobody. */
function listOf(job: Job): string {
  if (job.kind === 'left') return 'none';
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

  get hasFaults(): boolean {
    return this.#faults.size > 0;
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
    const running = new Map<string, Promise<void>>();
    const done = new Set<string>();
    const fatal: unknown[] = [];
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
          (job) =>
            !running.has(job.key) &&
            !done.has(workOf(job)) &&
            !this.#isFaulty(job.key, began) &&
            this.#breaker.isClosed(listOf(job), began),
        );
        if (!next && running.size === 0) break;
        if (next && running.size < (isSaving ? pullsWhenSaving : pullsAtOnce)) {
          isWithin = next.kind !== 'first' || !(await isOverBudget(run, standing));
          if (!isWithin) break;
          onStart();
          running.set(next.key, this.#start(run, next, { running, done, fatal }));
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
    if (fatal.length > 0) throw fatal[0];
    return { standing, isWithin };
  }

  async #start(run: Run, job: Job, round: { running: Map<string, Promise<void>>; done: Set<string>; fatal: unknown[] }): Promise<void> {
    const list = listOf(job);
    let isDone = true;
    this.#breaker.ask(list);
    try {
      isDone = await pullJob(run, job, this.#ports.now);
      this.#faults.delete(job.key);
      this.#breaker.answered(list);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'internal') this.#breaker.failed(list, this.#ports.now());
      else this.#breaker.released(list);
      if (!(error instanceof ApiError) || endsRound.has(error.code)) round.fatal.push(error);
      else this.#noteFault(job, error);
    } finally {
      round.running.delete(job.key);
      // what takes many pages goes on in turns; all else is done once a round
      if (isDone) round.done.add(workOf(job));
    }
  }

  /** A scope the server cannot answer waits, longer each time, and holds up nothing else. */
  #noteFault(job: Job, error: ApiError): void {
    const fails = (this.#faults.get(job.key)?.fails ?? 0) + 1;
    this.#faults.set(job.key, { fails, nextAt: this.#ports.now() + this.#ports.backoffMs(fails) });
    this.#ports.onFault(`Some of it could not be fetched: ${error.message}. It is tried again.`);
  }

  #isFaulty(key: string, now: number): boolean {
    const fault = this.#faults.get(key);
    return fault !== undefined && fault.nextAt > now && fault.nextAt - now <= longestWaitMs;
  }
}
