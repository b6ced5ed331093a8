import type { Account } from '#contract/accounts.ts';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { SavedView } from '#contract/saved-views.ts';
import type { Security } from '#contract/securities.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import type { MutationName } from '#contract/mutations.ts';
import type { NounRow } from '#replica/reducers.ts';
import type { Line } from './model-feed.ts';
import type { Row } from './overwrites.ts';
import type { Random } from './random.ts';

/** What is said to a key that comes again with another change. */
export const usedKeyText = 'This Idempotency-Key was already used for another request';
/** What is said of a screenshot whose ticket is not there. */
export const noTicketText = 'Ticket not found';

/** What is said of an id that another row has. */
export const takenIdText = (word: string): string => `There is another ${word.toLowerCase()} with this id`;
export const isTakenId = (detail: string): boolean => /^There is another .* with this id$/.test(detail);

export const dayMs = 86_400_000;

/** How a server of the specification may differ from ours. */
export interface ServerMood {
  /** It hands out fewer rows than asked for. */
  pageCap: number;
  /** What it makes of the moment that it is asked up to: it compares days, takes it for midnight, there or in another zone, or leaves it out. */
  upTo: 'moment' | 'day' | 'midnight' | 'midnight_elsewhere' | 'before';
  /** What it gives of several rows that are asked for by their ids: all, the first one, or nothing where one of them is not there. */
  selects: 'all' | 'first' | 'all_or_none';
  /** It is one of ours, that tells what changes. */
  hasFeed: boolean;
  /** Of what may not be seen its lists have nothing, where others refuse. */
  hidesQuietly: boolean;
  /** It takes `If-Match`, and says so. */
  comparesVersions: boolean;
  /** Its service desk gives tickets ids of its own. */
  namesTickets: boolean;
  /** The app comes from another origin. */
  isElsewhere: boolean;
}

/** When something was sent, UTC milliseconds of the world, and by which tab or worker: one whose turn is over may still send. */
export interface Sending {
  at: number;
  by: string;
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
  /** The version of `X-Rests-On`; null without it. */
  restsOn: number | null;
  /** Null where nobody says. */
  sent: Sending | null;
  /** The build of the app that asks. */
  build: string;
  /** The file it is sent with, by its name and size. */
  file?: string;
}

export interface ServerAnswer {
  /** 0 where the connection breaks. */
  status: number;
  body: unknown;
  /** What stands in the body's place, where it is somebody's page. */
  page?: string;
  /** For how many seconds it asks to be left alone. */
  retryAfter?: string;
}

/** What answers an edit whatever it says: a status of the server, or something on the way that takes offence at it. */
export type Poison = number | 'page';

export function poisonedAnswer(poison: Poison): ServerAnswer {
  return poison === 'page'
    ? { status: 403, body: null, page: '<html>Request blocked</html>' }
    : { status: poison, body: { detail: 'Planted' } };
}

/** The row a change left. */
export interface Answered {
  id: string;
  version: number;
}

/**
 * Rights that a role may come to be without: those that lists are read with. Clients and entities may always be read: what a copy is to have
 * of that which lies in them is not known where they themselves are out of sight.
 */
export const readRights = [
  'transaction_read',
  'transaction_match_read',
  'account_read',
  'organization_read',
  'user_read',
  'security_read',
  'custodian_read',
] as const;
export type ReadRight = (typeof readRights)[number];

/** Nouns whose rows people make, change and remove, whichever client they look at. */
export const officeNouns = ['organizations', 'clients', 'entities', 'users', 'archived_assets'] as const;
export type OfficeNoun = (typeof officeNouns)[number];
export type OfficeRows = { readonly [N in OfficeNoun]: Map<string, NounRow[N]> };

/** What one must be allowed to read some of them. */
const officeRights: Partial<Record<OfficeNoun, ReadRight>> = { organizations: 'organization_read', users: 'user_read' };

/** Nouns kept a row per record that are told of, and that edits leave. */
export const keptNouns = ['saved_views', 'transaction_matches', ...officeNouns] as const;
export type KeptNoun = (typeof keptNouns)[number];

/** Nouns of which an entity has one row, under its own id, in a list of its client. */
export const figureNouns = ['entity_worklists', 'value_histories'] as const;
export type FigureNoun = (typeof figureNouns)[number];
export function isFigures(noun: string): noun is FigureNoun {
  return (figureNouns as readonly string[]).includes(noun);
}

