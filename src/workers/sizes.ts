import type { ApiCall } from '#api-client/call.ts';
import { listSizes } from '#contract/feed.ts';

/** For how long a server that did not say is not asked again, in milliseconds. */
const askAgainMs = 60_000;
/** For how long what it said is taken for what there is. */
const learnAgainMs = 300_000;

interface SizesPorts {
  call: ApiCall;
  now: () => number;
  /** Whether the server counts at all. */
  isTold: () => boolean;
}

/** How many rows first pulls are to bring, where the server says. */
export class Sizes {
  readonly #ports: SizesPorts;
  #known: ReadonlyMap<string, number> = new Map();
  #askedAt = -Infinity;

  constructor(ports: SizesPorts) {
    this.#ports = ports;
  }

  /** Transactions of an entity as the server counted them; null where it did not. */
  of(entityId: string): number | null {
    return this.#known.get(entityId) ?? null;
  }

  /** Asks where an entity's are not known. Never fails: what is to come comes all the same. */
  async learn(entityId: string): Promise<void> {
    const { call, now, isTold } = this.#ports;
    const restMs = this.#known.has(entityId) ? learnAgainMs : askAgainMs;
    if (!isTold() || Math.abs(now() - this.#askedAt) < restMs) return;
    this.#askedAt = now();
    try {
      this.#known = new Map((await call(listSizes, {})).map(({ entity_id, transactions }) => [entity_id, transactions]));
    } catch {
      // asked again with another page
    }
  }
}
