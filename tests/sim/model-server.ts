import type { Account } from '#contract/accounts.ts';
import type { Custodian } from '#contract/custodians.ts';
import { endpoints } from '#contract/endpoints.ts';
import type { Endpoint, GuardedRow } from '#contract/endpoint.ts';
import type { Client, Entity, Organization } from '#contract/organizations.ts';
import type { SavedView, SaveViewInput } from '#contract/saved-views.ts';
import type { Security } from '#contract/securities.ts';
import type { MarkTransferInput, TransactionMatch } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import { checkTransferMark, stateAfterMark } from '#domain/transfer-matching.ts';
import { feedRefusals } from '#contract/errors.ts';
import type { FeedNoun } from '#contract/feed.ts';
import { type FeedQuestion, type FeedSource, type Line, ModelFeed } from './model-feed.ts';
import type { Row } from './overwrites.ts';
import type { Random } from './random.ts';

/** How a server of the specification may differ from ours. */
export interface ServerMood {
  /** It hands out fewer rows than asked for. */
  pageCap: number;
  /** Its dates are compared by the day. */
  comparesDays: boolean;
  /** It is one of ours, that tells what changes. */
  hasFeed: boolean;
  /** It takes `If-Match`, and says so. */
  comparesVersions: boolean;
}

/** What a backup has. */
interface Backup {
  transactions: Map<string, Transaction>;
  matches: Map<string, TransactionMatch>;
  views: Map<string, SavedView>;
  effects: Map<string, number>;
  answers: Map<string, Partial<Answered>>;
  latest: Map<string, string>;
  answered: Map<string, ModelAnswer>;
}

export interface ModelRequest {
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

export interface ModelAnswer {
  status: number;
  body: unknown;
}

/** The row a change left. */
export interface Answered {
  id: string;
  version: number;
}

interface Dated {
  skip: number;
  limit: number;
}

type ListInput = Dated & Readonly<Record<string, unknown>>;

const dayMs = 86_400_000;
const dayOf = (moment: number): number => Math.floor(moment / dayMs);

/** The specification's server, in memory and without faults: what everything must agree with in the end. */
export class ModelServer {
  readonly organizations: Organization[];
  readonly clients: Client[];
  readonly entities: Entity[];
  readonly accounts: Account[];
  readonly custodians: Custodian[];
  readonly securities: Security[];
  readonly transactions = new Map<string, Transaction>();
  readonly matches = new Map<string, TransactionMatch>();
  readonly views = new Map<string, SavedView>();
  /** How often each idempotency key had an effect, in the order of the first. */
  readonly effects = new Map<string, number>();
  /** What each key was answered: the row it left. */
  readonly answers = new Map<string, Partial<Answered>>();
  /** The key of the latest change of each row. */
  readonly latest = new Map<string, string>();
  /** Keys whose effect was lost with what a restored backup did not have. */
  readonly undone = new Set<string>();
  /** Keys that are answered with a fault of the server, or refused, whatever they say. */
  readonly poisoned = new Map<string, number>();
  /** Builds of the app before this one may change nothing. */
  oldestBuild = 1;
  /** Told of every change of a view or a transaction; the key is that of the edit, null for somebody else's. */
  onChange: (id: string, before: Row, after: Row, key: string | null) => void = () => undefined;
  requests = 0;
  /** Streams of nudges. */
  readonly followers = new Set<() => void>();
  /** Rows that nothing has changed since the beginning. */
  readonly untouched: Set<string>;
  readonly #answered = new Map<string, ModelAnswer>();
  readonly #random: Random;
  readonly #now: () => number;
  readonly #mood: ServerMood;
  readonly #feed: ModelFeed;
  /** Entities the person may not see. */
  readonly #hidden = new Set<string>();
  /** The latest version that ever was of each view. */
  readonly #viewVersions = new Map<string, number>();
  #backup: Backup | null = null;