type Work = void | Promise<void>;

/** The edit a key of the server belongs to. */
export function editOfKey(key: string): string {
  return key.replace(/#r\d+$/, '');
}

/** How often the person had the edit of a key sent anew before. */
export function timesDecided(key: string): number {
  return Number(/#r(\d+)$/.exec(key)?.[1] ?? 0);
}

/** What a backup has of what was done. */
export interface Done {
  effects: Map<string, number>;
  answers: Map<string, Partial<Answered>>;
  latest: Map<string, string>;
}

/** A server as a world sees it: what it is asked, what others do there, and what of it there is, which everything must agree with in the end. */
export abstract class SimServer {
  /** Where people work, and who: those that were deleted are not among them. */
  readonly office: OfficeRows = {
    organizations: new Map(),
    clients: new Map(),
    entities: new Map(),
    users: new Map(),
    archived_assets: new Map(),
  };
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
  /** Keys that are answered with a fault of the server, refused, or not let through, whatever they say. */
  readonly poisoned = new Map<string, Poison>();
  /** Rows that nothing has changed since the beginning. */
  readonly untouched = new Set<string>();
  /** When each row was last left out of a list though it was there, UTC milliseconds of the world. */
  readonly leftOutAt = new Map<string, number>();
  /** Streams of nudges. */
  readonly followers = new Set<() => void>();
  /** Builds of the app before this one may change nothing. */
  oldestBuild = 1;
  requests = 0;
  /** The sending of what it is answering; null where that is not known. */
  sent: Sending | null = null;
  /** Told of every change of a view or a transaction; the key is that of the edit, null for somebody else's. */
  onChange: (id: string, before: Row, after: Row, key: string | null) => void = () => undefined;
  /** Told of every effect of a key, as it comes about. */
  onEffect: (key: string) => void = () => undefined;
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
  /** Which rights the person has, by a number that grows with each change of them; null where it is not known here. */
  abstract get permissions(): number | null;
  /** Lines that are told at once at most. */
  abstract get feedCap(): number;
  /** How many of the lines a place in the feed has behind it. */
  abstract placeOf(cursor: string): number;
  abstract handle(request: ServerRequest): ServerAnswer | Promise<ServerAnswer>;

  /** Somebody else's call, or one from another device of the person's that is not here. What is refused is not done. */
  abstract elsewhere(endpoint: Endpoint, input: object): Work;
  /** Somebody else's import. */
  abstract addTransaction(entityId: string): Work;
  /** The same of many rows, in one change. */
  abstract addTransactions(entityId: string, count: number): Work;
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
  /** Somebody else moves an entity to another client of its organization that is there. */
  abstract moveEntity(entityId: string, clientId: string): Work;
  /** The person's role is without some rights from now on, and without no others. */
  abstract setWithheld(rights: readonly ReadRight[]): Work;
  /** Somebody's long transaction begins. */
  abstract holdFeed(ms: number): Work;
  /** All but the latest changes are forgotten. */
  abstract forgetChanges(kept: number): Work;
  /** An answer to come lacks a row that is there, where a server may do so. */
  abstract lackRow(): void;
  /** Keeps everything as it is, to be restored later. */
  abstract backUp(): Work;
  /** Brings back what was kept. @returns false where nothing was. */
  abstract restore(): boolean | Promise<boolean>;

  get hasFeed(): boolean {
    return this.mood.hasFeed;
  }

  /** Whether a change that comes again under its key has its effect once. */
  get keepsKeys(): boolean {
    return this.mood.hasFeed;
  }

  /** A client none of whose entities may be seen is not seen either. */
  get hidesClients(): boolean {
    return false;
  }

  /** The nouns of which it is known here what there is. */
  get officeNouns(): readonly OfficeNoun[] {
    return officeNouns;
  }

  /** Whether edits of a name are made in these worlds. */
  takes(_name: MutationName): boolean {
    return true;
  }

  get comparesVersions(): boolean {
    return this.mood.comparesVersions;
  }

  /** Clients that are there. */
  get clients(): readonly Client[] {
    return [...this.office.clients.values()];
  }

  /** Entities that are there, whoever may see them. */
  get entities(): readonly Entity[] {
    return [...this.office.entities.values()].filter(({ client_id }) => this.office.clients.has(client_id));
  }

  /** Entities the person may not see now, those that are there no more among them. */
  get unseenEntities(): string[] {
    return [...this.#entityIds()].filter((id) => !this.isEntitySeen(id));
  }

  get maySeeTransactions(): boolean {
    return !this.withheld.has('transaction_read');
  }

  /** Where a server tells of changes, it tells of an entity's by whether its transactions may be seen. */
  get maySeeMatches(): boolean {
    return !this.withheld.has('transaction_match_read') && (this.maySeeTransactions || !this.hasFeed);
  }

  mayRead(right: ReadRight): boolean {
    return !this.withheld.has(right);
  }

  /** Whether a list of the office may be read. */
  mayReadOffice(noun: OfficeNoun): boolean {
    const right = officeRights[noun];
    return right === undefined || this.mayRead(right);
  }

  /** Whether a row is there and may be seen. */
  isThere(id: string): boolean {
    const [row, match] = [this.transactions.get(id), this.matches.get(id)];
    if (row) return this.maySeeTransactions && this.#isShown(row);
    if (match) return this.maySeeMatches && this.#isShown(match);
    return this.views.has(id) || this.#officeRow(id) !== undefined || this.visibleAccounts().some((account) => account.id === id);
  }

  #isShown({ entity_id }: { entity_id: string }): boolean {
    return this.isEntitySeen(entity_id);
  }

  /** Whether an entity is there and may be seen. */
  isEntitySeen(id: string): boolean {
    const entity = this.office.entities.get(id);
    return entity !== undefined && this.office.clients.has(entity.client_id) && !this.hidden.has(id);
  }

  #entityIds(): Set<string> {
    return new Set([...this.office.entities.keys(), ...this.accounts.map(({ entity_id }) => entity_id)]);
  }

  #officeRow(id: string): object | undefined {
    const noun = officeNouns.find((each) => this.office[each].has(id));
    return noun && this.officeRow(noun, id);
  }

  /** A row of the office, where it may be seen. */
  officeRow<N extends OfficeNoun>(noun: N, id: string): NounRow[N] | undefined {
    const row = this.office[noun].get(id);
    const isSeen =
      noun === 'entities' ? this.isEntitySeen(id) : noun !== 'archived_assets' || this.#isOfClient(row as NounRow['archived_assets']);
    return row && isSeen && this.mayReadOffice(noun) ? row : undefined;
  }

  #isOfClient(row: { client_id: string } | undefined): boolean {
    return row !== undefined && this.office.clients.has(row.client_id);
  }

  /** The rows of a noun of the office that may be seen, in no order. */
  visibleOffice<N extends OfficeNoun>(noun: N): NounRow[N][] {
    return [...this.office[noun].keys()].flatMap((id) => this.officeRow(noun, id) ?? []);
  }

  /** Whether a row is there, whoever may see it. */
  exists(id: string): boolean {
    const isOfOffice = officeNouns.some((noun) => this.office[noun].has(id));
    return isOfOffice || this.views.has(id) || this.transactions.has(id) || this.matches.has(id) || this.#account(id);
  }

  #account(id: string): boolean {
    return this.accounts.some((account) => account.id === id);
  }

  visibleEntities(): Entity[] {
    return this.visibleOffice('entities');
  }

  visibleSecurities(): readonly Security[] {
    return this.mayRead('security_read') ? this.securities : [];
  }

  visibleAccounts(): Account[] {
    if (!this.mayRead('account_read')) return [];
    return this.accounts.filter((account) => this.#isShown(account));
  }

  /** What entities are worth, and what there is to do for them, as far as that is known here and may be seen. */
  visibleFigures(_noun: FigureNoun): readonly (Answered & { client_id: string })[] | null {
    return null;
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
    this.onEffect(key);
    this.noteAnswer(key, answered);
    if (answered.id !== undefined) this.latest.set(answered.id, editOfKey(key));
    this.effects.set(key, (this.effects.get(key) ?? 0) + 1);
  }

  /** Notes what a key was answered. */
  protected noteAnswer(key: string, answered: Partial<Answered>): void {
    this.answers.set(editOfKey(key), answered);
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

/** A text that is in every transaction of an entity, and in its matches, and nowhere else. */
export function canaryOf(entityId: string): string {
  return `canary ${entityId}`;
}

/** The same of its accounts and figures, which stay where only its transactions are not kept. */
export function signOf(entityId: string): string {
  return `sign of ${entityId}`;
}
