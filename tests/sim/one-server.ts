import { isDeepStrictEqual } from 'node:util';
import type { Entity } from '#contract/entities.ts';
import type { Transaction } from '#contract/transactions.ts';
import type { PullRow } from '#replica/pulls.ts';
import { scopeKey } from '#replica/scopes.ts';
import type { EngineStatus } from '#workers/start.ts';
import type { ModelServer } from './model-server.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import type { SimDevice } from './sim-device.ts';
import { fairWeather } from './sim-net.ts';
import { dayMs, type ServerAnswer, type ServerRequest } from './sim-server.ts';
import { type ServerKind, World } from './world.ts';

const minuteMs = 60_000;
/** Of all the time that passes at once: far more than any takes in which nothing is asked in a loop. */
const mostTurns = 4_000_000;

/** A row of a list, as far as these tests look at it. */
interface Held {
  id: string;
  client_id?: string;
}

/** A device in fair weather at a server that answers well, but for what a test makes of its answers. */
export class OneServer {
  readonly world: World;
  readonly device: SimDevice;
  readonly server: ModelServer;
  /** One of its entities. */
  readonly entity: Entity;

  constructor(kind: ServerKind, pageCap = 20) {
    this.world = new World(5, { devices: 1, kind });
    [this.device] = this.world.devices as [SimDevice];
    this.server = this.world.server as ModelServer;
    [this.entity] = this.server.entities as [Entity];
    this.device.weather = { ...fairWeather };
    Object.assign(this.server.mood, { upTo: 'moment', pageCap });
  }

  /** Lets so many minutes of the world pass. */
  async pass(minutes: number): Promise<void> {
    if (!(await this.world.scheduler.pass(minutes * minuteMs, mostTurns))) throw new Error(`${minutes} minutes take too many turns`);
  }

  /** Lets the world pass until something is so, at most for so many minutes, and half an hour more, in which it may cease to be. */
  async passUntil(isSo: () => boolean, mostMinutes: number): Promise<void> {
    for (let minutes = 0; minutes < mostMinutes && !isSo(); minutes += 5) await this.pass(5);
    await this.pass(30);
  }

  /** Whether the device has a transaction as the server has it. */
  isHeldAsItIs(id: string): boolean {
    return isDeepStrictEqual(rowsOnDisk(this.device).get(id), this.server.transactions.get(id));
  }

  /** From now on answers are what `change` makes of them. @returns how to end that. */
  alter(change: (request: ServerRequest, answer: ServerAnswer) => ServerAnswer): () => void {
    const { server } = this;
    const handle = server.handle.bind(server);
    server.handle = (request) => change(request, handle(request));
    return () => {
      server.handle = handle;
    };
  }

  /** The server cannot answer some questions. @returns how to end that. */
  fail(status: number, isIt: (request: ServerRequest) => boolean): () => void {
    return this.intercept({ status }, isIt);
  }

  /** Something on the way answers some questions in the server's place. @returns how to end that. */
  intercept(answer: Omit<ServerAnswer, 'body'>, isIt: (request: ServerRequest) => boolean): () => void {
    return this.alter((request, own) => (isIt(request) ? { body: { detail: 'Service Unavailable' }, ...answer } : own));
  }

  /** Some questions are answered in the server's place, and never come to it. */
  replace(answerTo: (request: ServerRequest) => ServerAnswer | null): void {
    const { server } = this;
    const handle = server.handle.bind(server);
    server.handle = (request) => answerTo(request) ?? handle(request);
  }

  /** What the server answers at a path takes so long. */
  delay(ms: number, path: string): void {
    const { scheduler } = this.world;
    const after = scheduler.after.bind(scheduler);
    scheduler.after = (usual, label, actor) => after(label === `answer GET ${path}` ? ms : usual, label, actor);
  }

  /** Some rows come with other fields than this build knows of. @returns how to end that. */
  spoil(ids: Iterable<string>, fields: object): () => void {
    return this.rewrite(ids, () => fields);
  }

  /** Some rows come with other fields than they have. @returns how to end that. */
  rewrite(ids: Iterable<string>, fieldsOf: (row: Row) => object): () => void {
    const rewritten = new Set<unknown>(ids);
    return this.alter((_, answer) => ({ ...answer, body: withFields(answer.body, rewritten, fieldsOf) }));
  }

  /** Adds transactions of the entity that are months old, so many days apart. */
  addOlder(count: number, daysApart = 1): void {
    for (let no = 0; no < count; no += 1)
      this.server.addTransaction(this.entity.id, this.world.scheduler.now - (100 + no * daysApart) * dayMs);
  }

  addSecurities(count: number): void {
    for (let no = 0; no < count; no += 1) {
      const names = { security_name: `Security ${no}`, ticker: `T${no}` };
      this.server.securities.push({ id: this.world.uuid(), ...names, security_type_id: 1, dart_security_id: null, version: 1 });
    }
  }

  /** Somebody looks at the entity's client. */
  look(): void {
    void this.device.workers[0]?.engine.look([this.entity.client_id]);
  }

  /** What the app says. */
  get status(): EngineStatus | null {
    return this.device.workers.at(-1)?.status ?? null;
  }

  /** The entity's transactions at the server, in the order of their list. */
  newestFirst(): Transaction[] {
    const place = ({ trx_date, id }: Transaction): string => `${trx_date} ${id}`;
    const rows = [...this.server.transactions.values()].filter(({ entity_id }) => entity_id === this.entity.id);
    return rows.sort((a, b) => (place(a) < place(b) ? 1 : -1));
  }

  /** How many of them the device has. */
  get rowsHeld(): number {
    return [...rowsOnDisk(this.device).values()].filter(({ entity_id }) => entity_id === this.entity.id).length;
  }

  /** Whether the device takes them for all that there are. */
  get isCalledWhole(): boolean {
    const pulls = this.device.disk.peek<PullRow>(this.device.rowsName, 'pulls');
    const scope = scopeKey('entity', this.entity.id);
    return pulls.some((pull) => pull.scope === scope && pull.noun === 'transactions' && pull.phase === 'steady');
  }

  /** The rows of a list on the device. */
  held(noun: 'clients' | 'entities' | 'accounts' | 'securities'): readonly Held[] {
    return this.device.disk.peek<Held>(this.device.rowsName, noun);
  }
}

type Row = Readonly<Record<string, unknown>>;

/** An answer with other fields in some rows, wherever they are in it. */
function withFields(body: unknown, ids: ReadonlySet<unknown>, fieldsOf: (row: Row) => object): unknown {
  const isOne = (value: unknown): value is Row => typeof value === 'object' && value !== null && 'id' in value && ids.has(value.id);
  return JSON.parse(JSON.stringify(body), (_, value: unknown) => (isOne(value) ? { ...value, ...fieldsOf(value) } : value)) as unknown;
}
