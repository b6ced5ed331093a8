import { copyStanding } from '#replica/apply.ts';
import { isNoRoom, keepBallast, withReserve } from '#replica/ballast.ts';
import { countOlderSets } from '#replica/counts.ts';
import { startRowsTerm, termIn } from '#replica/fence.ts';
import { readLastSync } from '#replica/kept.ts';
import { followChoice } from '#replica/left-out.ts';
import { engineLock } from '#replica/open.ts';
import { resumeNow, StaleWriterError, startTerm } from '#replica/sending.ts';
import { readUnreadAgain } from '#replica/unread-rows.ts';
import { setRevisions } from '#replica/watch.ts';
import { Keeping } from './keeping.ts';
import { OlderCopies } from './older-copies.ts';
import type { EnginePorts } from './ports.ts';
import { backoffMs, noRoomText, restMs, Rounds } from './rounds.ts';
import { progressOf, type Run } from './run.ts';
import type { Wish } from './siblings.ts';
import type { StatusBoard } from './status-board.ts';

/** Why a rest ends, made once: without one each waking makes an error with its trace. */
const awake = 'There may be something to do';

const noLocksText =
  'Nothing is sent or brought up to date here: this browser cannot keep two tabs from writing at once, as over plain http. Your edits are kept. Open the app by https, or in a newer browser';

/** The one that sends and pulls: of all workers of this browser only the one whose term it is, round after round. */
export class Writer {
  readonly #ports: EnginePorts;
  readonly #board: StatusBoard;
  readonly #keeping: Keeping;
  readonly #rounds: Rounds;
  #wake = new AbortController();

  /** @param visible the clients somebody looks at. */
  constructor(ports: EnginePorts, board: StatusBoard, visible: () => readonly string[]) {
    this.#ports = ports;
    this.#board = board;
    this.#keeping = new Keeping(ports, board, visible);
    this.#rounds = new Rounds(ports, board, this.#keeping, visible);
  }

  /** There may be something to do: the rest ends. */
  wake(): void {
    this.#wake.abort(awake);
  }

  /** What failed before is tried at once. */
  forgetFaults(): void {
    this.#rounds.forgetFaults();
  }

  /** Resolves after a whole round that begins from now on, however it ends. */
  nextRound(run: Run): Promise<void> {
    return this.#nextTurn(run, 'round', () => this.#rounds.nextRound());
  }

  /** Resolves when what waits was tried to be sent. */
  nextSend(run: Run): Promise<void> {
    return this.#nextTurn(run, 'send', () => this.#rounds.nextSend());
  }

