import type { FastifyInstance } from 'fastify';
import { sql } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { followNudges, type FeedNoun, listChanges } from '#contract/feed.ts';
import type { Client } from '#contract/clients.ts';
import { type Endpoint, pathParts } from '#contract/endpoint.ts';
import { feedRefusals } from '#contract/errors.ts';
import type { MutationName } from '#contract/mutations.ts';
import type { Entity } from '#contract/entities.ts';
import type { Security } from '#contract/securities.ts';
import type { NounRow } from '#replica/reducers.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import { type transactions } from '#server/database/tables/transactions.ts';
import { entityAssignments } from '#server/database/tables/users.ts';
import { forgetChanges, generationOf } from '#server/repositories/change-log.ts';
import { type FeedRow, rowsNow } from '#server/repositories/feed-rows.ts';
import { restrict, someTransactions, transactionRow } from '#tests/support/world.ts';
import type { Line } from './model-feed.ts';
import type { Row } from './overwrites.ts';
import type { Random } from './random.ts';
import {
  aMoment,
  type Answered,
  canaryOf,
  dayMs,
  type Done,
  type OfficeNoun,
  type ReadRight,
  refill,
  type ServerAnswer,
  type ServerRequest,
  SimServer,
  poisonedAnswer,
} from './sim-server.ts';
import type { ServerPorts } from './world.ts';

/** What a person works with at a server, and their session. */
export interface Place {
  app: FastifyInstance;
  db: Db;
  userId: string;
  cookie: string;
  clients: Client[];
  /** The one that the person sees whatever they see of entities. */
  wholeClientId: string;
  entities: Entity[];
  accounts: Account[];
  securities: Security[];
  /** Which database it is, and the last line of its log, before anything happens. */
  generation: string;
  begins: Logged | null;
}

/** A place in the log. */
export interface Logged {
  xid: string;
  seq: string;
}

/** A line of the log as it lies there. */
interface LogRow extends Logged {
  scope: string;
  noun: FeedNoun;
  row_id: string;
  op: 'put' | 'del';
  version: number;
  at: string;
}

const mirrored = ['saved_views', 'transactions', 'transaction_matches', 'clients', 'entities', 'archived_assets'] as const;
type Mirrored = (typeof mirrored)[number];
const isMirrored = (noun: FeedNoun): noun is Mirrored => (mirrored as readonly FeedNoun[]).includes(noun);
/** What a backup has, but for what nobody changes. Rows that others are made of come first. */
const kept = [
  'saved_views',
  'transactions',
  'transaction_matches',
  'archived_assets',
  'tickets',
  'ticket_attachments',
  'idempotency',
] as const;
/** What it has of rows that nobody makes or deletes here, and all else lies in. */
const keptFields = {
  clients: ['client_name', 'version'],
  entities: ['client_id', 'entity_name', 'city', 'version'],
  accounts: ['version'],
} as const;
type KeptPlace = keyof typeof keptFields;
const keptPlaces = Object.keys(keptFields) as KeptPlace[];

/**
 * The edits of these worlds. Nothing is made or deleted in which other things lie: a backup would have to bring back whole places. And of
 * organizations and people an accountant may change nothing.
 */
const takenEdits: ReadonlySet<MutationName> = new Set<MutationName>([
  'saveView',
  'deleteView',
  'markTransfer',
  'updateClient',
  'updateEntity',
  'archiveAsset',
  'unarchiveAsset',
  'submitTicket',
  'attachToTicket',
]);

const boundary = 'a-part-of-the-form';

/** A form with an image of a name and size, as bytes: what is in it nobody here looks at. */
function formOf(fields: Readonly<Record<string, string>>, file: string): { headers: Record<string, string>; payload: Buffer } {
  const [, name = '', size = '0'] = /^(.*) (\d+)$/.exec(file) ?? [];
  const image = Buffer.alloc(Math.max(Number(size), pngStart.length));
  pngStart.copy(image);
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(parts.join('') + head), image, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, payload };
}

/** How a PNG begins. */
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The real server, in this process, on its database. What others do there is done past its calls, in the database, but what the person
 * does on another device. What there is, and what changed, is read from the database after each change: nothing here decides anything.
 * In front of it a gateway plants what the seed wants: answers of fewer rows, no feed, calls that are refused.
 */
export class RealServer extends SimServer {
  readonly accounts: Account[];
  readonly securities: Security[];
  readonly #place: Place;
  readonly #random: Random;
  readonly #now: () => number;
  readonly #log: LogRow[] = [];
  readonly #lines: Line[] = [];
  /** Changes told at once at most. */
  readonly #feedCap: number;
  #generation: string;
  #last: Logged | null;
  #backup: Done | null = null;

