import { mutationNamed, type MutationInput, type MutationName } from '#contract/mutations.ts';
import type { Replica } from '#replica/open.ts';
import type { KeptRecord } from '#replica/row-tables.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import { ofDatabase } from '#replica/held-rows.ts';
import type { PullRow } from '#replica/pulls.ts';
import type { Fields } from '#replica/merge.ts';
import type { NewFile } from '#replica/edit-files.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import type { OutboxRow, Receipt } from '#replica/outbox-tables.ts';
import { foldRow } from '#replica/overlay.ts';
import type { SeenRow } from '#replica/rebase.ts';
import { scopeKey } from '#replica/scopes.ts';
import { savedViewsOf } from '#replica/saved-views.ts';
import { ModelServer } from './model-server.ts';
import { feedOf } from './feed-watch.ts';
import { Overwrites, type RowChange, type SeenVersion } from './overwrites.ts';
import { pickBy, type Random, randomOf } from './random.ts';
import { Scheduler } from './scheduler.ts';
import { aGuest, type Guest } from './guest.ts';
import { SimDevice } from './sim-device.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { fairWeather, type Weather } from './sim-net.ts';
import { editOfKey, type ReadRight, type ServerMood, type SimServer } from './sim-server.ts';

const start = Date.UTC(2026, 8, 14, 9);

/** An edit somebody made, and whether they were told that it is kept. */
export interface MadeEdit {
  id: string;
  lane: string;
  device: SimDevice;
  isKept: boolean;
  name: MutationName;
  /** The person had it tried again. */
  isRetried: boolean;
  /** How often they decided between it and somebody else's change. */
  decisions: number;
  deps: readonly string[];
  /** Its row as the person had it before them; null where that was not kept. */
  on: readonly SeenVersion[] | null;
  /** The same as the screen showed it; null where there was none. */
  shown: Fields | null;
  /** Both as they were before the person decided about it: edits behind it may have been made by then. */
  former: { on: readonly SeenVersion[]; shown: readonly Fields[] };
  /** Those that were made before the person decided about it. */
  behind: readonly string[];
  /** The list its row would be in had been read by then. */
  isListRead: boolean;
  /** No other edit of its lane was being made on the device between the look at the row and the edit. */
  isAlone: boolean;
  /** Its browser has cleared everything since. */
  isCleared: boolean;
}

type Outbox = Replica['outbox'];

/** Whether the list of views was read since the copy was begun. */
function isListRead(device: SimDevice): boolean {
  const pulls = device.disk.peek<PullRow>(device.rowsName, 'pulls');
  return pulls.some(({ noun, last_complete_at }) => noun === 'saved_views' && last_complete_at !== null);
}

/** A server that only speaks the specification, or one of ours. */
export type ServerKind = 'specification' | 'feed';

/** What a server is made of. */
export interface ServerPorts {
  random: Random;
  /** UTC milliseconds, of the world. */
  now: () => number;
  mood: ServerMood;
}

export type MakeServer = (ports: ServerPorts) => SimServer;

const aModel: MakeServer = ({ random, now, mood }) => new ModelServer(random, now, mood);

/** The seed decides what is not said. */
interface WorldOptions {
  devices?: number;
  kind?: ServerKind;
  makeServer?: MakeServer | undefined;
}

/** Every other seed has a server of each kind. */
export function kindOf(seed: number): ServerKind {
  return seed % 2 === 0 ? 'specification' : 'feed';
}

/** A server, devices and what happened between them: everything a seed decides. */
export class World {
  readonly scheduler: Scheduler;
  readonly server: SimServer;
  readonly devices: SimDevice[];
  /** Somebody else who uses the first browser now and then; null where nobody does. */
  readonly guest: Guest | null;
  readonly made = new Map<string, MadeEdit>();
  /** Commits may have been lost since these were noted. */
  powerLosses = 0;
  /** How often a copy was deleted, be it beneath the worker that writes to it. */
  removals = 0;
  /** When the person's rights changed last, and when each entity went out of sight last or came back, UTC milliseconds. */
  #rightsChangedAt = 0;
  readonly #hiddenAt = new Map<string, number>();
  /** How often the server's database was restored: what was done since the backup is undone. */
  restores = 0;
  /** What edits wrote over that whoever made them had not seen. */
  readonly overwritten: string[] = [];
  readonly #overwrites = new Overwrites();
  /** The row as each edit left it at the server. */
  readonly #left = new Map<MadeEdit, Fields>();
  /** By whose edits each row was changed at the server; null is somebody else. */
  readonly #hands = new Map<string, (MadeEdit | null)[]>();
  readonly #random: Random;

