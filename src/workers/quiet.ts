import { ApiError, type ErrorCode } from '#contract/errors.ts';

/** Longest time a server is taken at its word that asks to be left alone, in milliseconds: something on the way to it may say any number. */
const longestQuietMs = 600_000;

/** For how long it is left alone that asks for so long. */
export function quietMs(askedMs: number): number {
  return Math.min(askedMs, longestQuietMs);
}

const mayAskForQuiet: ReadonlySet<ErrorCode> = new Set(['throttled', 'blocked', 'unavailable']);

/** Whether an answer asks to be left alone for some time. */
export function asksForQuiet(cause: unknown): cause is ApiError & { retryAfterMs: number } {
  return cause instanceof ApiError && cause.retryAfterMs !== undefined && mayAskForQuiet.has(cause.code);
}

/**
 * Leaves a server alone for as long as it asks for. What one call is answered says so of that call: a gateway may say it of what stands
 * behind one path. It is said of all where the server says so when it is asked how it is.
 */
export class Quiet {
  readonly #now: () => number;
  readonly #until = new Map<string, number>();
  #untilOfAll = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How long nothing is to be asked of it, in milliseconds; 0 where anything may be. */
  get leftMs(): number {
    return this.#left(this.#untilOfAll);
  }

  /** Takes note of what a call was answered. */
  heed(call: string, cause: unknown): void {
    if (asksForQuiet(cause)) this.#until.set(call, this.#later(this.#until.get(call), cause.retryAfterMs));
  }

  /** The same of an answer that speaks for all calls. */
  heedForAll(cause: unknown): void {
    if (asksForQuiet(cause)) this.#untilOfAll = this.#later(this.#untilOfAll, cause.retryAfterMs);
  }

  /** @throws ApiError, as the server would answer, while this is not to be asked of it. */
  keep(call: string): void {
    const retryAfterMs = Math.max(this.leftMs, this.#left(this.#until.get(call)));
    if (retryAfterMs > 0)
      throw new ApiError({ code: 'throttled', detail: 'The server asked to wait', status: 0, retryAfterMs, isUntried: true });
  }

  #left(until = -Infinity): number {
    const left = until - this.#now();
    // a moment further away was written by a clock since put right
    return left > 0 && left <= longestQuietMs ? left : 0;
  }

  #later(until: number | undefined, askedMs: number): number {
    // what was written by a clock since put right does not outlast this
    return this.#now() + Math.max(this.#left(until), quietMs(askedMs));
  }
}