  constructor(place: Place, { random, now, mood }: ServerPorts) {
    super({ ...mood, upTo: 'moment', comparesVersions: mood.hasFeed }, place.userId);
    this.#place = place;
    this.#random = random;
    this.#now = now;
    this.#feedCap = random.pick([1, 3, 10, 2_000]);
    this.#generation = place.generation;
    this.#last = place.begins;
    refill(this.office.clients, new Map(place.clients.map((row) => [row.id, row])));
    refill(this.office.entities, new Map(place.entities.map((row) => [row.id, row])));
    this.accounts = place.accounts;
    this.securities = place.securities;
  }

  get generation(): string {
    return this.mood.hasFeed ? this.#generation : '';
  }

  get feedCap(): number {
    return this.#feedCap;
  }

  get permissions(): null {
    return null;
  }

  get feedLines(): readonly Line[] {
    return this.#lines;
  }

  placeOf(cursor: string): number {
    const [xid = '', seq = ''] = cursor.split('.');
    const isBehind = (line: Logged): boolean =>
      BigInt(line.xid) < BigInt(xid) || (BigInt(line.xid) === BigInt(xid) && BigInt(line.seq) <= BigInt(seq));
    const at = this.#log.findIndex((line) => !isBehind(line));
    return at < 0 ? this.#log.length : at;
  }

  /** Keys are kept whether or not the gateway lets anybody know of it. */
  override get keepsKeys(): boolean {
    return true;
  }

  override get hidesClients(): boolean {
    return true;
  }

  /** The others nobody changes here, and a person sees of them what the server says. */
  override get officeNouns(): readonly OfficeNoun[] {
    return mirrored.filter((noun) => noun === 'clients' || noun === 'entities' || noun === 'archived_assets');
  }

  override takes(name: MutationName): boolean {
    return takenEdits.has(name);
  }

  /** A client is seen with any of its entities. */
  override officeRow<N extends OfficeNoun>(noun: N, id: string): NounRow[N] | undefined {
    const row = super.officeRow(noun, id);
    const client =
      noun === 'clients' ? id : noun === 'archived_assets' ? (row as NounRow['archived_assets'] | undefined)?.client_id : undefined;
    return client === undefined || this.#isClientSeen(client) ? row : undefined;
  }

  /** What lies in the client that is seen whole is seen whatever is assigned. */
  override isEntitySeen(id: string): boolean {
    return super.isEntitySeen(id) || this.office.entities.get(id)?.client_id === this.#place.wholeClientId;
  }

