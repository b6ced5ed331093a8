import type { Account } from '#contract/accounts.ts';
import type { Custodian } from '#contract/custodians.ts';
import type { Endpoint, GuardedRow } from '#contract/endpoint.ts';
import type { SavedView, SaveViewInput } from '#contract/saved-views.ts';
import type { Security } from '#contract/securities.ts';
import type { MarkTransferInput, TransactionMatch } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import { checkTransferMark, stateAfterMark } from '#domain/transfer-matching.ts';
import { feedRefusals, movedText } from '#contract/errors.ts';
import type { FeedNoun } from '#contract/feed.ts';
import { type FeedQuestion, type FeedSource, type Line, ModelFeed } from './model-feed.ts';
import { endpointAt, partsOf, queryOf } from './model-calls.ts';
import { isSameName, type Made, ModelOffice, type ModelTicket } from './model-office.ts';
import { aTransaction, aUser, anAccount, anEntity, someFigures } from './model-rows.ts';
import type { Row } from './overwrites.ts';
import { type Random, randomOf } from './random.ts';
import {
  aMoment,
  type Answered,
  canaryOf,
  dayMs,
  type Done,
  figureNouns,
  type FigureNoun,
  isFigures,
  officeNouns,
  type OfficeNoun,
  type OfficeRows,
  type ReadRight,
  readRights,
  refill,
  type ServerAnswer,
  type ServerMood,
  type ServerRequest,
  SimServer,
  usedKeyText,
  poisonedAnswer,
  signOf,
} from './sim-server.ts';

/** What a backup has. */
interface Backup {
  done: Done;
  transactions: Map<string, Transaction>;
  matches: Map<string, TransactionMatch>;
  views: Map<string, SavedView>;
  office: OfficeRows;
  accounts: Account[];
  tickets: Map<string, ModelTicket>;
  answered: Map<string, Answer>;
}

/** A change, in words, and the key it bears. */
interface Keyed {
  key: string | null;
  method: string;
  change: string;
}

/** What a key was answered, and which change it was borne by. */
interface Answer {
  answer: ServerAnswer;
  /** The change in words. */
  change: string;
}

interface Dated {
  skip: number;
  limit: number;
}

type ListInput = Dated & Readonly<Record<string, unknown>>;

const dayOf = (moment: number): number => Math.floor(moment / dayMs);
/** How much later than at Greenwich a day begins where a server reads days of another zone. */
const elsewhereMs = 6 * 3_600_000;

/** The specification's server, in memory and without faults. */
export class ModelServer extends SimServer {
  readonly accounts: Account[];
  readonly custodians: Custodian[];
  readonly securities: Security[];
  readonly #answered = new Map<string, Answer>();
  readonly #random: Random;
  readonly #now: () => number;
  readonly #feed: ModelFeed;
  readonly #office: ModelOffice;
  /** The latest version that ever was of each view. */
  readonly #viewVersions = new Map<string, number>();
  /** The version of what each entity has of figures; absent for the first one. */
  readonly #figures: Record<FigureNoun, Map<string, number>> = { entity_worklists: new Map(), value_histories: new Map() };
  #backup: Backup | null = null;
  /** How often an answer was made to lack a row, and whether the next one is to. */
  readonly #lacking = { answers: 0, isNext: false };

