import type { Account } from '#contract/accounts.ts';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { SavedView } from '#contract/saved-views.ts';
import type { Security } from '#contract/securities.ts';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import type { Line } from './model-feed.ts';
import type { Row } from './overwrites.ts';
import type { Random } from './random.ts';

export const dayMs = 86_400_000;

/** How a server of the specification may differ from ours. */
export interface ServerMood {
  /** It hands out fewer rows than asked for. */
  pageCap: number;
  /** Its dates are compared by the day. */
  comparesDays: boolean;
  /** It is one of ours, that tells what changes. */
  hasFeed: boolean;
  /** Of what may not be seen its lists have nothing, where others refuse. */
  hidesQuietly: boolean;
  /** It takes `If-Match`, and says so. */
  comparesVersions: boolean;
}

export interface ServerRequest {
  method: string;
  /** Below the API's base. */
  path: string;
  query: URLSearchParams;
  body: unknown;
  key: string | null;
  /** The version of `If-Match`; null without it. */
  ifVersion: number | null;
  serverGen: string | null;
  /** The build of the app that asks. */
  build: string;
}

export interface ServerAnswer {
  status: number;
  body: unknown;
}

/** The row a change left. */
export interface Answered {
  id: string;
  version: number;
}

/** Rights that a role may come to be without. */
export const readRights = ['transaction_read', 'transaction_match_read'] as const;
export type ReadRight = (typeof readRights)[number];

type Work = void | Promise<void>;