  #isClientSeen(id: string): boolean {
    return id === this.#place.wholeClientId || this.visibleEntities().some(({ client_id }) => client_id === id);
  }

  /** Somebody else's call, of who may do everything. */
  async elsewhere({ method, path }: Endpoint, input: object): Promise<void> {
    const at = pathParts(path).reduce((text, part) => text.replace(`:${part}`, String((input as Record<string, unknown>)[part])), path);
    await this.#asPerson(method, at, method === 'DELETE' ? null : input);
  }

  /** Some rows of each entity; nobody has changed them. */
  async fill(): Promise<void> {
    for (const { id } of this.entities) {
      const count = this.#random.below(40);
      const [burst, at] = [this.#random.chance(0.3) ? this.#random.below(70) : 0, aMoment(this.#random, this.#now())];
      const rows = Array.from({ length: count + burst }, (_, no) =>
        this.#aTransaction(id, no < count ? aMoment(this.#random, this.#now()) : at),
      );
      await someTransactions(this.#place.db, rows);
    }
    await this.#follow(null);
    for (const id of this.transactions.keys()) this.untouched.add(id);
  }

  async handle(request: ServerRequest): Promise<ServerAnswer> {
    this.requests += 1;
    const { method, path, key } = request;
    if (path.startsWith('/sync/') && !this.hasFeed) return { status: 404, body: { detail: 'Not found' } };
    // nudges are the simulator's own; that the server's come, and when, is tested where time is real
    if (path === followNudges.path) return { status: 200, body: {} };
    const changes = method !== 'GET' && path !== listChanges.path;
    // as ours does, or another one that has no feed may
    const isOld = Number(request.build) < this.oldestBuild && (this.hasFeed ? path === listChanges.path : changes);
    if (isOld) return { status: 426, body: { detail: feedRefusals.clientTooOld } };
    const poison = key === null ? undefined : this.poisoned.get(key);
    if (poison !== undefined) return poisonedAnswer(poison);
    const { answer, isRepeated } = await this.#ask(request);
    if (!changes) return answer;
    const changed = await this.#follow(key);
    if (key !== null && answer.status < 400 && (!isRepeated || changed > 0)) this.noteEffect(key, answer.body as Partial<Answered>);
    return answer;
  }

  async addTransaction(entityId: string): Promise<void> {
    await someTransactions(this.#place.db, [this.#aTransaction(entityId, aMoment(this.#random, this.#now()))]);
    await this.#follow(null);
  }

  async addTransactions(entityId: string, count: number): Promise<void> {
    const rows = Array.from({ length: count }, () => this.#aTransaction(entityId, aMoment(this.#random, this.#now())));
    await someTransactions(this.#place.db, rows);
    await this.#follow(null);
  }

  async changeTransaction(id: string, date?: string): Promise<void> {
    const row = this.transactions.get(id);
    if (!row) return;
    const other = this.#random.chance(0.4) ? new Date(aMoment(this.#random, this.#now())).toISOString() : row.trx_date;
    const moment = date ?? other;
    await this.#change(sql`update transactions set trx_date = ${moment}::timestamptz,
      description = ${`${canaryOf(row.entity_id)}, changed ${row.version}`} where id = ${id}::uuid`);
  }

  async decideTransaction(id: string, isAmount: boolean): Promise<void> {
    const decided = sql`match_state = case when match_state = 'APPROVED' then 'REJECTED' else 'APPROVED' end`;
    await this.#change(sql`update transactions set ${isAmount ? sql`quantity = quantity + 1` : decided} where id::text = ${id}`);
  }

  async markPair(id: string, counterpart_id: string): Promise<void> {
    await this.#asPerson('PUT', '/transaction_matches/transfer', { trx_id: id, counterpart_id, is_transfer: true });
  }

  async deleteTransaction(id: string): Promise<void> {
    await this.#place.db.transaction(async (tx) => {
      await tx.execute(sql`delete from transaction_matches where ${id} in (out_trx_id::text, in_trx_id::text)`);
      await tx.execute(sql`delete from transactions where id::text = ${id}`);
    });
    await this.#follow(null);
  }

  async touchRecent(): Promise<void> {
    const recent = [...this.transactions.values()].find(({ trx_date }) => this.#now() - Date.parse(trx_date) < 10 * dayMs);
    if (!recent) return;
    await this.#change(
      sql`update transactions set description = ${`${canaryOf(recent.entity_id)}, touched`} where id = ${recent.id}::uuid`,
    );
  }

  async changeView(id: string, name: string | null): Promise<void> {
    const view = this.views.get(id);
    if (!view) return;
    const body = { name: name ?? view.name, list: view.list, search: name === null ? `q=changed ${view.version}` : view.search };
    await this.#asPerson('PUT', `/saved_views/${id}`, body);
  }

  async deleteView(id: string): Promise<void> {
    await this.#asPerson('DELETE', `/saved_views/${id}`, null);
  }

  async remakeView(id: string, name: string): Promise<void> {
    if (!this.views.has(id)) await this.#asPerson('PUT', `/saved_views/${id}`, { name, list: 'transactions', search: 'q=made anew' });
  }

  async setHidden(entityId: string, isHidden: boolean): Promise<void> {
    if (this.hidden.has(entityId) === isHidden) return;
    const { db, userId } = this.#place;
    if (isHidden) await db.execute(sql`delete from entity_assignments where user_id = ${userId}::uuid and entity_id = ${entityId}::uuid`);
    else await db.insert(entityAssignments).values({ user_id: userId, entity_id: entityId });
    if (isHidden) this.hidden.add(entityId);
    else this.hidden.delete(entityId);
    for (const row of this.transactions.values()) if (row.entity_id === entityId) this.untouched.delete(row.id);
    this.nudge();
  }

  async moveEntity(entityId: string, clientId: string): Promise<void> {
    await this.#change(sql`update entities set client_id = ${clientId}::uuid where id = ${entityId}::uuid`);
    await this.#mirrorAccounts();
    // what may be seen of it may be something else there
    if (!this.isEntitySeen(entityId))
      for (const row of this.transactions.values()) if (row.entity_id === entityId) this.untouched.delete(row.id);
  }

  async setWithheld(rights: readonly ReadRight[]): Promise<void> {
    await restrict(this.#place.db, this.#place.userId, ...rights);
    this.withhold(rights);
    this.nudge();
  }

  /** One connection is all the embedded database has: nobody's transaction can take long while others work. */
  holdFeed(): void {}

  /** It answers what there is. */
  lackRow(): void {}

  async forgetChanges(count: number): Promise<void> {
    const oldest = this.#log.at(-count - 1);
    if (oldest) await forgetChanges(this.#place.db, new Date(Date.parse(oldest.at) + 1));
  }

  async backUp(): Promise<void> {
    for (const table of kept) {
      await this.#place.db.execute(sql`drop table if exists ${sql.identifier(`backup_${table}`)}`);
      await this.#place.db.execute(sql`create table ${sql.identifier(`backup_${table}`)} as table ${sql.identifier(table)}`);
    }
    for (const table of keptPlaces) {
      const backup = sql.identifier(`backup_${table}`);
      await this.#place.db.execute(sql`drop table if exists ${backup}`);
      await this.#place.db.execute(sql`create table ${backup} as table ${sql.identifier(table)}`);
    }
    this.#backup = this.done();
  }

  async restore(): Promise<boolean> {
    if (!this.#backup) return false;
    const { db } = this.#place;
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local tieout.feed = 'off'`);
      await tx.execute(
        sql`truncate ${sql.join(
          kept.map((table) => sql.identifier(table)),
          sql`, `,
        )}`,
      );
      for (const table of kept)
        await tx.execute(sql`insert into ${sql.identifier(table)} select * from ${sql.identifier(`backup_${table}`)}`);
      for (const table of keptPlaces) {
        const names = keptFields[table].map((name) => sql`${sql.identifier(name)} = b.${sql.identifier(name)}`);
        const backup = sql.identifier(`backup_${table}`);
        await tx.execute(sql`update ${sql.identifier(table)} r set ${sql.join(names, sql`, `)} from ${backup} b where b.id = r.id`);
      }
      await tx.execute(sql`update feed_state set server_gen = gen_random_uuid()`);
    });
    this.undo(structuredClone(this.#backup));
    this.#generation = (await generationOf(db)) ?? '';
    await this.#mirrorAll();
    return true;
  }

  /** A call to the app, through its whole HTTP layer, with pages no larger than the seed has them. */
  async #ask({
    method,
    path,
    query,
    body,
    key,
    ifVersion,
    serverGen,
    restsOn,
    file,
  }: ServerRequest): Promise<{ answer: ServerAnswer; isRepeated: boolean }> {
    const asked = new URLSearchParams(query);
    const limit = asked.get('limit');
    if (limit !== null) asked.set('limit', String(Math.min(Number(limit), this.mood.pageCap)));
    const payload = path === listChanges.path ? { ...(body as object), limit: this.#feedCap } : body;
    const sent = file === undefined ? { headers: {}, payload } : formOf(payload as Record<string, string>, file);
    const answer = await this.#place.app.inject({
      method: method as 'GET',
      url: `/api${path}${asked.size === 0 ? '' : `?${asked}`}`,
      headers: {
        cookie: this.#place.cookie,
        ...(key === null ? {} : { 'idempotency-key': key }),
        ...(ifVersion === null ? {} : { 'if-match': `"${ifVersion}"` }),
        ...(serverGen === null ? {} : { 'x-server-gen': serverGen }),
        ...(restsOn === null ? {} : { 'x-rests-on': `"${restsOn}"` }),
        ...sent.headers,
      },
      ...(sent.payload === null ? {} : { payload: sent.payload as object }),
    });
    const told = answer.json<unknown>();
    const isHello = path === '/sync/v1/hello' && answer.statusCode === 200;
    return {
      answer: { status: answer.statusCode, body: isHello ? { ...(told as object), max_limit: Math.min(this.mood.pageCap, 5_000) } : told },
      isRepeated: answer.headers['idempotent-replayed'] !== undefined,
    };
  }

  async #asPerson(method: string, path: string, body: object | null): Promise<void> {
    await this.#ask({
      method,
      path,
      query: new URLSearchParams(),
      body,
      key: null,
      ifVersion: null,
      serverGen: null,
      restsOn: null,
      sent: null,
      build: '',
    });
    await this.#follow(null);
  }

  async #change(statement: ReturnType<typeof sql>): Promise<void> {
    await this.#place.db.execute(statement);
    await this.#follow(null);
  }

  /** Reads what was logged since, and the rows it is about. @returns how many rows changed. */
  async #follow(key: string | null): Promise<number> {
    const { db, userId } = this.#place;
    const scopes = [
      `user:${userId}`,
      'user',
      ...this.clients.map(({ id }) => `client:${id}`),
      ...this.entities.map(({ id }) => `entity:${id}`),
    ];
    const found = await rowsOf<LogRow>(
      db,
      sql`select xid::text as xid, seq::text as seq, case when scope like 'user:%' then 'user' else scope end as scope, noun,
          row_id::text as row_id, op, version::int as version, at::text as at
        from change_log where scope in (select jsonb_array_elements_text(${JSON.stringify(scopes)}::jsonb))
          and (xid, seq) > (${this.#last?.xid ?? '0'}::xid8, ${this.#last?.seq ?? '0'}::bigint) order by change_log.xid, change_log.seq`,
    );
    this.#last = found.at(-1) ?? this.#last;
    this.#log.push(...found);
    const at = this.#now();
    for (const [index, { scope, noun, row_id, version, op, xid }] of found.entries()) {
      const isGone = op === 'del';
      const isMoved = isGone && found.slice(index + 1).some((line) => line.row_id === row_id && line.noun === noun && line.xid === xid);
      this.#lines.push({ scope, noun, id: row_id, version, isGone, isMoved, change: xid, at });
    }
    for (const noun of mirrored) {
      const ids = [...new Set(found.flatMap((line) => (line.noun === noun ? line.row_id : [])))];
      if (ids.length > 0) await this.#mirror(noun, ids, key);
    }
    if (found.length > 0) this.nudge();
    return found.filter(({ noun }) => isMirrored(noun)).length;
  }

  async #mirror(noun: Mirrored, ids: readonly string[], key: string | null): Promise<void> {
    const { db, userId } = this.#place;
    const now = await rowsNow(db, { id: userId, is_superuser: true }, noun, ids);
    for (const id of ids) {
      const found = now.get(id);
      if (found && !this.#isOurs(noun, found)) continue;
      const held = this.#held(noun);
      const [before, after] = [held.get(id) ?? null, found ?? null];
      if (after) held.set(id, after);
      else held.delete(id);
      this.untouched.delete(id);
      if (noun !== 'transaction_matches') this.onChange(id, before, after, key);
    }
  }

  /** Everything anew: another database stands here now. */
  async #mirrorAll(): Promise<void> {
    const { db, userId } = this.#place;
    for (const noun of mirrored) {
      const ids = await rowsOf<{ id: string }>(db, sql`select id::text as id from ${sql.identifier(noun)}`);
      const rows = await rowsNow(
        db,
        { id: userId, is_superuser: true },
        noun,
        ids.map(({ id }) => id),
      );
      refill(this.#held(noun), new Map([...rows].filter(([, row]) => this.#isOurs(noun, row))));
    }
    await this.#mirrorAccounts();
  }

  /** Nobody makes accounts here, nor takes them away; they go with their entities. */
  async #mirrorAccounts(): Promise<void> {
    const { db, userId } = this.#place;
    const ids = this.accounts.map(({ id }) => id);
    const now = await rowsNow(db, { id: userId, is_superuser: true }, 'accounts', ids);
    this.accounts.splice(0, ids.length, ...(ids.map((id) => now.get(id)) as Account[]));
  }

  /** Whether a row is of this office: there are others at the server, of other seeds. */
  #isOurs(noun: Mirrored, row: FeedRow): boolean {
    if (noun === 'saved_views') return true;
    if (noun === 'clients') return this.office.clients.has(row.id);
    if (noun === 'entities' || noun === 'archived_assets') return this.office.clients.has(String(row.client_id));
    return this.office.entities.has(String(row.entity_id));
  }

  #held(noun: Mirrored): Map<string, FeedRow> {
    const held: Record<Mirrored, ReadonlyMap<string, object>> = {
      saved_views: this.views,
      transactions: this.transactions,
      transaction_matches: this.matches,
      clients: this.office.clients,
      entities: this.office.entities,
      archived_assets: this.office.archived_assets,
    };
    return held[noun] as unknown as Map<string, NonNullable<Row>>;
  }

  #aTransaction(entityId: string, at: number): typeof transactions.$inferInsert {
    const account = this.#random.pick(this.accounts.filter(({ entity_id }) => entity_id === entityId));
    return transactionRow(
      { ...account, last_update: null },
      {
        id: this.#random.uuid(),
        security_id: this.#random.pick(this.securities).id,
        trx_type_id: this.#random.pick([1, 2]),
        trx_date: new Date(at),
        quantity: '1.5',
        description: canaryOf(entityId),
      },
    );
  }
}
