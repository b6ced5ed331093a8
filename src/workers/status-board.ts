import type { EngineStatus } from './start.ts';

export const stopped: EngineStatus = {
  phase: 'stopped',
  problem: null,
  last_sync_at: null,
  entities: [],
  perm_version: null,
  denied_at: null,
  signed_out_of: null,
  lost: null,
};

/** Calls into a page that may be gone: its answer is not waited for, its fault concerns nobody. */
export function tell<T>(listener: (value: T) => void, value: T): void {
  void Promise.resolve()
    .then(() => listener(value))
    .catch(() => undefined);
}

/** Where the engine stands, for every page that wants to know. */
export class StatusBoard {
  /** What went wrong last, to be told with the next standing that says nothing better; null when nothing did. */
  problem: string | null = null;
  /** The sign-in that was last told of. */
  signInId: string | null = null;
  readonly #listeners = new Map<string, (status: EngineStatus) => void>();
  #status: EngineStatus = stopped;

  get status(): EngineStatus {
    return this.#status;
  }

  get isSignedOut(): boolean {
    return this.#status.phase === 'signed_out';
  }

  get phase(): EngineStatus['phase'] {
    return this.#status.phase;
  }

  get permVersion(): number | null {
    return this.#status.perm_version;
  }

  watch(id: string, onStatus: (status: EngineStatus) => void): void {
    this.#listeners.set(id, onStatus);
    tell(onStatus, this.#status);
  }

  unwatch(id: string): void {
    this.#listeners.delete(id);
  }

  /** What is not said stays as it was. */
  publish(change: Partial<EngineStatus>): void {
    const end = change.phase === 'signed_out' ? { signed_out_of: this.signInId } : {};
    // who tells what another worker said tells of which sign-in that was, too
    this.#status = { ...this.#status, ...end, ...change };
    for (const listener of this.#listeners.values()) tell(listener, this.#status);
  }

  /** Something went wrong that nobody waited for. */
  noteProblem(error: unknown): void {
    this.problem = error instanceof Error ? error.message : String(error);
    this.publish({ problem: this.problem });
  }
}