/** The edit a key of the server belongs to. */
export function editOfKey(key: string): string {
  return key.replace(/#r\d+$/, '');
}

/** What a backup has of what was done. */
export interface Done {
  effects: Map<string, number>;
  answers: Map<string, Partial<Answered>>;
  latest: Map<string, string>;
}

/** A server as a world sees it: what it is asked, what others do there, and what of it there is, which everything must agree with in the end. */
export abstract class SimServer {
  abstract readonly clients: readonly Client[];
  abstract readonly entities: readonly Entity[];
  abstract readonly accounts: readonly Account[];
  abstract readonly securities: readonly Security[];
  readonly transactions = new Map<string, Transaction>();
  readonly matches = new Map<string, TransactionMatch>();
  readonly views = new Map<string, SavedView>();
  /** How often each idempotency key had an effect, in the order of the first. */
  readonly effects = new Map<string, number>();
  /** What each edit was answered last, under whichever of its keys: the row it left. */
  readonly answers = new Map<string, Partial<Answered>>();
  /** The edit that changed each row last. */
  readonly latest = new Map<string, string>();
  /** Keys whose effect was lost with what a restored backup did not have. */
  readonly undone = new Set<string>();
  /** Keys that are answered with a fault of the server, or refused, whatever they say. */
  readonly poisoned = new Map<string, number>();
  /** Rows that nothing has changed since the beginning. */
  readonly untouched = new Set<string>();
  /** Streams of nudges. */
  readonly followers = new Set<() => void>();
  /** Builds of the app before this one may change nothing. */
  oldestBuild = 1;
  requests = 0;
  /** Told of every change of a view or a transaction; the key is that of the edit, null for somebody else's. */
  onChange: (id: string, before: Row, after: Row, key: string | null) => void = () => undefined;
  readonly mood: ServerMood;
  /** Whose session it answers. */
  readonly userId: string;
  /** Entities the person may not see. */
  protected readonly hidden = new Set<string>();
  /** Rights the person does not have. */
  protected readonly withheld = new Set<ReadRight>();

  constructor(mood: ServerMood, userId: string) {
    this.mood = mood;
    this.userId = userId;
  }

  /** Which database this is; empty where it does not say. */
  abstract get generation(): string;
  /** Every change that is told, or will be. */
  abstract get feedLines(): readonly Line[];
  /** Lines that are told at once at most. */
  abstract get feedCap(): number;
  /** How many of the lines a place in the feed has behind it. */
  abstract placeOf(cursor: string): number;
  abstract handle(request: ServerRequest): ServerAnswer | Promise<ServerAnswer>;

  /** Somebody else's import. */
  abstract addTransaction(entityId: string): Work;
  /** Somebody else's change of a row, perhaps of its date; to this one where it is given. */
  abstract changeTransaction(id: string, date?: string): Work;
  /** Somebody else's decision about a row, or their correction of its amount. */
  abstract decideTransaction(id: string, isAmount: boolean): Work;
  /** Somebody else marks two rows as a transfer, if they can be one. */
  abstract markPair(id: string, counterpartId: string): Work;
  /** Somebody else deletes a row, and with it the matches it is a leg of. */
  abstract deleteTransaction(id: string): Work;
  /** Somebody else's change of a row of the latest weeks, its date left alone. */
  abstract touchRecent(): Work;
  /** Another device of the person, that is not here, gives a view another name, or another filter. */
  abstract changeView(id: string, name: string | null): Work;
  /** The same deletes it. */
  abstract deleteView(id: string): Work;
  /** The same makes one anew under the id it had. */
  abstract remakeView(id: string, name: string): Work;
  /** The person may no longer see an entity, or sees it again. */
  abstract setHidden(entityId: string, isHidden: boolean): Work;
  /** The person's role is without some rights from now on, and without no others. */
  abstract setWithheld(rights: readonly ReadRight[]): Work;
  /** Somebody's long transaction begins. */
  abstract holdFeed(ms: number): Work;
  /** All but the latest changes are forgotten. */
  abstract forgetChanges(kept: number): Work;
  /** Keeps everything as it is, to be restored later. */
  abstract backUp(): Work;
  /** Brings back what was kept. @returns false where nothing was. */
  abstract restore(): boolean | Promise<boolean>;

  get hasFeed(): boolean {
    return this.mood.hasFeed;
  }

  get comparesVersions(): boolean {
    return this.mood.comparesVersions;
  }

  /** Entities the person may not see now. */
  get hiddenEntities(): string[] {
    return [...this.hidden];
  }

  get maySeeTransactions(): boolean {
    return !this.withheld.has('transaction_read');
  }

  /** Where a server tells of changes, it tells of an entity's by whether its transactions may be seen. */
  get maySeeMatches(): boolean {
    return !this.withheld.has('transaction_match_read') && (this.maySeeTransactions || !this.hasFeed);
  }

  /** Whether a row is there and may be seen. */
  isThere(id: string): boolean {
    const [row, match] = [this.transactions.get(id), this.matches.get(id)];
    const isSeen = row ? this.maySeeTransactions && this.#isShown(row) : match !== undefined && this.maySeeMatches && this.#isShown(match);
    return this.views.has(id) || isSeen;
  }

  #isShown({ entity_id }: { entity_id: string }): boolean {
    return !this.hidden.has(entity_id);
  }

  /** Whether a row is there, whoever may see it. */
  exists(id: string): boolean {
    return this.views.has(id) || this.transactions.has(id) || this.matches.has(id);
  }

  visibleClients(): readonly Client[] {
    return this.clients;
  }

  visibleEntities(): Entity[] {
    return this.entities.filter(({ id }) => !this.hidden.has(id));
  }

  visibleAccounts(): Account[] {
    return this.accounts.filter((account) => this.#isShown(account));
  }

  visibleTransactions(): Transaction[] {
    return this.maySeeTransactions ? [...this.transactions.values()].filter((row) => this.#isShown(row)) : [];
  }

  visibleMatches(): TransactionMatch[] {
    return this.maySeeMatches ? [...this.matches.values()].filter((match) => this.#isShown(match)) : [];
  }

  protected withhold(rights: readonly ReadRight[]): void {
    this.withheld.clear();
    for (const right of rights) this.withheld.add(right);
  }

  protected nudge(): void {
    for (const tell of this.followers) tell();
  }

  /** Notes that a key had its effect, and what it was answered. */
  protected noteEffect(key: string, answered: Partial<Answered>): void {
    const edit = editOfKey(key);
    this.answers.set(edit, answered);
    if (answered.id !== undefined) this.latest.set(answered.id, edit);
    this.effects.set(key, (this.effects.get(key) ?? 0) + 1);
  }

  /** What was done so far. */
  protected done(): Done {
    const { effects, answers, latest } = this;
    return structuredClone({ effects, answers, latest });
  }

  /** What was done since a backup is undone. */
  protected undo(kept: Done): void {
    for (const key of this.effects.keys()) if (!kept.effects.has(key)) this.undone.add(key);
    refill(this.effects, kept.effects);
    refill(this.answers, kept.answers);
    refill(this.latest, kept.latest);
    this.untouched.clear();
  }
}

export function refill<K, V>(map: Map<K, V>, from: ReadonlyMap<K, V>): void {
  map.clear();
  for (const [key, value] of from) map.set(key, value);
}

/** When something happened, before now: many share a moment, and some whole days. */
export function aMoment(random: Random, now: number): number {
  const days = random.pick([0, 1, 5, 20, 45, 100, 400]);
  const hours = random.pick([0, 0, 1, 7]);
  return now - days * dayMs - hours * 3_600_000 - (random.chance(0.3) ? random.below(1_000) * 1_000 : 0);
}

/** A text that is in every transaction of an entity, and nowhere else. */
export function canaryOf(entityId: string): string {
  return `canary ${entityId}`;
}
