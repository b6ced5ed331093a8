import { ApiError } from '#contract/errors.ts';
import { type CopyStanding, copyStanding, forgetDenials, makeDue } from '#replica/apply.ts';
import { isNoRoom, noRoomError } from '#replica/ballast.ts';
import { dropUnseenDrafts } from '#replica/drafts.ts';
import { feedStateOf } from '#replica/feed-state.ts';
import { writeLastSync } from '#replica/kept.ts';
import type { LeftOutChoice } from '#replica/left-out.ts';
import { pendingMutations } from '#replica/outbox.ts';
import { tryPaused } from '#replica/paused-edits.ts';
import { canGoOn, resumeNow, resumeSignedIn, resumeUnanswered, StaleWriterError } from '#replica/sending.ts';
import { DamagedSetError } from '#replica/set-errors.ts';
import { isUnaccepted } from '#replica/unsent.ts';
import { DoubtedRights } from './doubted-rights.ts';
import type { Feed } from './feed.ts';
import type { Keeping } from './keeping.ts';
import type { EnginePorts } from './ports.ts';
import { PullRounds } from './pull-rounds.ts';
import { readBackAccepted, settleEdits } from './read-back.ts';
import { replay, type ReplayPorts } from './replay.ts';
import { isUnread, planOf, progressOf, type Run } from './run.ts';
import { asNoAnswer, cutText, isOfThisAlone, mayBeOfThisAlone, notFetchedText, toldOf } from './server-faults.ts';
import type { StatusBoard } from './status-board.ts';

/** How often all is read that is due before the copy rests: of a row that may have slipped through its list three readings tell whether it is gone. */
const mostReadings = 4;
/** Longest rest between two looks for something to do. */
export const restMs = 15_000;
/** The same while the server tells when there is something to read: a nudge may be lost. */
const toldRestMs = 30_000;
const longestWaitMs = 15_000;
/** How long what edits left is not read back again after it could not be, in milliseconds: all lists are read again with it. */
const readBackRestMs = 300_000;
/** How long the disk is given to free what was let go of, in milliseconds. */
const roomRestMs = 3_000;

export const noRoomText =
  'This device has no room left: what changes at the server is not kept here. Your edits are. Free some space on the disk, or leave out clients in Settings';

const savedText =
  'This browser saves data: what nobody looks at, and what is older than last month, is read once you open it, or data need not be saved any more.';

const quietText = 'The server asked to wait. It is asked again by itself once it may be; nothing is lost.';

/** How long to wait after so many faults one after another, in milliseconds. */
export function backoffMs(fails: number, random: () => number): number {
  return Math.round((0.5 + random() / 2) * Math.min(longestWaitMs, 1000 * 2 ** Math.min(fails, 6)));
}

/** What the one that writes does: it sends and pulls what is due, round after round. */
export class Rounds {
  readonly #ports: EnginePorts;
  readonly #board: StatusBoard;
  readonly #keeping: Keeping;
  readonly #visible: () => readonly string[];
  readonly #pulls: PullRounds;
  readonly #doubted: DoubtedRights;
  /** Who waits for a whole round, and who for a sending, that begins after they asked. */
  readonly #afterRound: (() => void)[] = [];
  readonly #afterSend: (() => void)[] = [];
  #fails = 0;
  /** Rounds one after another that left something unread which was made due meanwhile. */
  #roundsLeft = 0;
  /** When what edits left could not be read back last, and what is told of it; null where it could. */
  #notReadBack: { at: number; problem: string } | null = null;
  /** What is told of accepted edits that could not be read back; null where all were. */
  #notSettled: string | null = null;
  /** Why what is told could not be followed last; null where it was. */
  #unfollowed: { error: unknown } | null = null;