  constructor(seed: number, { devices, kind = kindOf(seed), makeServer = aModel }: WorldOptions = {}) {
    this.#random = randomOf(`world ${seed}`);
    this.scheduler = new Scheduler(randomOf(`turns ${seed}`), start);
    const hasFeed = kind === 'feed';
    const mood = {
      // what a server says it hands out at most is no less than any of its lists of one page
      pageCap: this.#random.pick([hasFeed ? 12 : 4, 12, 20, 45, 100, 100]),
      comparesDays: this.#random.chance(0.3),
      hasFeed,
      // ours does
      hidesQuietly: hasFeed || this.#random.chance(0.5),
      comparesVersions: hasFeed && this.#random.chance(0.7),
    };
    this.server = makeServer({ random: this.#random, now: () => this.scheduler.now, mood });
    this.devices = ['A', 'B', 'C']
      .slice(0, devices ?? this.#random.pick([1, 1, 1, 1, 2, 2, 2, 3]))
      .map((name) => new SimDevice(name, this.scheduler, this.server));
    const [first] = this.devices;
    // the real server has places, and no worlds beside this one
    this.guest = first && makeServer === aModel ? aGuest(seed, first, { scheduler: this.scheduler, mood }) : null;
    this.server.onChange = (id, before, after, key) => this.#noteChange({ id, before, after, generation: this.server.generation }, key);
    this.scheduler.afterTurn = () => {
      for (const { disk } of this.devices) disk.check();
    };
    for (const device of this.devices) {
      device.disk.onRemove = () => {
        this.powerLosses += 1;
        this.removals += 1;
      };
      // some read everything for the first time on a train
      if (this.#random.chance(0.3)) device.weather = this.anyWeather(this.#random.unit());
      device.revive();
    }
  }

  /** The edits of a lane that were made on a device, in their order. */
  #laneOf({ device, lane }: Pick<MadeEdit, 'device' | 'lane'>): MadeEdit[] {
    return [...this.made.values()].filter((each) => each.device === device && each.lane === lane);
  }

  #noteChange(change: Omit<RowChange, 'by'>, key: string | null): void {
    const edit = key === null ? undefined : this.made.get(editOfKey(key));
    this.#hands.set(change.id, [...(this.#hands.get(change.id) ?? []), edit ?? null]);
    const lane = edit ? this.#laneOf(edit) : [];
    // of those begun later it took the place of some: the person saw what those were made on
    const receipts = edit ? this.receipts(edit.device) : [];
    const replaced = new Set(receipts.flatMap(({ id, outcome }) => (outcome === 'replaced' ? id : [])));
    const last = edit ? lane.indexOf(edit) : -1;
    const edits = lane.filter(({ id }, at) => at <= last || replaced.has(id));
    // one that took the place of another was made on what that one was made on, and of an old one that is not known; and only a
    // server that compares versions, and is known to, keeps an edit from a row that was changed the moment before
    const isKnown = this.server.comparesVersions && edit !== undefined && feedOf(edit.device) !== undefined;
    // what it did to other rows, such as the one its transaction was paired with, follows from what the person had seen of its own
    const isOwn = edit?.lane.endsWith(`:${change.id}`) === true;
    const ahead = edits.filter((each) => edit !== undefined && each.behind.includes(edit.id));
    // who deleted a row, with a form of it open, knows that it is gone when that is saved
    const deleted = lane.filter(
      ({ id, name }) => name === 'deleteView' && receipts.some((each) => each.id === id && each.outcome === 'accepted'),
    );
    const isGuarded = isKnown && isOwn && edits.every(({ on }) => on !== null);
    const guarded =
      edit && isGuarded
        ? {
            name: edit.name,
            on: [...edits.flatMap(({ on }) => on ?? []), ...ahead.flatMap(({ former }) => former.on), ...deleted.map(() => none)],
            // and somebody else may have said again what one of their own edits had said
            shown: [
              ...edits.map(({ shown }) => shown),
              ...ahead.flatMap(({ former }) => former.shown),
              ...lane.map((each) => this.#left.get(each)),
            ].filter((row) => !!row),
          }
        : null;
    if (edit && isOwn && change.after) this.#left.set(edit, change.after);
    const found = this.#overwrites.note({ ...change, by: edit?.device.name ?? 'somebody else' }, guarded);
    if (found !== null) this.overwritten.push(`edit ${edit?.id}: ${found}`);
  }

  /** A browser is gone with all its tabs and workers, whoever's they are. */
  killBrowser(device: SimDevice): void {
    device.killAll();
    if (this.guest?.device.browser === device.browser) this.guest.device.killAll();
  }

  /** A browser clears everything it keeps for the app while that runs: edits that waited are gone, and nobody is promised them any more. */
  clear(device: SimDevice): void {
    device.disk.evict();
    device.evictions += 1;
    this.powerLosses += 1;
    for (const edit of this.made.values()) if (edit.device === device) edit.isCleared = true;
  }

  /** All faults end: what should run runs, and nothing is lost any more. */
  heal(): void {
    this.server.poisoned.clear();
    this.guest?.leave();
    for (const device of this.devices) {
      device.weather = { ...fairWeather };
      device.browser.session = 'good';
      device.setClock(0);
      device.disk.failingWrites = 0;
      device.disk.room = Infinity;
      device.disk.quota = Infinity;
      device.disk.failingOpens = 0;
      device.disk.blockedUntil = 0;
      device.wakeTabs(false);
      if (Number(device.build) < this.server.oldestBuild) device.update(String(this.server.oldestBuild));
      for (const worker of device.workers) {
        worker.actor.frozenUntil = 0;
        // whoever was signed out signs in again
        if (worker.status?.phase === 'signed_out') void device.openEngine(worker);
        // what went for want of room comes back when somebody looks at it
        if (device.letGo.length > 0) worker.engine.look(device.letGo).catch(() => undefined);
      }
      device.revive();
    }
  }

  /** The person may no longer see an entity, or sees it again. */
  async setHidden(entityId: string, isHidden: boolean): Promise<void> {
    await this.server.setHidden(entityId, isHidden);
    this.#hiddenAt.set(scopeKey('entity', entityId), this.scheduler.now);
  }

  /** The person's role is without some rights from now on, and without no others. */
  async withhold(rights: readonly ReadRight[]): Promise<void> {
    await this.server.setWithheld(rights);
    this.#rightsChangedAt = this.scheduler.now;
  }

  /** When it changed last what the person may see of a scope, UTC milliseconds; 0 where it never did. */
  sightChangedAt(scope: string): number {
    return Math.max(this.#rightsChangedAt, this.#hiddenAt.get(scope) ?? 0);
  }

  /** The server's database is replaced by its backup. */
  async restore(): Promise<void> {
    const keep = (): void => {
      const { generation, transactions, views } = this.server;
      this.#overwrites.keep(generation, [...transactions.values(), ...views.values()]);
    };
    keep();
    if (!(await this.server.restore())) return;
    keep();
    this.#overwrites.restore();
    this.restores += 1;
  }

  pending(device: SimDevice): OutboxRow[] {
    return device.disk.peek<OutboxRow>(device.outboxName, 'mutations').toSorted((a, b) => a.seq - b.seq);
  }

  receipts(device: SimDevice): Receipt[] {
    return device.disk.peek<Receipt>(device.outboxName, 'receipts');
  }

  /** A view's id: one that is there, or was once, or a new one. */
  viewId(by: number): string {
    const once = [...this.made.values()].flatMap(({ lane }) => (lane.startsWith('view:') ? [lane.slice('view:'.length)] : []));
    const known = [...new Set([...this.server.views.keys(), ...once])];
    return by < 0.4 || known.length === 0 ? this.#random.uuid() : (pickBy(known, (by - 0.4) / 0.6) ?? '');
  }

  uuid(): string {
    return this.#random.uuid();
  }

  /** An edit on one of the devices. @returns its id. */
  edit<N extends MutationName>(at: number, name: N, input: MutationInput<N>, file?: NewFile): string {
    const device = this.devices[at];
    const edit = device && this.#keep(device, name, input, { file });
    if (!edit) throw new Error('There is no page to edit on');
    return edit.id;
  }

  /** A row that edits are about, or any. */
  editedTransaction(by: number): string | undefined {
    const edited = [...this.made.values()].flatMap(({ lane }) => (lane.startsWith('trx:') ? [lane.slice(4)] : []));
    return pickBy(edited.length > 0 && by < 0.8 ? edited : [...this.server.transactions.keys()], by);
  }

  /** The person makes an edit on a device; some of them the server is going to refuse, or never to answer. */
  make<N extends MutationName>(
    device: SimDevice,
    name: N,
    input: MutationInput<N>,
    { deps = [], thinksMs }: { deps?: readonly string[]; thinksMs?: number } = {},
  ): void {
    const edit = this.#keep(device, name, input, { deps, thinksMs });
    if (edit && this.#random.chance(0.06)) this.server.poisoned.set(edit.id, this.#random.pick([500, 422, 403, 404]));
  }

  #keep<N extends MutationName>(
    device: SimDevice,
    name: N,
    input: MutationInput<N>,
    { deps = [], thinksMs: wanted, file }: { deps?: readonly string[]; thinksMs?: number | undefined; file?: NewFile | undefined } = {},
  ): MadeEdit | null {
    const replica = device.page?.replica;
    if (!replica) return null;
    const lane = mutationNamed(name).lane(input);
    const edit: MadeEdit = {
      id: this.#random.uuid(),
      name,
      lane,
      device,
      isKept: false,
      isRetried: false,
      decisions: 0,
      deps,
      on: null,
      shown: null,
      former: { on: [], shown: [] },
      behind: [],
      isListRead: false,
      isAlone: true,
      isCleared: false,
    };
    for (const other of this.#laneOf(edit)) if (!other.isKept) other.isAlone = edit.isAlone = false;
    this.made.set(edit.id, edit);
    // what older builds made says nothing of what the person saw
    const isOld = this.#random.chance(0.05);
    const thinksMs = wanted ?? (this.#random.chance(0.3) ? this.#random.below(60_000) : 0);
    const keep = async (): Promise<void> => {
      const { seen, held } = isOld ? { seen: undefined, held: null } : await this.#lookAt(device, replica, lane);
      edit.shown = seen ?? null;
      edit.isListRead = isListRead(device);
      edit.on = held && [held, ...(seen === null ? [none] : [])];
      const { id } = edit;
      // a form is open for a while
      if (thinksMs > 0) await this.scheduler.after(thinksMs, 'thought', null).done;
      const made = { id, name, input, title: name, now: device.now, clientId: null, entityId: null, seen, deps };
      await enqueue(replica.outbox, file ? { ...made, file } : made);
    };
    keep().then(
      () => {
        edit.isKept = true;
      },
      () => undefined,
    );
    return edit;
  }

  /** The row of a lane as the screen shows it, and the version of what is held beneath. */
  async #lookAt(device: SimDevice, replica: Replica, lane: string): Promise<{ seen: SeenRow | null; held: SeenVersion }> {
    const [kind, id = ''] = lane.split(':');
    if (kind === 'view') {
      const seen = (await savedViewsOf(replica, 'transactions')).find((view) => view.id === id) ?? null;
      const held = device.disk.peek<Held>(device.rowsName, 'saved_views').find((view) => view.id === id);
      return { seen, held: { generation: generationOn(device), version: held?.version ?? 0 } };
    }
    const edits = await pendingMutations(replica.outbox);
    const row = rowsOnDisk(device).get(id);
    const generation = generationOn(device);
    return {
      seen: row ? ofDatabase(foldRow('transactions', row, edits), generation || null) : null,
      held: { generation, version: row?.version ?? 0 },
    };
  }

  /** A conflict of a device with nobody but itself, in words; null where it is one with somebody else, or that cannot be told. */
  ownConflict(device: SimDevice, { id, lane, state }: OutboxRow, wasForThePerson: (id: string) => boolean): string | null {
    if (state !== 'conflict' || !lane.startsWith('view:') || this.restores + this.powerLosses > 0) return null;
    const row = lane.slice('view:'.length);
    const ofOthers = (edit: MadeEdit | null): boolean => edit?.device !== device;
    if ((this.#hands.get(row) ?? []).some(ofOthers)) return null;
    // what was let go of, or was made on nobody knows what, may be at the server without being in the copy
    const mine = this.#laneOf({ device, lane });
    const isKnown = ({ on, isAlone }: MadeEdit): boolean => on !== null && isAlone;
    const isTold = (edit: MadeEdit): boolean => {
      const receipt = this.receipts(device).find((each) => each.id === edit.id);
      if (receipt?.outcome === 'replaced') return !wasForThePerson(edit.id);
      return receipt
        ? receipt.outcome === 'accepted'
        : this.pending(device).some((each) => each.id === edit.id && !needsPerson(each.state));
    };
    if (!mine.every((edit) => isKnown(edit) && (edit.id === id || isTold(edit)))) return null;
    // a copy that was begun anew lacks the row until its list is read: whoever makes it again by then has not seen it
    const made = this.made.get(id);
    if (made?.on?.[0]?.version === 0 && !made.isListRead) return null;
    return `edit ${id} of ${device.name} is in conflict about row ${row}, which nobody else touched`;
  }

  /** The person decides about one of the edits in conflict. */
  settleConflict(device: SimDevice, by: number, act: (outbox: Outbox, edit: OutboxRow) => Promise<unknown>): void {
    const edit = pickBy(
      this.pending(device).filter(({ state }) => state === 'conflict'),
      by,
    );
    const replica = device.page?.replica;
    const made = edit && this.made.get(edit.id);
    if (!edit || !made || !replica) return;
    // from now on they know what somebody else made of the row
    made.decisions += 1;
    made.behind = this.#laneOf(made).map(({ id }) => id);
    made.former = { on: [...made.former.on, ...(made.on ?? [])], shown: [...made.former.shown, ...(made.shown ? [made.shown] : [])] };
    if (made.on !== null) made.on = edit.theirs?.fields ? [] : [none];
    made.shown = edit.theirs?.fields ?? null;
    act(replica.outbox, edit).catch(() => undefined);
  }

  /** The person decides about one of the edits that wait. */
  decide(device: SimDevice, by: number, act: (outbox: Outbox, edit: OutboxRow) => Promise<unknown>): void {
    const edit = pickBy(this.pending(device), by);
    const replica = device.page?.replica;
    if (edit && replica) act(replica.outbox, edit).catch(() => undefined);
  }

  /** One kind of weather or another, mostly bad. */
  anyWeather(by: number): Weather {
    if (by < 0.2) return { ...fairWeather };
    if (by < 0.4) return { ...fairWeather, lateLists: 0.5 };
    if (by < 0.5) return { ...fairWeather, isOffline: true };
    const share = (most: number): number => this.#random.unit() * most;
    return {
      isOffline: false,
      lost: share(0.3),
      answerLost: share(0.4),
      doubled: share(0.3),
      spoilt: share(0.3),
      delayMs: this.#random.pick([20, 300, 5_000, 60_000, 600_000]),
    };
  }
}

interface Held {
  id: string;
  version: number;
}

const none: SeenVersion = { generation: '', version: 0 };

/** Which database the rows on a device are of; empty where nobody said. */
export function generationOn(device: SimDevice): string {
  const kept = device.disk.peek<KeptRecord>(device.rowsName, 'meta').find(({ k }) => k === 'generation');
  return typeof kept?.value === 'string' ? kept.value : '';
}