  constructor(random: Random, now: () => number, mood: ServerMood) {
    this.#random = random;
    this.#now = now;
    this.#mood = mood;
    const source: FeedSource = {
      visibleScopes: () => this.#visibleScopes(),
      rowNow: (noun, rowId) => this.#rowNow(noun, rowId),
      isThere: (noun, rowId) => this.#isThere(noun, rowId),
      now,
    };
    this.#feed = new ModelFeed(source, random);
    this.#feed.onChange = () => this.#nudge();
    this.#feed.pageCap = random.pick([1, 3, 10, 2_000]);
    const id = (): string => random.uuid();
    this.organizations = [{ id: id(), name: 'Office', version: 1 }];
    this.clients = [1, 2].map((no) => ({
      id: id(),
      organization_id: this.organizations[0]?.id ?? '',
      client_name: `Client ${no}`,
      version: 1,
    }));
    this.entities = this.clients.flatMap((client, no) =>
      Array.from({ length: 2 - no }, (_, index) => anEntity(id(), client, `Entity ${no}.${index}`)),
    );
    this.custodians = [{ id: id(), custodian_name: 'Exchange', custodian_type_id: 1, active: true, version: 1 }];
    this.securities = ['BTC', 'ETH'].map((ticker) => ({
      id: id(),
      security_name: ticker,
      security_type_id: 1,
      ticker,
      dart_security_id: null,
      version: 1,
    }));
    this.accounts = this.entities.flatMap((entity) =>
      [1, 2].map((no) => anAccount(id(), entity, this.custodians[0]?.id ?? '', `Account ${no}`)),
    );
    for (const entity of this.entities) {
      for (let no = random.below(40); no > 0; no -= 1) this.addTransaction(entity.id);
      // an exchange's rewards: more rows of one moment than a page holds
      const [burst, at] = [random.chance(0.3) ? random.below(70) : 0, this.#aMoment()];
      for (let no = 0; no < burst; no += 1) this.addTransaction(entity.id, at);
    }
    this.untouched = new Set(this.transactions.keys());
  }

  /** Somebody else's import. Many rows share a moment, and some whole days. */
  addTransaction(entityId: string, at = this.#aMoment()): Transaction {
    const accounts = this.accounts.filter((account) => account.entity_id === entityId);
    const account = this.#random.pick(accounts);
    const row = aTransaction(this.#random.uuid(), account, this.#random.pick(this.securities).id, at, this.#random.pick([1, 2]));
    this.transactions.set(row.id, row);
    this.onChange(row.id, null, row, null);
    this.#feed.log(`entity:${entityId}`, 'transactions', row);
    return row;
  }

  /** Somebody else deletes a row, and with it the matches it is a leg of. */
  deleteTransaction(id: string): void {
    const row = this.transactions.get(id);
    if (!row) return;
    this.transactions.delete(id);
    this.untouched.delete(id);
    this.#feed.log(`entity:${row.entity_id}`, 'transactions', { id, version: row.version + 1 }, true);
    for (const match of this.matches.values()) if (match.out_trx_id === id || match.in_trx_id === id) this.#deleteMatch(match);
  }

  /** Somebody else deletes the latest row. */
  deleteRecent(): void {
    const [latest] = [...this.visibleTransactions()].sort((a, b) => b.trx_date.localeCompare(a.trx_date));
    if (latest) this.deleteTransaction(latest.id);
  }

  /** Somebody else deletes a view of the person, as they would on a device of theirs that is not here. */
  deleteView(id: string, key: string | null = null): void {
    const view = this.views.get(id);
    if (!view) return;
    this.views.delete(id);
    this.#logView({ id, version: view.version + 1 }, true);
    this.onChange(id, view, null, key);
  }

  /** The person may no longer see an entity, or sees it again. */
  setHidden(entityId: string, isHidden: boolean): void {
    if (this.#hidden.has(entityId) === isHidden) return;
    if (isHidden) this.#hidden.add(entityId);
    else this.#hidden.delete(entityId);
    this.#feed.permissions += 1;
    this.#nudge();
    for (const row of this.transactions.values()) if (row.entity_id === entityId) this.untouched.delete(row.id);
  }

  /** Keeps everything as it is, to be restored later. */
  backUp(): void {
    const { transactions, matches, views, effects, answers, latest } = this;
    this.#backup = structuredClone({ transactions, matches, views, effects, answers, latest, answered: this.#answered });
  }

  /** Brings back what was kept. @returns false where nothing was. */
  restore(): boolean {
    if (!this.#backup) return false;
    const kept = structuredClone(this.#backup);
    for (const key of this.effects.keys()) if (!kept.effects.has(key)) this.undone.add(key);
    const refill = <K, V>(map: Map<K, V>, from: ReadonlyMap<K, V>): void => {
      map.clear();
      for (const [key, value] of from) map.set(key, value);
    };
    refill(this.transactions, kept.transactions);
    refill(this.matches, kept.matches);
    refill(this.views, kept.views);
    refill(this.effects, kept.effects);
    refill(this.answers, kept.answers);
    refill(this.latest, kept.latest);
    refill(this.#answered, kept.answered);
    this.untouched.clear();
    this.#feed.startAnew();
    return true;
  }

  /** Somebody's long transaction begins. */
  holdFeed(ms: number): void {
    this.#feed.hold(ms);
  }

  /** What is old is forgotten. */
  forgetChanges(kept: number): void {
    this.#feed.forget(kept);
  }

  /** Which database this is. */
  get generation(): string {
    return this.#mood.hasFeed ? this.#feed.generation : '';
  }

  /** Every change that is told, or will be. */
  get feedLines(): readonly Line[] {
    return this.#feed.lines;
  }

  /** Whether a row is there and may be seen. */
  isThere(id: string): boolean {
    return (['saved_views', 'transactions', 'transaction_matches'] as const).some((noun) => this.#rowNow(noun, id) !== null);
  }

  /** Whether a row is there, whoever may see it. */
  exists(id: string): boolean {
    return this.views.has(id) || this.transactions.has(id) || this.matches.has(id);
  }

  /** Entities the person may not see now. */
  get hiddenEntities(): string[] {
    return [...this.#hidden];
  }

  get hasFeed(): boolean {
    return this.#mood.hasFeed;
  }

  visibleEntities(): Entity[] {
    return this.entities.filter(({ id }) => !this.#hidden.has(id));
  }

  visibleAccounts(): Account[] {
    return this.accounts.filter(({ entity_id }) => !this.#hidden.has(entity_id));
  }

  visibleTransactions(): Transaction[] {
    return [...this.transactions.values()].filter(({ entity_id }) => !this.#hidden.has(entity_id));
  }

  visibleMatches(): TransactionMatch[] {
    return [...this.matches.values()].filter(({ entity_id }) => !this.#hidden.has(entity_id));
  }

  /** Somebody else's change of a row, perhaps of its date. */
  changeTransaction(id: string): void {
    const row = this.transactions.get(id);
    if (!row) return;
    const trx_date = this.#random.chance(0.4) ? new Date(this.#aMoment()).toISOString() : row.trx_date;
    this.#put({ ...row, trx_date, description: `${canaryOf(row.entity_id)}, changed ${row.version}` });
  }

  /** Somebody else's decision about a row, or their correction of its amount. */
  decideTransaction(id: string, isAmount: boolean): void {
    const row = this.transactions.get(id);
    if (!row) return;
    if (isAmount) this.#put({ ...row, quantity: String(Number(row.quantity) + 1) });
    else this.#put({ ...row, match_state: row.match_state === 'APPROVED' ? 'REJECTED' : 'APPROVED' });
  }

  /** Somebody else gives a view another name, or another filter. */
  changeView(id: string, name: string | null): void {
    const view = this.views.get(id);
    if (!view || [...this.views.values()].some((other) => other.name === name)) return;
    const change = name === null ? { search: `q=changed ${view.version}` } : { name };
    this.#putView({ ...view, ...change, version: view.version + 1 }, null);
  }

  /** Somebody else's change of a row of the latest weeks, its date left alone. */
  touchRecent(): void {
    const recent = [...this.transactions.values()].find(({ trx_date }) => this.#now() - Date.parse(trx_date) < 10 * dayMs);
    if (recent) this.#put({ ...recent, description: `${canaryOf(recent.entity_id)}, touched` });
  }

  get comparesVersions(): boolean {
    return this.#mood.comparesVersions;
  }

  handle(request: ModelRequest): ModelAnswer {
    this.requests += 1;
    const endpoint = endpoints.find((each) => each.method === request.method && matches(each.path, request.path));
    if (!endpoint || (request.path.startsWith('/sync/') && !this.#mood.hasFeed)) return { status: 404, body: { detail: 'Not found' } };
    const given = { ...queryOf(request.query), ...(request.body as object | null), ...partsOf(endpoint.path, request.path) };
    const parsed = endpoint.input.safeParse(given);
    if (!parsed.success) return { status: 422, body: { detail: 'Not what the specification says' } };
    if (endpoint.name === 'listChanges') return this.#feed.changes(parsed.data as FeedQuestion);
    const { entity_id } = parsed.data as { entity_id?: string };
    if (entity_id !== undefined && this.#hidden.has(entity_id)) return { status: 403, body: { detail: 'Permission denied' } };
    if (request.method === 'GET') return { status: 200, body: this.#read(endpoint, parsed.data as ListInput) };
    if (Number(request.build) < this.oldestBuild) return { status: 426, body: { detail: 'CLIENT_TOO_OLD' } };
    return this.#once(request.key, () => {
      const about = this.#mood.comparesVersions && request.ifVersion !== null ? endpoint.ifMatch : undefined;
      if (about && request.serverGen !== null && request.serverGen !== this.generation)
        return { status: 409, body: { detail: feedRefusals.generationChanged } };
      const current = about && this.#rowOf(about, parsed.data as Record<string, unknown>);
      if (about && (current?.version ?? 0) !== request.ifVersion)
        return { status: 412, body: { detail: 'The row was changed meanwhile', current: current ?? null } };
      return this.#write(endpoint, parsed.data, request.key);
    });
  }

  #rowOf({ noun, id }: GuardedRow, input: Readonly<Record<string, unknown>>): Row {
    return (noun === 'saved_views' ? this.views : this.transactions).get(String(input[id])) ?? null;
  }

  #nudge(): void {
    for (const tell of this.followers) tell();
  }

  #putView(view: SavedView, key: string | null): void {
    const before = this.views.get(view.id) ?? null;
    this.views.set(view.id, view);
    this.#logView(view);
    this.onChange(view.id, before, view, key);
  }

  #visibleScopes(): { key: string; parent: string }[] {
    const clients = this.clients.map(({ id }) => ({ key: `client:${id}`, parent: 'user' }));
    return [...clients, ...this.visibleEntities().map(({ id, client_id }) => ({ key: `entity:${id}`, parent: `client:${client_id}` }))];
  }

  #rowNow(noun: FeedNoun, id: string): { scope: string; row: Answered } | null {
    if (noun === 'saved_views') {
      const view = this.views.get(id);
      return view ? { scope: 'user', row: view } : null;
    }
    const row = noun === 'transactions' ? this.transactions.get(id) : this.matches.get(id);
    return row && !this.#hidden.has(row.entity_id) ? { scope: `entity:${row.entity_id}`, row } : null;
  }

  #isThere(noun: FeedNoun, id: string): boolean {
    if (noun === 'saved_views') return this.views.has(id);
    return noun === 'transactions' ? this.transactions.has(id) : this.matches.has(id);
  }

  #logView(view: Answered, isGone = false): void {
    this.#viewVersions.set(view.id, view.version);
    this.#feed.log('user', 'saved_views', view, isGone);
  }

  #deleteMatch({ id, entity_id, version }: TransactionMatch): void {
    this.matches.delete(id);
    this.#feed.log(`entity:${entity_id}`, 'transaction_matches', { id, version: version + 1 }, true);
  }

  #aMoment(): number {
    const days = this.#random.pick([0, 1, 5, 20, 45, 100, 400]);
    const hours = this.#random.pick([0, 0, 1, 7]);
    return this.#now() - days * dayMs - hours * 3_600_000 - (this.#random.chance(0.3) ? this.#random.below(1_000) * 1_000 : 0);
  }

  #put(row: Transaction, key: string | null = null): Transaction {
    const next = { ...row, version: row.version + 1 };
    const before = this.transactions.get(row.id) ?? null;
    this.transactions.set(row.id, next);
    this.onChange(row.id, before, next, key);
    this.untouched.delete(row.id);
    this.#feed.log(`entity:${row.entity_id}`, 'transactions', next);
    return next;
  }

  /** A change that bears a key has its effect once, and then the same answer for ever. */
  #once(key: string | null, change: () => ModelAnswer): ModelAnswer {
    const poison = key === null ? undefined : this.poisoned.get(key);
    if (poison !== undefined) return { status: poison, body: { detail: 'Planted' } };
    const known = key === null ? undefined : this.#answered.get(key);
    if (known) return known;
    const answer = change();
    if (key === null || answer.status >= 400) return answer;
    this.#answered.set(key, answer);
    const answered = answer.body as Partial<Answered>;
    this.answers.set(key, answered);
    if (answered.id !== undefined) this.latest.set(answered.id, key);
    this.effects.set(key, (this.effects.get(key) ?? 0) + 1);
    return answer;
  }

  #read(endpoint: Endpoint, input: ListInput): unknown {
    switch (endpoint.name) {
      case 'listOrganizations':
        return this.#page(this.organizations, input);
      case 'listClients':
        return this.clients;
      case 'listEntities':
        return this.visibleEntities();
      case 'listCustodians':
        return this.custodians;
      case 'listSecurities':
        return this.#page(this.securities.toSorted(byId), input);
      case 'listSavedViews':
        return [...this.views.values()];
      case 'listAccounts':
        return this.#page(
          this.visibleAccounts().filter((account) => account.client_id === input.client_id && account.is_inactive === input.is_inactive),
          input,
        );
      case 'listTransactionMatches':
        return this.#page([...this.matches.values()].filter((match) => match.entity_id === input.entity_id).sort(byId), {
          skip: Number(input.offset),
          limit: input.limit,
        });
      case 'listTransactions':
        return this.#transactions(input);
      case 'selectTransactions':
        return ((input.trx_id as string[] | undefined) ?? []).flatMap((id) => {
          const row = this.transactions.get(id);
          return row && !this.#hidden.has(row.entity_id) ? [row] : [];
        });
      case 'hello':
        return this.#feed.hello(Math.min(this.#mood.pageCap, 5_000), this.#mood.comparesVersions);
      case 'followNudges':
        return {};
      default:
        return { version_ctrl: [], latency_info: [] };
    }
  }