  /** @param visible the clients somebody looks at. */
  constructor(ports: EnginePorts, board: StatusBoard, keeping: Keeping, visible: () => readonly string[]) {
    this.#ports = ports;
    this.#board = board;
    this.#keeping = keeping;
    this.#visible = visible;
    this.#doubted = new DoubtedRights(board, ports.now);
    this.#pulls = new PullRounds({
      now: ports.now,
      backoffMs: (fails) => backoffMs(fails, ports.random),
      visible,
      isSignedOut: () => board.isSignedOut,
      isSavingData: ports.isSavingData,
      send: (run, epoch) => this.#send(run, epoch),
      follow: (run) => this.#followMeanwhile(run),
      isOverBudget: (run, standing) => keeping.isOverBudget(run, standing),
      onStart: () => {
        // an app that is too old is until a round has gone well
        if (board.phase !== 'syncing' && board.phase !== 'outdated') board.publish({ phase: 'syncing', problem: null });
      },
      onProgress: (run, standing) => board.publish({ entities: progressOf(run, standing) }),
    });
  }

  /** What failed before is tried at once. */
  forgetFaults(): void {
    this.#fails = 0;
    this.#notReadBack = null;
    this.#pulls.forgetFaults();
  }

  /** Resolves after a whole round that begins from now on, however it ends. */
  nextRound(): Promise<void> {
    return new Promise((resolve) => void this.#afterRound.push(resolve));
  }

  /** Resolves when what waits was tried to be sent. */
  nextSend(): Promise<void> {
    return new Promise((resolve) => void this.#afterSend.push(resolve));
  }

  /** There is no next one for now: nobody waits for it any more. */
  end(): void {
    for (const resolve of [...this.#afterRound.splice(0), ...this.#afterSend.splice(0)]) resolve();
  }

  /** One round, with what must happen around it however it ends. @returns how long to rest, in milliseconds. */
  async round(run: Run, epoch: number, choice: LeftOutChoice): Promise<number> {
    this.#doubted.nextRound();
    const waiting = this.#afterRound.splice(0);
    const toSend = [...this.#afterSend];
    try {
      // what an earlier round, or term, was cut short of
      await dropUnseenDrafts(run.replica);
      await this.#keeping.follow(run, choice);
      // at the start of a round nothing is on its way that could write over this; a feed says by itself what there is to read
      if (waiting.length > 0 && run.feed.pageLimit === null) await makeDue(run.replica);
      return await this.#cycle(run, epoch);
    } catch (error) {
      if (error instanceof StaleWriterError) throw error;
      return run.abort.signal.aborted ? 0 : this.#failed(run, error);
    } finally {
      // nobody waits for what could not be tried in this round
      const left = this.#afterSend.splice(0).filter((resolve) => !toSend.includes(resolve));
      this.#afterSend.push(...left);
      for (const resolve of [...waiting, ...toSend]) resolve();
    }
  }

  /** Sends and pulls all that was due when it began. */
  async #cycle(run: Run, epoch: number): Promise<number> {
    if (this.#board.isSignedOut) return restMs;
    if (!this.#ports.isOnline()) {
      this.#board.publish({ phase: 'offline', problem: null });
      return restMs;
    }
    const { leftMs: quietMs } = run.quiet;
    if (quietMs > 0) {
      this.#board.publish({ phase: 'idle', problem: quietText });
      return quietMs;
    }
    if (run.isRenewed) {
      // whoever signed in may see more than before
      await forgetDenials(run.replica);
      run.feed.forget();
      run.rights.forget();
      run.isRenewed = false;
    }
    run.feed.beginRound();
    const before = run.answers;
    const fault = await this.#listen(run);
    // one of ours is told whose each request is
    if (run.feed.pageLimit === null) await run.rights.beTheirs();
    const hadEdits = await this.#send(run, epoch);
    // whatever else failed: until there is a session again nothing is asked
    if (this.#board.isSignedOut) return restMs;
    const waiting = await pendingMutations(run.replica.outbox);
    void run.report.tell(waiting.filter(isUnaccepted).length);
    // nor does any list, unless nothing can be asked: what is due is read, though what changed is told later
    if (fault && !fault.isOfTheFeed) throw fault.error;
    await this.#readBackAccepted(run);
    // what was told, and may take much away, is applied, and the edits are sent, all the same
    if (!(await this.#keeping.hasRoom(run))) throw noRoomError();
    const { standing, isWithin, isLeft } = await this.#pullAll(run, epoch);
    const hasFitted = await this.#keeping.fit(run, standing);
    // there is a network: all else was answered
    const missed = fault ?? this.#unfollowed;
    if (missed) throw missed.error instanceof ApiError ? asNoAnswer(missed.error) : missed.error;
    if (hasFitted || !isWithin) return 0;
    // no answer came, for nothing was due or nothing got through: the server is asked, so that "synced" is never a guess
    if (run.answers === before) await run.hear();
    // it answers: what waits for time because it did not is tried at once
    if (this.#fails > 0) await resumeNow(run.replica.outbox);
    const isMoreToSend = (hadEdits && (await resumeUnanswered(run.replica.outbox))) || this.#fails > 0;
    const hasSentMore = isMoreToSend && (await this.#send(run, epoch));
    this.#fails = 0;
    await this.#keeping.hadRoom(run);
    // signed out meanwhile, by the sending, or no longer the one that writes
    if (this.#board.isSignedOut || run.abort.signal.aborted || !run.isWriter) return restMs;
    // what these edits left is read before anything is called synced
    if (hasSentMore && !this.#pulls.hasFaults && this.#isUnread(run, await copyStanding(run.replica))) return this.#restBeforeMore();
    return this.#tell(run, standing, { hadEdits, isLeft });
  }

  /**
   * What others changed comes first, that edits are compared with it; and where no answer comes nothing is sent of which nobody would know
   * whether it arrived. But edits wait for no feed that only cannot be followed.
   * @returns why it could not be, and whether all else is answered; null where it could.
   * @throws where the server does not answer at all.
   */
  async #listen(run: Run): Promise<{ error: unknown; isOfTheFeed: boolean } | null> {
    const before = run.answers;
    try {
      await this.#follow(run);
    } catch (error) {
      return { error, isOfTheFeed: await this.#isAlone(run, error) };
    }
    if (run.feed.pageLimit === null && (this.#fails > 0 || (await this.#isSendingUnheard(run, before)))) await run.hear();
    if (run.answers > before) this.#pulls.heard();
    return null;
  }

  /**
   * Pulls until what others made due meanwhile is here, too: nothing is called synced that lacks it.
   * @returns as one round does, and whether something is unread yet: it could not be read, or more was made due again and again.
   */
  async #pullAll(run: Run, epoch: number): Promise<Awaited<ReturnType<PullRounds['all']>> & { isLeft: boolean }> {
    for (let reading = 1; ; reading += 1) {
      const pulled = await this.#pulls.all(run, epoch);
      const isLeft = pulled.isWithin && this.#isUnread(run, pulled.standing);
      if (!isLeft || this.#pulls.hasFaults || reading === mostReadings) return { ...pulled, isLeft };
    }
  }

  #isUnread(run: Run, standing: CopyStanding): boolean {
    return isUnread(run, standing, { now: this.#ports.now(), visible: this.#visible(), isSavingData: this.#ports.isSavingData() });
  }

  /** Something is unread: it is read with the next round, soon, and later each time, for it may be made due again and again. */
  #restBeforeMore(): number {
    this.#roundsLeft += 1;
    return backoffMs(this.#roundsLeft, this.#ports.random);
  }

  /** Tells how things stand after a round that went through. @returns how long to rest, in milliseconds. */
  async #tell(run: Run, standing: CopyStanding, { hadEdits, isLeft }: { hadEdits: boolean; isLeft: boolean }): Promise<number> {
    // what could not be read is told as such, unless that was forgotten meanwhile
    if (isLeft && !this.#pulls.hasFaults) return this.#restBeforeMore();
    this.#roundsLeft = 0;
    const now = this.#ports.now();
    const entities = progressOf(run, standing);
    const isSavingData = this.#ports.isSavingData();
    const left = (isSaving: boolean): number => planOf(run, standing, { now, visible: this.#visible(), isSavingData: isSaving }).length;
    const savingText = isSavingData && left(false) > left(true) ? savedText : null;
    const notReadBack = this.#notReadBack?.problem ?? null;
    const problem =
      this.#pulls.problem ??
      notReadBack ??
      this.#notSettled ??
      this.#board.problem ??
      run.unreadable.text ??
      cutText(standing.pulls) ??
      savingText;
    // it answers this build, be it not everything
    await tryPaused(run.replica.outbox, this.#ports.build, now);
    if (this.#pulls.hasFaults || notReadBack !== null) {
      this.#board.publish({ phase: 'idle', problem, entities });
      return restMs;
    }
    await writeLastSync(run.replica, now);
    this.#board.publish({ phase: 'idle', problem, last_sync_at: now, entities });
    // what could not be sent or read yet is tried again soon, whoever tells of what is new
    const isAllDone = !hadEdits && left(isSavingData) === 0;
    return isAllDone && run.nudges.isListening ? toldRestMs : restMs;
  }

  /**
   * Whether the server only fails at what was asked, such as telling what changed: where somebody else may have said so it is asked
   * something else.
   * @throws ApiError where it does not answer that either.
   */
  async #isAlone(run: Run, error: unknown): Promise<boolean> {
    if (isOfThisAlone(error)) return true;
    if (!mayBeOfThisAlone(error)) return false;
    await run.hear();
    this.#pulls.heard();
    return true;
  }

  /** Follows what is told while lists are read: a feed that cannot be followed then is asked again with the next round. */
  async #followMeanwhile(run: Run): Promise<void> {
    try {
      await this.#follow(run);
    } catch (error) {
      if (!(await this.#isAlone(run, error))) throw error;
      this.#unfollowed = { error };
    }
  }

  /** What the server makes of changes; where it cannot say so alone, what it said last. */
  async #takes(run: Run): ReturnType<Feed['takes']> {
    try {
      return await run.feed.takes();
    } catch (error) {
      if (!(await this.#isAlone(run, error))) throw error;
      return run.feed.tookLast();
    }
  }

  /** Whether there is something to send and nothing was answered since: a server without a feed was asked nothing in this round. */
  async #isSendingUnheard(run: Run, before: number): Promise<boolean> {
    return run.answers === before && canGoOn(await pendingMutations(run.replica.outbox), this.#ports.build);
  }

  /** Where the server tells what changes, that is applied first; then only what was never read is pulled. */
  async #follow(run: Run): Promise<void> {
    run.isNudged = false;
    await this.#followMending(run);
    this.#unfollowed = null;
    if (run.feed.pageLimit !== null) run.nudges.ensure();
    const perm_version = (await feedStateOf(run.replica))?.perm_version ?? null;
    if (perm_version !== this.#board.permVersion) this.#board.publish({ perm_version });
  }

  /** A page that meets a damaged set is not written, nor what it tells of others: it is asked for again once that one is mended. */
  async #followMending(run: Run): Promise<void> {
    const mended = new Set<string>();
    for (;;) {
      try {
        await run.feed.follow();
        return;
      } catch (error) {
        if (!(error instanceof DamagedSetError) || mended.has(error.key.set)) throw error;
        mended.add(error.key.set);
        await run.sets.mend(error);
      }
    }
  }

  async #failed(run: Run, error: unknown): Promise<number> {
    // whatever fails after that says nothing of the session
    if (this.#board.isSignedOut) return restMs;
    // nor does what was asked for before the person signed in again say anything of the new one
    if (run.isRenewed && error instanceof ApiError && error.code === 'not_authenticated') return 0;
    this.#fails += 1;
    const waitMs = backoffMs(this.#fails, this.#ports.random);
    const progress = await copyStanding(run.replica).then(
      (standing) => ({ entities: progressOf(run, standing) }),
      () => ({}),
    );
    if (isNoRoom(error)) {
      if (await this.#hasMadeRoom(run)) return roomRestMs;
      this.#board.publish({ ...progress, phase: 'idle', problem: noRoomText });
      return longestWaitMs;
    }
    this.#board.publish({ ...progress, ...toldOf(error) });
    // what asks to wait with one thing alone holds up nothing else
    return Math.max(waitMs, run.quiet.leftMs);
  }

  /** What edits left that were accepted before this began; where that alone is not answered it is asked for again after a while. */
  async #readBackAccepted(run: Run): Promise<void> {
    const now = this.#ports.now();
    const isResting = this.#notReadBack !== null && Math.abs(now - this.#notReadBack.at) < readBackRestMs;
    if (!run.mayLackAccepted || isResting) return;
    try {
      if (run.feed.pageLimit === null) await readBackAccepted(run);
      run.mayLackAccepted = false;
      this.#notReadBack = null;
    } catch (error) {
      if (!(error instanceof ApiError) || !(await this.#isAlone(run, error))) throw error;
      this.#notReadBack = { at: now, problem: notFetchedText(error) };
    }
  }

  async #hasMadeRoom(run: Run): Promise<boolean> {
    try {
      return await this.#keeping.makeRoom(run, run.replica);
    } catch (error) {
      if (error instanceof StaleWriterError) throw error;
      return false;
    }
  }

  /** @returns whether there was anything to send, now or later. */
  async #send(run: Run, epoch: number): Promise<boolean> {
    const waiting = this.#afterSend.splice(0);
    run.hasEdits = false;
    this.#notSettled = null;
    try {
      const edits = await pendingMutations(run.replica.outbox);
      if (!canGoOn(edits, this.#ports.build)) return false;
      // nobody says that the session is over, whoever was told that there is one again
      if (edits.some(({ state }) => state === 'paused_auth')) await resumeSignedIn(run.replica.outbox);
      // many edits take a while: nobody is told meanwhile that there is no network
      if (this.#board.phase === 'offline') this.#board.publish({ phase: 'syncing', problem: null });
      const { replica, call, abort } = run;
      const { now, random, build } = this.#ports;
      const { generation, keepsKeys } = await this.#takes(run);
      const isQuiet = (): boolean => run.quiet.leftMs > 0;
      const settle: ReplayPorts['settle'] = (edits, fresh) => settleEdits(run, edits, { fresh, now: now() });
      const { isSignedOut, isDenied, notReadBack } = await replay({
        replica,
        call,
        epoch,
        now,
        random,
        build,
        generation,
        keepsKeys,
        isQuiet,
        signal: abort.signal,
        settle,
      });
      this.#notSettled = notReadBack && notFetchedText(notReadBack);
      this.#doubted.sent({ isDenied });
      if (isSignedOut && !run.isRenewed) this.#board.publish({ phase: 'signed_out', problem: null });
      return true;
    } finally {
      for (const resolve of waiting) resolve();
    }
  }
}