  constructor(random: Random, now: () => number, mood: ServerMood, userId = 'accountant') {
    super(mood, userId);
    this.#random = random;
    this.#now = now;
    const source: FeedSource = {
      visibleScopes: () => this.#visibleScopes(),
      rowNow: (noun, rowId) => this.#rowNow(noun, rowId),
      isThere: (_noun, rowId) => this.exists(rowId),
      now,
    };
    this.#feed = new ModelFeed(source, random);
    this.#feed.onChange = () => this.nudge();
    this.#feed.pageCap = random.pick([1, 3, 10, 2_000]);
    const id = (): string => random.uuid();
    this.#office = new ModelOffice({
      server: this,
      uuid: () => this.#random.uuid(),
      namesTickets: mood.namesTickets,
      log: (noun, row, isGone) => this.#feed.log('user', noun, row, isGone),
      onNewEntity: (id) => this.#tellFigures(id),
      onGonePlace: () => this.#losePlace(),
    });
    const organization = this.#office.begin('organizations', { id: id(), name: 'Office' });
    const clients = [1, 2].map((no) => ({ id: id(), organization_id: organization, client_name: `Client ${no}` }));
    for (const client of clients) this.#office.begin('clients', client);
    for (const [no, client] of clients.entries())
      for (let index = 0; index < 2 - no; index += 1) this.#office.begin('entities', anEntity(id(), client, `Entity ${no}.${index}`));
    const people = randomOf(`people of ${organization}`);
    for (const no of [1, 2]) this.#office.begin('users', aUser(people.uuid(), `Person ${no}`, organization));
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
      const [burst, at] = [random.chance(0.3) ? random.below(70) : 0, aMoment(this.#random, this.#now())];
      for (let no = 0; no < burst; no += 1) this.addTransaction(entity.id, at);
    }
    for (const id of this.transactions.keys()) this.untouched.add(id);
  }

  /** A client or an entity is gone: nothing in it may be seen any more. */
  #losePlace(): void {
    this.#feed.permissions += 1;
    this.nudge();
    for (const id of this.untouched) if (!this.isEntitySeen(this.transactions.get(id)?.entity_id ?? '')) this.untouched.delete(id);
  }

  elsewhere(endpoint: Endpoint, input: object): void {
    // what the contract makes of it, as of any call
    const parsed = endpoint.input.parse(input);
    this.#write(endpoint, parsed, null);
  }

  addTransactions(entityId: string, count: number): void {
    this.#feed.nextChange();
    for (let no = 0; no < count; no += 1) this.#import(entityId, aMoment(this.#random, this.#now()));
  }

  /** Somebody else's import. Many rows share a moment, and some whole days. */
  addTransaction(entityId: string, at = aMoment(this.#random, this.#now())): void {
    this.#feed.nextChange();
    this.#import(entityId, at);
  }

  #import(entityId: string, at: number): void {
    const accounts = this.#accountsOf(entityId);
    if (accounts.length === 0) return;
    const account = this.#random.pick(accounts);
    const row = aTransaction(this.#random.uuid(), account, this.#random.pick(this.securities).id, at, this.#random.pick([1, 2]));
    this.transactions.set(row.id, row);
    this.onChange(row.id, null, row, null);
    this.#feed.log(`entity:${entityId}`, 'transactions', row);
  }

  /** The accounts of an entity: what is imported into one that was just made needs one first. */
  #accountsOf(entityId: string): Account[] {
    const held = this.accounts.filter((account) => account.entity_id === entityId);
    const entity = this.office.entities.get(entityId);
    if (held.length > 0 || !entity) return held;
    const account = anAccount(this.#random.uuid(), entity, this.custodians[0]?.id ?? '', 'Account');
    this.accounts.push(account);
    this.#feed.log(`client:${entity.client_id}`, 'accounts', account);
    this.#office.put('entities', { id: entityId, active_accounts: 1 });
    return [account];
  }

  /** Somebody else deletes a row, and with it the matches it is a leg of. */
  deleteTransaction(id: string): void {
    this.#feed.nextChange();
    const row = this.transactions.get(id);
    if (!row) return;
    this.transactions.delete(id);
    this.untouched.delete(id);
    this.#feed.log(`entity:${row.entity_id}`, 'transactions', { id, version: row.version + 1 }, true);
    for (const match of this.matches.values()) if (match.out_trx_id === id || match.in_trx_id === id) this.#deleteMatch(match);
  }

  /** Somebody else deletes a view of the person, as they would on a device of theirs that is not here. */
  deleteView(id: string, key: string | null = null): void {
    this.#feed.nextChange();
    const view = this.views.get(id);
    if (!view) return;
    this.views.delete(id);
    this.#logView({ id, version: view.version + 1 }, true);
    this.onChange(id, view, null, key);
  }

  /** The person may no longer see an entity, or sees it again. */
  setHidden(entityId: string, isHidden: boolean): void {
    if (this.hidden.has(entityId) === isHidden) return;
    if (isHidden) this.hidden.add(entityId);
    else this.hidden.delete(entityId);
    this.#feed.permissions += 1;
    this.nudge();
    for (const row of this.transactions.values()) if (row.entity_id === entityId) this.untouched.delete(row.id);
  }

  /** Its accounts name its client, and go with it, in one change. */
  moveEntity(entityId: string, clientId: string): void {
    this.#feed.nextChange();
    const [entity, client] = [this.office.entities.get(entityId), this.office.clients.get(clientId)];
    if (!entity || !client || entity.client_id === clientId) return;
    for (const [at, account] of this.accounts.entries()) {
      if (account.entity_id !== entityId) continue;
      const moved = { ...account, client_id: clientId, version: account.version + 1 };
      this.accounts[at] = moved;
      this.#feed.logMoved(`client:${entity.client_id}`, 'accounts', moved);
      this.#feed.log(`client:${clientId}`, 'accounts', moved);
    }
    this.#feed.logMoved('user', 'entities', { id: entityId, version: entity.version + 1 });
    this.#office.put('entities', { id: entityId, client_id: clientId, organization_id: client.organization_id });
    for (const noun of figureNouns) this.#changeFigures(noun, entityId, entity.client_id);
    this.#feed.permissions += 1;
    this.nudge();
  }

  setWithheld(rights: readonly ReadRight[]): void {
    this.withhold(rights);
    this.#feed.permissions += 1;
    this.nudge();
  }

  backUp(): void {
    const { transactions, matches, views, office, accounts } = this;
    const { tickets } = this.#office;
    this.#backup = structuredClone({
      done: this.done(),
      transactions,
      matches,
      views,
      office,
      accounts,
      tickets,
      answered: this.#answered,
    });
  }

  restore(): boolean {
    if (!this.#backup) return false;
    const kept = structuredClone(this.#backup);
    this.undo(kept.done);
    refill(this.transactions, kept.transactions);
    refill(this.matches, kept.matches);
    refill(this.views, kept.views);
    for (const noun of officeNouns) refill(this.#office.rows(noun), kept.office[noun] as Map<string, never>);
    this.accounts.splice(0, this.accounts.length, ...kept.accounts);
    refill(this.#office.tickets, kept.tickets);
    refill(this.#answered, kept.answered);
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

  get generation(): string {
    return this.mood.hasFeed ? this.#feed.generation : '';
  }

  get permissions(): number {
    return this.#feed.permissions;
  }

  get feedCap(): number {
    return this.#feed.pageCap;
  }

  get feedLines(): readonly Line[] {
    return this.#feed.lines;
  }

  placeOf(cursor: string): number {
    return Number(cursor.split('.')[0]);
  }

  /** Somebody else's change of a row, perhaps of its date; to this one where it is given. */
  changeTransaction(id: string, date?: string): void {
    this.#feed.nextChange();
    const row = this.transactions.get(id);
    if (!row) return;
    const other = this.#random.chance(0.4) ? new Date(aMoment(this.#random, this.#now())).toISOString() : row.trx_date;
    const trx_date = date ?? other;
    this.#put({ ...row, trx_date, description: `${canaryOf(row.entity_id)}, changed ${row.version}` });
  }

  /** Somebody else's decision about a row, or their correction of its amount. */
  decideTransaction(id: string, isAmount: boolean): void {
    this.#feed.nextChange();
    const row = this.transactions.get(id);
    if (!row) return;
    // and other rows are left to do
    this.#changeFigures('entity_worklists', row.entity_id);
    if (isAmount) this.#put({ ...row, quantity: String(Number(row.quantity) + 1) });
    else this.#put({ ...row, match_state: row.match_state === 'APPROVED' ? 'REJECTED' : 'APPROVED' });
  }

  /** Somebody else marks two rows as a transfer. */
  markPair(id: string, counterpart_id: string): void {
    this.#feed.nextChange();
    this.#mark({ trx_id: id, counterpart_id, is_transfer: true }, null);
  }

  /** Somebody else gives a view another name, or another filter. */
  changeView(id: string, name: string | null): void {
    this.#feed.nextChange();
    const view = this.views.get(id);
    if (!view || [...this.views.values()].some((other) => name !== null && isSameName(this, other.name, name))) return;
    const change = name === null ? { search: `q=changed ${view.version}` } : { name };
    this.#putView({ ...view, ...change, version: view.version + 1 }, null);
  }

  /** Another device of the person makes a view anew. */
  remakeView(id: string, name: string): void {
    this.#feed.nextChange();
    if (!this.views.has(id)) this.#saveView({ id, name, list: 'transactions', search: 'q=made anew' }, null);
  }

  /** Somebody else's change of a row of the latest weeks, its date left alone. */
  touchRecent(): void {
    this.#feed.nextChange();
    const recent = [...this.transactions.values()].find(({ trx_date }) => this.#now() - Date.parse(trx_date) < 10 * dayMs);
    if (recent) this.#put({ ...recent, description: `${canaryOf(recent.entity_id)}, touched` });
  }

  handle(request: ServerRequest): ServerAnswer {
    this.sent = request.sent;
    const answer = this.#answer(request);
    this.sent = null;
    return answer;
  }

  #answer(request: ServerRequest): ServerAnswer {
    this.requests += 1;
    const endpoint = endpointAt(request.method, request.path);
    if (!endpoint || (request.path.startsWith('/sync/') && !this.mood.hasFeed)) return { status: 404, body: { detail: 'Not found' } };
    const given = { ...queryOf(request.query), ...(request.body as object | null), ...partsOf(endpoint.path, request.path) };
    const parsed = endpoint.input.safeParse(given);
    if (!parsed.success) return { status: 422, body: { detail: 'Not what the specification says' } };
    const isOld = Number(request.build) < this.oldestBuild;
    const tooOld = { status: 426, body: { detail: feedRefusals.clientTooOld } };
    // ours says so to who asks for changes, and takes edits of any build
    if (endpoint.name === 'listChanges') return isOld ? tooOld : this.#feed.changes(parsed.data as FeedQuestion);
    const { entity_id } = parsed.data as { entity_id?: string };
    if (entity_id !== undefined && !this.isEntitySeen(entity_id))
      return this.mood.hidesQuietly ? { status: 200, body: [] } : { status: 403, body: { detail: 'Permission denied' } };
    const lists = readRights.find((right) => right === endpoint.permission);
    if (lists && this.withheld.has(lists)) return { status: 403, body: { detail: 'Permission denied' } };
    if (request.method === 'GET') {
      const body = this.#lackingOne(endpoint, this.#read(endpoint, parsed.data as ListInput));
      return body === undefined ? { status: 404, body: { detail: 'Not found' } } : { status: 200, body };
    }
    if (isOld && !this.hasFeed) return tooOld;
    const { key, method } = request;
    const change = JSON.stringify([method, request.path, parsed.data]);
    return this.#once({ key, method, change }, () => {
      const about = this.mood.comparesVersions && request.ifVersion !== null ? endpoint.ifMatch : undefined;
      if (about && request.serverGen !== null && request.serverGen !== this.generation)
        return { status: 409, body: { detail: feedRefusals.generationChanged } };
      const current = about && this.#rowOf(about, parsed.data as Record<string, unknown>);
      if (about && (current?.version ?? 0) !== request.ifVersion)
        return { status: 412, body: { detail: 'The row was changed meanwhile', current: current ?? null } };
      const other = about && endpoint.restsOn !== undefined && request.restsOn !== null ? { noun: about.noun, id: endpoint.restsOn } : null;
      const rests_on = other && this.#rowOf(other, parsed.data as Record<string, unknown>);
      if (other && (rests_on?.version ?? 0) !== request.restsOn)
        return { status: 409, body: { detail: movedText, rests_on: rests_on ?? null } };
      return this.#write(endpoint, { ...(parsed.data as object), ...(request.file ? { file: request.file } : {}) }, request.key);
    });
  }

  /** The next list of places lacks a row that is there, as where a server is being filled. What three lists lack nobody can tell from what went. */
  lackRow(): void {
    this.#lacking.isNext = this.#lacking.answers < 2 && !this.mood.hasFeed;
  }

  #lackingOne({ name }: Endpoint, body: unknown): unknown {
    if (!this.#lacking.isNext || !(name === 'listClients' || name === 'listEntities') || !Array.isArray(body)) return body;
    this.#lacking.isNext = false;
    this.#lacking.answers += 1;
    const [left, ...others] = body as readonly Answered[];
    if (left) this.leftOutAt.set(left.id, this.#now());
    return others;
  }

  #rowOf({ noun, id: name }: GuardedRow, input: Readonly<Record<string, unknown>>): Row {
    const id = String(input[name]);
    if (noun === 'saved_views') return this.views.get(id) ?? null;
    if (noun !== 'transactions') return this.officeRow(noun, id) ?? null;
    return this.isThere(id) ? (this.transactions.get(id) ?? null) : null;
  }

  #putView(view: SavedView, key: string | null): void {
    const before = this.views.get(view.id) ?? null;
    this.views.set(view.id, view);
    this.#logView(view);
    this.onChange(view.id, before, view, key);
  }

  #visibleScopes(): { key: string; parent: string }[] {
    const clients = (this.mayRead('account_read') ? [...this.office.clients.keys()] : []).map((id) => ({
      key: `client:${id}`,
      parent: 'user',
    }));
    const followed = this.maySeeTransactions ? this.visibleEntities() : [];
    return [...clients, ...followed.map(({ id, client_id }) => ({ key: `entity:${id}`, parent: `client:${client_id}` }))];
  }

  #rowNow(noun: FeedNoun, id: string): { scope: string; row: Answered } | null {
    if (noun === 'saved_views') {
      const view = this.views.get(id);
      return view ? { scope: 'user', row: view } : null;
    }
    if (noun === 'accounts') {
      const account = this.visibleAccounts().find((each) => each.id === id);
      return account ? { scope: `client:${account.client_id}`, row: account } : null;
    }
    if (isFigures(noun)) {
      const row = this.visibleFigures(noun).find((each) => each.id === id);
      return row ? { scope: `client:${row.client_id}`, row } : null;
    }
    if (isOfOffice(noun)) {
      const row = this.officeRow(noun, id);
      return row ? { scope: 'user', row } : null;
    }
    const row = noun === 'transactions' ? this.transactions.get(id) : this.matches.get(id);
    return row && this.isThere(id) ? { scope: `entity:${row.entity_id}`, row } : null;
  }

  /** The specification knows of none. */
  override visibleFigures(noun: FigureNoun): (Answered & { client_id: string })[] {
    if (!this.hasFeed || !this.mayRead('account_read')) return [];
    // the worklist is for who may read all it is counted from
    if (noun === 'entity_worklists' && !(this.maySeeTransactions && this.maySeeMatches)) return [];
    return this.visibleEntities().map((entity) => someFigures[noun](entity, this.#figures[noun].get(entity.id) ?? 1));
  }

  #figuresOf(noun: FigureNoun, clientId: unknown): Answered[] {
    return this.visibleFigures(noun)
      .filter(({ client_id }) => client_id === clientId)
      .sort(byId);
  }

  #tellFigures(entityId: string): void {
    for (const noun of figureNouns) this.#changeFigures(noun, entityId);
  }

  /** Figures are others than they were. @param from the client they lay in, where that is another one now. */
  #changeFigures(noun: FigureNoun, entityId: string, from: string | null = null): void {
    const client = this.office.entities.get(entityId)?.client_id;
    if (client === undefined) return;
    const row = { id: entityId, version: (this.#figures[noun].get(entityId) ?? 1) + 1 };
    this.#figures[noun].set(entityId, row.version);
    if (from !== null) this.#feed.logMoved(`client:${from}`, noun, row);
    this.#feed.log(`client:${client}`, noun, row);
  }

  #logView(view: Answered, isGone = false): void {
    this.#viewVersions.set(view.id, view.version);
    this.#feed.log('user', 'saved_views', view, isGone);
  }

  #putMatch(match: TransactionMatch): void {
    this.matches.set(match.id, match);
    this.#feed.log(`entity:${match.entity_id}`, 'transaction_matches', match);
  }

  /** Those that nobody refused. */
  #liveMatchesOf(legs: readonly string[]): TransactionMatch[] {
    return [...this.matches.values()].filter((match) => match.state !== 'REJECTED' && legsOf(match).some((id) => legs.includes(id)));
  }

  /** @returns the row, where that changed it. */
  #decide(id: string, match_state: Transaction['match_state'], key: string | null, isNews = false): Transaction[] {
    const row = this.transactions.get(id);
    return row && (isNews || row.match_state !== match_state) ? [this.#put({ ...row, match_state }, key)] : [];
  }

  #deleteMatch({ id, entity_id, version }: TransactionMatch): void {
    this.matches.delete(id);
    this.#feed.log(`entity:${entity_id}`, 'transaction_matches', { id, version: version + 1 }, true);
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

  /**
   * A change that bears a key has its effect once, and then the same answer for ever. A server that keeps no keys makes it again: what is
   * the same again is no other effect.
   */
  #once({ key, method, change: said }: Keyed, change: () => ServerAnswer): ServerAnswer {
    const poison = key === null ? undefined : this.poisoned.get(key);
    if (poison !== undefined) return poisonedAnswer(poison);
    const known = key === null ? undefined : this.#answered.get(key);
    if (known && this.keepsKeys && known.change !== said) return { status: 422, body: { detail: usedKeyText } };
    if (known && this.keepsKeys) return known.answer;
    const { isThere, ...answer }: Made = change();
    if (key === null || answer.status >= 400) return answer;
    const left = answer.body as Partial<Answered>;
    const isEffect = known === undefined || (method === 'POST' && isThere !== true);
    if (isEffect) this.noteEffect(key, left);
    // the row went meanwhile, and begins again
    else if ((left.version ?? 0) < ((known.answer.body as Partial<Answered>).version ?? 0)) this.noteAnswer(key, left);
    this.#answered.set(key, { answer, change: said });
    return answer;
  }

  #read(endpoint: Endpoint, input: ListInput): unknown {
    switch (endpoint.name) {
      case 'listOrganizations':
        return this.#page(this.#listed('organizations', input), input);
      case 'listClients':
        return this.#whole(this.#listed('clients', input), input);
      case 'listEntities':
        return this.#whole(this.#listed('entities', input), input);
      case 'getEntity':
        return this.officeRow('entities', String(input.id));
      case 'listCustodians':
        return this.custodians;
      case 'listSecurities':
        return this.#page(this.securities.toSorted(byId), input);
      case 'listSavedViews':
        return [...this.views.values()];
      case 'listUsers':
        return this.#page(this.#listed('users', input).sort(byId), input);
      case 'listArchivedAssets':
        return this.#page(this.#listed('archived_assets', input).sort(byId), input);
      case 'listAccounts':
        return this.#page(
          this.visibleAccounts().filter((account) => account.client_id === input.client_id && account.is_inactive === input.is_inactive),
          input,
        );
      case 'listEntityWorklists':
        return this.#page(this.#figuresOf('entity_worklists', input.client_id), input);
      case 'listValueHistories':
        return this.#page(this.#figuresOf('value_histories', input.client_id), input);
      case 'listTransactionMatches':
        return this.#page(this.#matchesOf(input.entity_id).sort(byId), { skip: Number(input.offset), limit: input.limit });
      case 'countTransactionMatches':
        return { count: this.#matchesOf(input.entity_id).length };
      case 'listTransactions':
        return this.#transactions(input);
      case 'selectTransactions':
        return this.#selected([input.trx_id ?? []].flat() as string[]);
      case 'hello':
        return this.#feed.hello(Math.min(this.mood.pageCap, 5_000), this.mood.comparesVersions);
      case 'getMe':
        return {
          id: this.userId,
          email: 'person@example.org',
          name: null,
          is_superuser: false,
          permissions: Object.fromEntries(readRights.map((right) => [right, !this.withheld.has(right)])),
        };
      case 'followNudges':
        return {};
      default:
        return { version_ctrl: [], latency_info: [] };
    }
  }

  #transactions(input: ListInput): Transaction[] {
    const [from, to] = [Date.parse(String(input.start_date)), input.end_date === undefined ? Infinity : Date.parse(String(input.end_date))];
    const isWithin = ({ trx_date }: Transaction): boolean => {
      const at = momentOf(trx_date);
      switch (this.mood.upTo) {
        case 'moment':
          return at >= from && at <= to;
        case 'day':
          return dayOf(at) >= dayOf(from) && dayOf(at) <= dayOf(to);
        case 'midnight':
          return at >= from && at <= dayOf(to) * dayMs;
        case 'midnight_elsewhere':
          return at >= from && at <= dayOf(to - elsewhereMs) * dayMs + elsewhereMs;
        case 'before':
          return at >= from && at < to;
      }
    };
    const rows = [...this.transactions.values()].filter((row) => row.entity_id === input.entity_id && isWithin(row));
    return this.#page(
      rows.sort((a, b) => (a.trx_date === b.trx_date ? byId(b, a) : a.trx_date < b.trx_date ? 1 : -1)),
      input,
    );
  }

  /** Rows by their ids; undefined where the server refuses. */
  #selected(ids: readonly string[]): Transaction[] | undefined {
    const asked = this.mood.selects === 'first' ? ids.slice(0, 1) : ids;
    const found = asked.flatMap((id) => {
      const row = this.transactions.get(id);
      return row && this.isEntitySeen(row.entity_id) ? [row] : [];
    });
    return this.mood.selects === 'all_or_none' && found.length < asked.length ? undefined : found;
  }

  #matchesOf(entityId: unknown): TransactionMatch[] {
    return [...this.matches.values()].filter(({ entity_id }) => entity_id === entityId);
  }

  /** The rows of a list, by name; a server of the specification knows no id in it. */
  #listed(noun: OfficeNoun, { id, organization_id, client_id }: ListInput): Answered[] {
    const isAsked = (row: Readonly<Record<string, unknown>>): boolean =>
      (id === undefined || !this.mood.hasFeed || row.id === id) &&
      (organization_id === undefined || row.organization_id === organization_id) &&
      (client_id === undefined || row.client_id === client_id);
    return (this.visibleOffice(noun) as (Answered & Readonly<Record<string, unknown>>)[]).filter(isAsked);
  }

  /** A list of which the specification knows no second page. */
  #whole<Row>(rows: readonly Row[], input: Readonly<Dated>): readonly Row[] {
    return this.mood.hasFeed ? this.#page(rows, input) : rows;
  }

  #page<Row>(rows: readonly Row[], { skip, limit }: Readonly<Dated>): Row[] {
    return rows.slice(skip, skip + Math.min(limit, this.mood.pageCap));
  }

  #write(endpoint: Endpoint, input: unknown, key: string | null): Made {
    this.#feed.nextChange();
    switch (endpoint.name) {
      case 'saveView':
        return this.#saveView(input as SaveViewInput, key);
      case 'deleteView':
        this.deleteView((input as { id: string }).id, key);
        return { status: 200, body: {} };
      case 'markTransfer':
        return this.#mark(input as MarkTransferInput, key);
      default:
        return this.#office.answer(endpoint, input, key) ?? { status: 404, body: { detail: 'Not found' } };
    }
  }

  #saveView(input: SaveViewInput, key: string | null): ServerAnswer {
    const isTaken = [...this.views.values()].some((view) => view.id !== input.id && isSameName(this, view.name, input.name));
    if (isTaken) return { status: 409, body: { detail: 'Another of your views already has this name' } };
    // ours never goes back behind a version it had; another server may begin again with a row that is made anew
    const before = this.views.get(input.id)?.version ?? (this.mood.hasFeed ? this.#viewVersions.get(input.id) : undefined);
    const view = { ...input, version: (before ?? 0) + 1, updated_at: new Date(this.#now()).toISOString() };
    this.#putView(view, key);
    return { status: 200, body: view };
  }

  #mark(input: MarkTransferInput, key: string | null): ServerAnswer {
    const leg = this.transactions.get(input.trx_id);
    const counterpart = input.counterpart_id === null ? null : (this.transactions.get(input.counterpart_id) ?? null);
    const isUnseen = (row: Transaction | null | undefined): boolean => !row || !this.isThere(row.id);
    if (!leg || isUnseen(leg) || (input.counterpart_id !== null && isUnseen(counterpart)))
      return { status: 404, body: { detail: 'Transaction not found' } };
    const check = checkTransferMark(leg, counterpart);
    if (!check.ok) return { status: 422, body: { detail: check.reason } };
    const state = stateAfterMark(input);
    const legs = [check.outId, check.inId].filter((id) => id !== null);
    const held = [...this.matches.values()].find((match) => match.out_trx_id === check.outId && match.in_trx_id === check.inId);
    const live = this.#liveMatchesOf(legs).filter((match) => match !== held);
    // that two rows are no pair says nothing of their other matches; anything else takes their place
    const isPairRefused = state === 'REJECTED' && legs.length === 2;
    const rivals = isPairRefused ? [] : live;
    for (const rival of rivals) this.#putMatch({ ...rival, state: 'REJECTED', version: rival.version + 1 });
    const match: TransactionMatch = {
      id: held?.id ?? this.#random.uuid(),
      entity_id: leg.entity_id,
      kind: 'transfer',
      state,
      out_trx_id: check.outId,
      in_trx_id: check.inId,
      quantity_difference: null,
      reason: signOf(leg.entity_id),
      score: null,
      source: 'manual',
      version: (held?.version ?? 0) + 1,
    };
    this.#putMatch(match);
    const partners = rivals.flatMap(legsOf).filter((id) => !legs.includes(id) && this.#liveMatchesOf([id]).length === 0);
    const freed = partners.flatMap((id) => this.#decide(id, null, key));
    const heldLegs = isPairRefused ? live.flatMap(legsOf) : [];
    // paired with another row a leg is another one, be it that its state stays
    const isNews = !isPairRefused && (rivals.length > 0 || held?.state !== state);
    const decided = legs.flatMap((id) => (heldLegs.includes(id) ? [] : this.#decide(id, state, key, isNews)));
    const changed_transactions = [...freed, ...decided].map(({ id, version, match_state: is }) => ({ id, version, match_state: is }));
    // the specification knows of no such thing
    return { status: 200, body: this.mood.comparesVersions ? { ...match, changed_transactions } : match };
  }
}

function isOfOffice(noun: FeedNoun): noun is OfficeNoun {
  return (officeNouns as readonly FeedNoun[]).includes(noun);
}

function legsOf({ out_trx_id, in_trx_id }: TransactionMatch): string[] {
  return [out_trx_id, in_trx_id].filter((id) => id !== null);
}

const moments = new Map<string, number>();

/** UTC milliseconds of a text; there are few, and each is asked for often. */
function momentOf(text: string): number {
  const known = moments.get(text) ?? Date.parse(text);
  if (moments.size > 20_000) moments.clear();
  moments.set(text, known);
  return known;
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