  /** Works for as long as the run lasts: a term that ends by a fault, or because another worker took over, is followed by the next. */
  async work(run: Run): Promise<void> {
    const { signal } = run.abort;
    for (let fails = 1; !signal.aborted; fails += 1) {
      try {
        await this.#term(run, () => {
          fails = 0;
        });
      } catch (error) {
        if (!signal.aborted && !(error instanceof StaleWriterError)) {
          const problem = isNoRoom(error) ? noRoomText : `${String(error)}. It is tried again; nothing is lost.`;
          this.#board.publish({ phase: 'stopped', problem });
          await this.#ports.pause(backoffMs(fails, this.#ports.random), signal);
        }
      } finally {
        run.nudges.close();
        // its term stays: what of it is still under way is refused once another one's has begun
        run.isWriter = false;
        this.#rounds.end();
      }
    }
  }

  /** Waits until no other worker writes, and then is the one that does. @param onRound told of every round that was gone through. */
  async #term(run: Run, onRound: () => void): Promise<void> {
    const { signal } = run.abort;
    const { withLock } = this.#ports;
    run.followRows();
    const lastSyncAt = await readLastSync(run.replica);
    const entities = progressOf(run, await copyStanding(run.replica));
    if (!withLock) {
      this.#board.publish({ phase: 'stopped', problem: noLocksText, last_sync_at: lastSyncAt, entities });
      return this.#ports.pause(restMs, signal);
    }
    // a server that is too new stays so until it says otherwise
    const phase = this.#board.phase === 'outdated' ? 'outdated' : 'waiting';
    this.#board.publish({ phase, last_sync_at: lastSyncAt, entities });
    run.siblings.ask();
    const taken = new AbortController();
    let work: Promise<void> = Promise.resolve();
    try {
      await withLock(engineLock(run.session.userId), signal, () => {
        work = this.#write(run, { taken: taken.signal, onRound });
        return work;
      });
    } finally {
      // a browser that takes the lock away ends the request for it, not what was begun under it: that ends before another term begins,
      // for no fence keeps two terms of one worker apart
      taken.abort();
      this.wake();
      run.isWriter = false;
      if (!signal.aborted) run.followRows();
      await work.catch(() => undefined);
    }
    // a worker of another build may be taken: where one waits, it writes by now
    if (this.#board.phase !== 'outdated' || signal.aborted) return;
    this.#wake = new AbortController();
    await this.#ports.pause(restMs, this.#wake.signal);
  }

  /** What the one that writes does, round after round, until its term is over. */
  async #write(run: Run, { taken, onRound }: { taken: AbortSignal; onRound: () => void }): Promise<void> {
    const { signal } = run.abort;
    if (signal.aborted) return;
    const epoch = await this.#begin(run);
    // another worker may have written up to this moment; told at once, for the term may end here, and what was read is no news later
    await run.sets.catchUp(await setRevisions(run.replica.rows), (key) => run.queries.changed(key));
    if (taken.aborted) return;
    run.isWriter = true;
    run.siblings.endWishes();
    await keepBallast(run.replica.outbox, this.#ports.ballast);
    // from here on every row is written here: its own pages are no news
    run.stopRows();
    // what was found damaged may be dropped now
    run.queries.changed(null);
    const choice = await followChoice(run.replica, () => this.wake());
    const older = new OlderCopies(this.#ports, run);
    try {
      while (!signal.aborted && !taken.aborted && run.term === epoch) {
        this.#wake = new AbortController();
        const waitMs = await this.#rounds.round(run, epoch, choice);
        onRound();
        await this.#tidy(run);
        await older.look();
        if (this.#board.phase === 'outdated') return;
        if (!signal.aborted && !taken.aborted) await this.#ports.pause(waitMs, this.#wake.signal);
      }
    } finally {
      choice.close();
    }
  }

  /** Begins a term. @returns its number. */
  async #begin(run: Run): Promise<number> {
    try {
      // an outbox that is a new one, where the former was lost alone, begins behind the copy's writers
      const copyTerm = await termIn(run.open.rows);
      const epoch = await withReserve(run.open.outbox, () => startTerm(run.open.outbox, copyTerm));
      run.term = epoch;
      await withReserve(run.open.outbox, () => startRowsTerm(run.open.rows, epoch));
      await readUnreadAgain(run.replica, run.build);
      await countOlderSets(run.replica);
      return epoch;
    } catch (error) {
      // nobody else writes now
      if (isNoRoom(error)) await this.#keeping.makeRoom(run, run.open);
      throw error;
    }
  }

  /** While nothing is to be done what waits unsorted is sorted. Nobody waits for that, and a round that went well is not undone by it. */
  async #tidy(run: Run): Promise<void> {
    try {
      await run.sets.rest(() => !run.abort.signal.aborted && !this.#wake.signal.aborted);
    } catch (error) {
      if (error instanceof StaleWriterError) throw error;
      this.#board.noteProblem(error);
    }
  }

  /** Waits for the next turn of something only the writer does, be it another worker. */
  async #nextTurn(run: Run, wish: Wish, next: () => Promise<void>): Promise<void> {
    await resumeNow(run.replica.outbox);
    if (run.abort.signal.aborted) return;
    // be it that it rests before its next term
    if (!run.isWriter) this.wake();
    // it may come to write itself meanwhile
    if (!run.isWriter && ((await run.siblings.wish(wish)) || !run.isWriter)) return;
    const turn = next();
    run.hasEdits = true;
    this.wake();
    await turn;
  }
}
