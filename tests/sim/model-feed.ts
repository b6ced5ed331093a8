import { ApiError, feedRefusals } from '#contract/errors.ts';
import type { FeedAnswer, FeedChange, FeedNoun } from '#contract/feed.ts';
import type { ServerAnswer } from './sim-server.ts';
import type { Random } from './random.ts';

/** What the feed is asked. */
export interface FeedQuestion {
  server_gen: string;
  cursor: string | null;
  scopes: readonly string[];
  limit: number;
}

/** One change that is told: where, of which row, and in which version it left it. */
export interface Line {
  scope: string;
  noun: FeedNoun;
  id: string;
  version: number;
  /** The row was deleted. */
  isGone: boolean;
  /** It is not where it was any more: another line of the change tells where it is. */
  isMoved: boolean;
  /** Lines of one change are made at once, and are told at once unless they are more than a page. */
  change: string;
  /** When it was made, UTC milliseconds of the world. */
  at: number;
}

interface Versioned {
  id: string;
  version: number;
}

/** What the feed asks the server about. */
export interface FeedSource {
  /** Those somebody may see now, clients before their entities. */
  visibleScopes: () => { key: string; parent: string }[];
  /** A row as it is, with the scope it is in; null where it may not be seen. */
  rowNow: (noun: FeedNoun, id: string) => { scope: string; row: Versioned } | null;
  isThere: (noun: FeedNoun, id: string) => boolean;
  now: () => number;
}

/** The feed of our server, in memory: lines in the order of commits, told up to the oldest change that is still being made. */
export class ModelFeed {
  generation: string;
  permissions = 1;
  /** Lines told at once at most. */
  pageCap = 2_000;
  /** Told of every change. */
  onChange: () => void = () => undefined;
  readonly #lines: Line[] = [];
  readonly #source: FeedSource;
  readonly #random: Random;
  /** Lines before this one are forgotten. */
  #floor = 0;
  /** While somebody's long transaction runs, nothing that came after its beginning is told. */
  #heldFrom: number | null = null;
  #heldUntil = 0;
  #change = 0;

  constructor(source: FeedSource, random: Random) {
    this.#source = source;
    this.#random = random;
    this.generation = random.uuid();
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** What is logged from here on is of another change. */
  nextChange(): void {
    this.#change += 1;
  }

  log(scope: string, noun: FeedNoun, row: Versioned, isGone = false): void {
    this.#push({ scope, noun, ...row }, isGone, false);
  }

  /** A row went from where it was, before that is logged of where it is now. */
  logMoved(scope: string, noun: FeedNoun, row: Versioned): void {
    this.#push({ scope, noun, ...row }, true, true);
  }

  #push({ scope, noun, id, version }: Pick<Line, 'scope' | 'noun'> & Versioned, isGone: boolean, isMoved: boolean): void {
    this.#lines.push({ scope, noun, id, version, isGone, isMoved, change: String(this.#change), at: this.#source.now() });
    this.onChange();
  }

  /** A transaction that takes long begins: what others change meanwhile is seen in lists and not told. */
  hold(ms: number): void {
    this.#heldFrom ??= this.#lines.length;
    this.#heldUntil = this.#source.now() + ms;
  }

  /** Forgets all but the latest lines. */
  forget(kept: number): void {
    this.#floor = Math.max(this.#floor, this.#present() - kept);
  }

  /** Another database stands here now. */
  startAnew(): void {
    this.generation = this.#random.uuid();
    this.#lines.length = 0;
    this.#floor = 0;
    this.#heldFrom = null;
  }

  hello(limit: number, comparesVersions: boolean): object {
    return {
      protocol: 1,
      server_gen: this.generation,
      server_time: new Date(this.#source.now()).toISOString(),
      min_client: 1,
      perm_version: this.permissions,
      floor: `${this.#floor}.0`,
      max_limit: limit,
      caps: ['changes', 'idempotency', 'client_ids', ...(comparesVersions ? ['if_match'] : [])],
    };
  }

  changes(question: FeedQuestion): ServerAnswer {
    try {
      return { status: 200, body: this.#changes(question) };
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, body: { detail: error.detail } };
      throw error;
    }
  }

  #present(): number {
    if (this.#heldFrom !== null && this.#heldUntil <= this.#source.now()) this.#heldFrom = null;
    return this.#heldFrom ?? this.#lines.length;
  }

  #changes({ server_gen, cursor, scopes, limit }: FeedQuestion): FeedAnswer {
    const present = this.#present();
    if (server_gen !== this.generation) throw new ApiError({ code: 'generation_changed', detail: feedRefusals.generationChanged });
    const visible = this.#source.visibleScopes();
    const keys = new Set(['user', ...visible.map(({ key }) => key)]);
    const asked = new Set(scopes.filter((key) => keys.has(key)));
    const seen = {
      server_time: new Date(this.#source.now()).toISOString(),
      perm_version: this.permissions,
      scopes_gained: visible.filter(({ key }) => !scopes.includes(key)),
      scopes_lost: scopes.filter((key) => !keys.has(key)),
    };
    if (cursor === null) return { cursor: `${present}.0`, has_more: false, ...seen, changes: [], acks: [] };
    const after = Number(cursor.split('.')[0]);
    if (after > present) throw new ApiError({ code: 'generation_changed', detail: feedRefusals.generationChanged });
    if (after < this.#floor) throw new ApiError({ code: 'cursor_too_old', detail: feedRefusals.cursorTooOld });
    const cap = Math.min(limit, this.pageCap);
    const found: number[] = [];
    for (let at = after; at < present && found.length <= cap; at += 1) if (asked.has(this.#lines[at]?.scope ?? '')) found.push(at);
    const page = this.#pageOf(found, cap);
    const hasMore = page.length < found.length;
    const upTo = hasMore ? (page.at(-1) ?? 0) + 1 : present;
    const lines = page.flatMap((at) => this.#lines[at] ?? []);
    return { cursor: `${upTo}.0`, has_more: hasMore, ...seen, changes: this.#toldOf(lines, asked), acks: [] };
  }

  /** It ends with a whole change, unless that alone is larger than a page. */
  #pageOf(found: readonly number[], cap: number): readonly number[] {
    if (found.length <= cap) return found;
    const next = this.#lines[found[cap] ?? 0]?.change;
    const whole = found.slice(0, cap).filter((at) => this.#lines[at]?.change !== next);
    return whole.length > 0 ? whole : found.slice(0, cap);
  }

  /** Each row once, by the last line about it, as the row is now. */
  #toldOf(page: readonly Line[], asked: ReadonlySet<string>): FeedChange[] {
    const last = new Map<string, Line>();
    for (const line of page) {
      last.delete(`${line.noun} ${line.id}`);
      last.set(`${line.noun} ${line.id}`, line);
    }
    return [...last.values()].flatMap(({ noun, id, scope, version }): FeedChange[] => {
      const found = this.#source.rowNow(noun, id);
      if (found && asked.has(found.scope))
        return [{ scope: found.scope, noun, id, op: 'put', version: found.row.version, row: { ...found.row } }];
      return [{ scope, noun, id, op: this.#source.isThere(noun, id) ? 'out' : 'del', version }];
    });
  }
}
