import { ApiError, type ErrorCode } from '#contract/errors.ts';

/** Longest time a server is taken at its word that asks to be left alone, in milliseconds: something on the way to it may say any number. */
export const longestQuietMs = 600_000;

const asksForQuiet: ReadonlySet<ErrorCode> = new Set(['throttled', 'blocked', 'unavailable']);

/** Leaves a server alone for as long as it asks for. */
export class Quiet {
  readonly #now: () => number;
  #until = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How long nothing is to be asked of it, in milliseconds; 0 where anything may be. */
  get leftMs(): number {
    const left = this.#until - this.#now();
    // a moment further away was written by a clock since put right
    return left > 0 && left <= longestQuietMs ? left : 0;
  }

  /** Takes note of an answer that asks for it. */
  heed(cause: unknown): void {
    if (!(cause instanceof ApiError) || cause.retryAfterMs === undefined || !asksForQuiet.has(cause.code)) return;
    // what was written by a clock since put right does not outlast this
    this.#until = Math.max(this.leftMs > 0 ? this.#until : -Infinity, this.#now() + Math.min(cause.retryAfterMs, longestQuietMs));
  }

  /** @throws ApiError, as the server would answer, while nothing is to be asked of it. */
  keep(): void {
    const retryAfterMs = this.leftMs;
    if (retryAfterMs > 0) throw new ApiError({ code: 'throttled', detail: 'The server asked to wait', status: 0, retryAfterMs });
  }
}