  #transactions(input: ListInput): Transaction[] {
    const [from, to] = [Date.parse(String(input.start_date)), input.end_date === undefined ? Infinity : Date.parse(String(input.end_date))];
    const isWithin = ({ trx_date }: Transaction): boolean => {
      const at = Date.parse(trx_date);
      return this.#mood.comparesDays ? dayOf(at) >= dayOf(from) && dayOf(at) <= dayOf(to) : at >= from && at <= to;
    };
    const rows = [...this.transactions.values()].filter((row) => row.entity_id === input.entity_id && isWithin(row));
    return this.#page(
      rows.sort((a, b) => b.trx_date.localeCompare(a.trx_date) || b.id.localeCompare(a.id)),
      input,
    );
  }

  #page<Row>(rows: readonly Row[], { skip, limit }: Readonly<Dated>): Row[] {
    return rows.slice(skip, skip + Math.min(limit, this.#mood.pageCap));
  }

  #write(endpoint: Endpoint, input: unknown, key: string | null): ModelAnswer {
    switch (endpoint.name) {
      case 'saveView':
        return this.#saveView(input as SaveViewInput, key);
      case 'deleteView':
        this.deleteView((input as { id: string }).id, key);
        return { status: 200, body: {} };
      case 'markTransfer':
        return this.#mark(input as MarkTransferInput, key);
      default:
        return { status: 404, body: { detail: 'Not found' } };
    }
  }

  #saveView(input: SaveViewInput, key: string | null): ModelAnswer {
    const isTaken = [...this.views.values()].some((view) => view.id !== input.id && view.name === input.name);
    if (isTaken) return { status: 409, body: { detail: 'Another of your views already has this name' } };
    // ours never goes back behind a version it had; another server may begin again with a row that is made anew
    const before = this.views.get(input.id)?.version ?? (this.#mood.hasFeed ? this.#viewVersions.get(input.id) : undefined);
    const view = { ...input, version: (before ?? 0) + 1, updated_at: new Date(this.#now()).toISOString() };
    this.#putView(view, key);
    return { status: 200, body: view };
  }

  #mark(input: MarkTransferInput, key: string | null): ModelAnswer {
    const leg = this.transactions.get(input.trx_id);
    const counterpart = input.counterpart_id === null ? null : (this.transactions.get(input.counterpart_id) ?? null);
    if (!leg || this.#hidden.has(leg.entity_id)) return { status: 404, body: { detail: 'Transaction not found' } };
    const check = checkTransferMark(leg, counterpart);
    if (!check.ok) return { status: 422, body: { detail: check.reason } };
    const state = stateAfterMark(input);
    const held = [...this.matches.values()].find((match) => match.out_trx_id === check.outId && match.in_trx_id === check.inId);
    const match: TransactionMatch = {
      id: held?.id ?? this.#random.uuid(),
      entity_id: leg.entity_id,
      kind: 'transfer',
      state,
      out_trx_id: check.outId,
      in_trx_id: check.inId,
      quantity_difference: null,
      reason: 'manual',
      score: null,
      source: 'manual',
      version: (held?.version ?? 0) + 1,
    };
    this.matches.set(match.id, match);
    this.#feed.log(`entity:${match.entity_id}`, 'transaction_matches', match);
    for (const row of [leg, counterpart]) if (row) this.#put({ ...row, match_state: state }, key);
    return { status: 200, body: match };
  }
}

/** A text that is in every transaction of an entity, and nowhere else. */
export function canaryOf(entityId: string): string {
  return `canary ${entityId}`;
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at]);
}

