import { dropOlderCopies, engineLock, olderEpochs } from '#replica/open.ts';
import type { EnginePorts } from './ports.ts';
import type { Run } from './run.ts';

/**
 * For how long no other worker of the person is to be seen before copies of older builds go, in milliseconds: one that rests between two
 * terms does not wait for the lock meanwhile.
 */
const aloneMs = 60_000;

/**
 * The copies of a person that builds before this one filled, where an update began a new one. They go once no tab of such a build is open:
 * each has a worker, which holds the lock of the one that writes or waits for it. What fails here is done at the next start.
 */
export class OlderCopies {
  readonly #ports: Pick<EnginePorts, 'now' | 'countLock'>;
  readonly #run: Pick<Run, 'open' | 'session'>;
  #isDone = false;
  /** Whether there are any; null where nobody looked. */
  #areThere: boolean | null = null;
  #aloneSince: number | null = null;

  /** @param run of the worker that writes. */
  constructor(ports: Pick<EnginePorts, 'now' | 'countLock'>, run: Pick<Run, 'open' | 'session'>) {
    this.#ports = ports;
    this.#run = run;
  }

  /** Looks whether they may go, to be called now and then. It waits for none of them to be gone: that may take as long as somebody has one open. */
  async look(): Promise<void> {
    if (this.#isDone) return;
    try {
      this.#areThere ??= (await olderEpochs(this.#run.open)).length > 0;
      this.#isDone = !this.#areThere || (await this.#isAlone());
    } catch {
      this.#isDone = true;
      return;
    }
    if (this.#areThere && this.#isDone) void dropOlderCopies(this.#run.open).catch(() => undefined);
  }

  /** Whether there was no other worker for a while. A clock that is put right makes that longer or shorter once, and loses nothing. */
  async #isAlone(): Promise<boolean> {
    const { now, countLock } = this.#ports;
    const others = (await countLock(engineLock(this.#run.session.userId))) - 1;
    this.#aloneSince = others > 0 ? null : (this.#aloneSince ?? now());
    return this.#aloneSince !== null && Math.abs(now() - this.#aloneSince) >= aloneMs;
  }
}
