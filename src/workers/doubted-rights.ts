import type { StatusBoard } from './status-board.ts';

/**
 * Tells pages that what the person may do is to be asked anew: the server refused an edit for want of a right that it was thought to be
 * made with. Many edits may be refused at once: it is told once a round, and what is refused later in one with the next.
 */
export class DoubtedRights {
  readonly #board: Pick<StatusBoard, 'publish'>;
  readonly #now: () => number;
  #isDoubted = false;
  #isTold = false;

  constructor(board: Pick<StatusBoard, 'publish'>, now: () => number) {
    this.#board = board;
    this.#now = now;
  }

  nextRound(): void {
    this.#isTold = false;
    this.#tell();
  }

  /** Some edits were sent. @param isDenied one of them was refused so, by the API itself. */
  sent({ isDenied }: { isDenied: boolean }): void {
    this.#isDoubted ||= isDenied;
    this.#tell();
  }

  #tell(): void {
    if (!this.#isDoubted || this.#isTold) return;
    [this.#isDoubted, this.#isTold] = [false, true];
    this.#board.publish({ denied_at: this.#now() });
  }
}