function partsOf(pattern: string, path: string): Record<string, string> {
  const given = path.split('/');
  return Object.fromEntries(
    pattern.split('/').flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), decodeURIComponent(given[at] ?? '')]] : [])),
  );
}

function queryOf(query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => [name, query.getAll(name).length > 1 ? query.getAll(name) : query.get(name)]),
  );
}

function anEntity(id: string, client: Client, entity_name: string): Entity {
  return {
    id,
    client_id: client.id,
    organization_id: client.organization_id,
    entity_name,
    entity_type_id: null,
    portfolio_id: null,
    fund_id: null,
    state: null,
    city: null,
    zip_code: null,
    country: null,
    accounting_system_id: null,
    active: true,
    active_accounts: 2,
    inactive_accounts: 0,
    last_update: null,
    version: 1,
  };
}

function anAccount(id: string, entity: Entity, custodian_id: string, account_name: string): Account {
  return {
    id,
    account_name,
    client_id: entity.client_id,
    entity_id: entity.id,
    custodian_id,
    parent_account_id: null,
    account_integration_type_id: 1,
    account_type_id: 1,
    blockchain: null,
    address: null,
    is_inactive: false,
    last_update: null,
    version: 1,
  };
}

function aTransaction(id: string, account: Account, security_id: string, at: number, trx_type_id: number): Transaction {
  return {
    id,
    account_id: account.id,
    entity_id: account.entity_id,
    custodian_id: account.custodian_id,
    security_id,
    custodian_security_id: null,
    trx_type_id,
    trx_date: new Date(at).toISOString(),
    quantity: '1.5',
    price: '2',
    usd_value: '3',
    fee_quantity: null,
    fee_security_id: null,
    fee_usd: null,
    tx_hash: `0x${id.replaceAll('-', '')}`,
    from_address: null,
    to_address: null,
    description: canaryOf(account.entity_id),
    trade_group_id: null,
    manual_trx: false,
    updated_trx: false,
    unpriced_trx: false,
    is_unidentified: false,
    match_state: null,
    version: 1,
  };
}
