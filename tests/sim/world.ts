import { mutationNamed, type MutationInput, type MutationName } from '#contract/mutations.ts';
import { choosableFields, keepMine, takeTheirs } from '#replica/conflicts.ts';
import type { Replica } from '#replica/open.ts';
import type { KeptRecord } from '#replica/row-tables.ts';
import type { Fields } from '#replica/merge.ts';
import { discard, enqueue, pendingMutations, retry } from '#replica/outbox.ts';
import type { OutboxRow, Receipt } from '#replica/outbox-tables.ts';
import { foldRow } from '#replica/overlay.ts';
import type { SeenRow } from '#replica/rebase.ts';
import { savedViewsOf } from '#replica/saved-views.ts';
import { ModelServer } from './model-server.ts';
import { Overwrites, type RowChange, type SeenVersion } from './overwrites.ts';
import { type Random, randomOf } from './random.ts';
import { Scheduler } from './scheduler.ts';
import { SimDevice } from './sim-device.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { fairWeather, type Weather } from './sim-net.ts';
import type { Step } from './steps.ts';

const start = Date.UTC(2026, 8, 14, 9);
const minuteMs = 60_000;

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
}

type Outbox = Replica['outbox'];

/** The edit a key of the server belongs to. */
export function editOfKey(key: string): string {
  return key.replace(/#r\d+$/, '');
}

/** A server that only speaks the specification, or one of ours. */
export type ServerKind = 'specification' | 'feed';

/** Every other seed has a server of each kind. */
function kindOf(seed: number): ServerKind {
  return seed % 2 === 0 ? 'specification' : 'feed';
}

/** A server, devices and what happened between them: everything a seed decides. */
export class World {
  readonly scheduler: Scheduler;
  readonly server: ModelServer;
  readonly devices: SimDevice[];
  readonly made = new Map<string, MadeEdit>();
  /** Commits may have been lost since these were noted. */
  powerLosses = 0;
  /** How often the server's database was restored: what was done since the backup is undone. */
  restores = 0;
  /** What edits wrote over that whoever made them had not seen. */
  readonly overwritten: string[] = [];
  readonly #overwrites = new Overwrites();
  readonly #random: Random;

  /** @param devices how many; the seed decides where it is not said. */
  constructor(seed: number, devices?: number, mode: ServerKind = kindOf(seed)) {
    this.#random = randomOf(`world ${seed}`);
    this.scheduler = new Scheduler(randomOf(`turns ${seed}`), start);
    const hasFeed = mode === 'feed';
    const mood = {
      pageCap: this.#random.pick([12, 20, 45, 100, 100]),
      comparesDays: this.#random.chance(0.3),
      hasFeed,
      comparesVersions: hasFeed && this.#random.chance(0.7),
    };
    this.server = new ModelServer(this.#random, () => this.scheduler.now, mood);
    this.devices = ['A', 'B']
      .slice(0, devices ?? (this.#random.chance(0.5) ? 2 : 1))
      .map((name) => new SimDevice(name, this.scheduler, this.server));
    this.server.onChange = (id, before, after, key) => this.#noteChange({ id, before, after, generation: this.server.generation }, key);
    this.scheduler.afterTurn = () => {
      for (const { disk } of this.devices) disk.check();
    };
    for (const device of this.devices) device.revive();
  }

  #noteChange(change: Omit<RowChange, 'by'>, key: string | null): void {
    const edit = key === null ? undefined : this.made.get(editOfKey(key));
    const lane = [...this.made.values()].filter((each) => each.device === edit?.device && each.lane === edit.lane);
    const edits = lane.slice(0, edit && lane.indexOf(edit) + 1);
    // one that took the place of another was made on what that one was made on, and of an old one that is not known; and only a
    // server that compares versions keeps an edit from a row that was changed the moment before
    const isGuarded = this.server.comparesVersions && edits.every(({ on }) => on !== null);
    const guarded =
      edit && isGuarded
        ? {
            name: edit.name,
            on: edits.flatMap(({ on }) => on ?? []),
            shown: edits.flatMap(({ shown }): Fields[] => (shown ? [shown] : [])),
          }
        : null;
    const found = this.#overwrites.note({ ...change, by: edit?.device.name ?? 'somebody else' }, guarded);
    if (found !== null) this.overwritten.push(`edit ${edit?.id}: ${found}`);
  }

  /** Does one thing and lets what follows from it go on for a while. */
  async take({ kind, one, other }: Step): Promise<void> {
    const device = pickBy(this.devices, one);
    if (!device) return;
    const worker = pickBy(device.workers, other);
    switch (kind) {
      case 'saveView':
        this.#edit(device, 'saveView', {
          id: this.#viewId(device, one),
          name: `View ${Math.floor(other * 6)}`,
          list: 'transactions',
          search: `q=${other}`,
        });
        break;
      case 'deleteView':
        this.#edit(device, 'deleteView', { id: this.#viewId(device, other) });
        break;
      case 'markTransfer': {
        const row = pickBy([...this.server.transactions.values()], other);
        const deps = one > 0.4 && one < 0.6 ? this.pending(device).slice(-1) : [];
        if (row)
          this.#edit(
            device,
            'markTransfer',
            { trx_id: row.id, counterpart_id: null, is_transfer: one < 0.5 },
            deps.map(({ id }) => id),
          );
        break;
      }
      case 'foreignAdd':
        this.server.addTransaction(pickBy(this.server.entities, other)?.id ?? '');
        break;
      case 'foreignChange':
        this.server.changeTransaction(pickBy([...this.server.transactions.keys()], other) ?? '');
        break;
      case 'foreignView':
        this.server.deleteView(pickBy([...this.server.views.keys()], other) ?? '');
        break;
      case 'foreignRename':
        this.server.changeView(pickBy([...this.server.views.keys()], other) ?? '', `View ${Math.floor(one * 6)}`);
        break;
      case 'foreignFilter':
        this.server.changeView(pickBy([...this.server.views.keys()], other) ?? '', null);
        break;
      case 'foreignDecision':
        this.server.decideTransaction(this.#editedTransaction(other) ?? '', one < 0.3);
        break;
      case 'foreignDelete':
        this.server.deleteTransaction(pickBy([...this.server.transactions.keys()], other) ?? '');
        break;
      case 'hideEntity':
      case 'showEntity':
        this.server.setHidden(pickBy(this.server.entities, other)?.id ?? '', kind === 'hideEntity');
        break;
      case 'holdFeed':
        this.server.holdFeed(other * 5 * minuteMs);
        break;
      case 'forgetChanges':
        this.server.forgetChanges(Math.floor(other * 20));
        break;
      case 'backUp':
        this.server.backUp();
        break;
      case 'restoreServer':
        if (this.server.hasFeed) this.#restore();
        break;
      case 'syncNow':
        worker?.engine.syncNow().catch(() => undefined);
        break;
      case 'sendNow':
        worker?.engine.sendNow().catch(() => undefined);
        break;
      case 'look':
        worker?.engine.look(pickBy(this.server.clients, one)?.id ?? null).catch(() => undefined);
        break;
      case 'letRun':
        await this.scheduler.until(() => false, Math.floor(one * 120));
        return;
      case 'passSeconds':
        await this.scheduler.pass(one * 20_000, 400);
        return;
      case 'passMinutes':
        await this.scheduler.pass(one * 5 * minuteMs, 2_000);
        return;
      case 'killWorker':
        if (worker) device.killWorker(worker);
        break;
      case 'killPage':
        device.killPage();
        break;
      case 'killBrowser':
        device.killAll();
        break;
      case 'losePower':
        device.killAll();
        device.disk.losePower();
        this.powerLosses += 1;
        break;
      case 'secondWorker':
        if (device.workers.length < 2) device.startWorker();
        break;
      case 'robLock':
        device.locks.take(() => true);
        break;
      case 'freezeWorker':
        if (worker) worker.actor.frozenUntil = this.scheduler.now + other * 30 * minuteMs;
        break;
      case 'weather':
        device.weather = this.#weather(other);
        break;
      case 'fillDisk':
        device.disk.failingWrites = Math.floor(other * 4);
        break;
      case 'discard':
        this.#decide(device, other, (outbox, { seq }) => discard(outbox, seq, this.scheduler.now));
        break;
      case 'retry':
        this.#decide(device, other, (outbox, { id, seq }) => {
          const edit = this.made.get(id);
          if (edit) edit.isRetried = true;
          return retry(outbox, seq);
        });
        break;
      case 'keepMine':
        this.#settleConflict(device, other, (outbox, { seq }) => keepMine(outbox, seq));
        break;
      case 'chooseFields':
        this.#settleConflict(device, other, (outbox, edit) =>
          keepMine(
            outbox,
            edit.seq,
            choosableFields(edit)
              .slice(0, 1)
              .map(({ name }) => name),
          ),
        );
        break;
      case 'takeTheirs':
        this.#settleConflict(device, other, (outbox, { seq }) => takeTheirs(outbox, seq, this.scheduler.now));
        break;
      case 'demandUpdate':
        this.server.oldestBuild = Math.max(...this.devices.map(({ build }) => Number(build))) + 1;
        break;
      case 'updateApp':
        if (Number(device.build) < this.server.oldestBuild) device.update(String(this.server.oldestBuild));
        break;
      case 'signOutByServer':
        // whoever signs in again opens the engine anew
        worker?.engine.open({ userId: device.userId, apiBaseUrl: 'http://sim/api' }).catch(() => undefined);
        break;
    }
    await this.scheduler.until(() => false, Math.floor(other * 25));
    device.revive();
  }

  /** All faults end: what should run runs, and nothing is lost any more. */
  heal(): void {
    this.server.poisoned.clear();
    for (const device of this.devices) {
      device.weather = { ...fairWeather };
      device.disk.failingWrites = 0;
      if (Number(device.build) < this.server.oldestBuild) device.update(String(this.server.oldestBuild));
      for (const worker of device.workers) worker.actor.frozenUntil = 0;
      device.revive();
    }
  }

  #restore(): void {
    const keep = (): void => {
      const { generation, transactions, views } = this.server;
      this.#overwrites.keep(generation, [...transactions.values(), ...views.values()]);
    };
    keep();
    if (!this.server.restore()) return;
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

  /** A view's id: one that is known on the device or the server, or a new one. */
  #viewId(device: SimDevice, by: number): string {
    const known = [...this.server.views.keys(), ...this.pending(device).map(({ input }) => (input as { id?: string }).id ?? '')].filter(
      Boolean,
    );
    return by < 0.4 || known.length === 0 ? this.#random.uuid() : (pickBy(known, by) ?? '');
  }

  uuid(): string {
    return this.#random.uuid();
  }

  /** An edit on one of the devices. @returns its id. */
  edit<N extends MutationName>(at: number, name: N, input: MutationInput<N>): string {
    const device = this.devices[at];
    const edit = device && this.#keep(device, name, input);
    if (!edit) throw new Error('There is no page to edit on');
    return edit.id;
  }

  /** A row that edits are about, or any. */
  #editedTransaction(by: number): string | undefined {
    const edited = [...this.made.values()].flatMap(({ lane }) => (lane.startsWith('trx:') ? [lane.slice(4)] : []));
    return pickBy(edited.length > 0 && by < 0.8 ? edited : [...this.server.transactions.keys()], by);
  }

  #edit<N extends MutationName>(device: SimDevice, name: N, input: MutationInput<N>, deps: readonly string[] = []): void {
    const edit = this.#keep(device, name, input, deps);
    if (edit && this.#random.chance(0.06)) this.server.poisoned.set(edit.id, this.#random.pick([500, 422, 403, 404]));
  }

  #keep<N extends MutationName>(device: SimDevice, name: N, input: MutationInput<N>, deps: readonly string[] = []): MadeEdit | null {
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
    };
    this.made.set(edit.id, edit);
    // what older builds made says nothing of what the person saw
    const isOld = this.#random.chance(0.05);
    const keep = async (): Promise<void> => {
      const { seen, held } = isOld ? { seen: undefined, held: null } : await this.#lookAt(device, replica, lane);
      edit.shown = seen ?? null;
      edit.on = held && [held, ...(seen === null ? [none] : [])];
      const { id } = edit;
      await enqueue(replica.outbox, { id, name, input, title: name, now: this.scheduler.now, clientId: null, entityId: null, seen, deps });
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
    return {
      seen: row ? foldRow('transactions', row, edits) : null,
      held: { generation: generationOn(device), version: row?.version ?? 0 },
    };
  }

  #settleConflict(device: SimDevice, by: number, act: (outbox: Outbox, edit: OutboxRow) => Promise<unknown>): void {
    const edit = pickBy(
      this.pending(device).filter(({ state }) => state === 'conflict'),
      by,
    );
    const replica = device.page?.replica;
    const made = edit && this.made.get(edit.id);
    if (!edit || !made || !replica) return;
    // from now on they know what somebody else made of the row
    made.decisions += 1;
    if (made.on !== null) made.on = edit.theirs?.fields ? [] : [none];
    made.shown = edit.theirs?.fields ?? null;
    act(replica.outbox, edit).catch(() => undefined);
  }

  #decide(device: SimDevice, by: number, act: (outbox: Outbox, edit: OutboxRow) => Promise<unknown>): void {
    const edit = pickBy(this.pending(device), by);
    const replica = device.page?.replica;
    if (edit && replica) act(replica.outbox, edit).catch(() => undefined);
  }

  #weather(by: number): Weather {
    if (by < 0.3) return { ...fairWeather };
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

/** Which database the rows on a device are of. */
function generationOn(device: SimDevice): string {
  const kept = device.disk.peek<KeptRecord>(device.rowsName, 'meta').find(({ k }) => k === 'generation');
  return typeof kept?.value === 'string' ? kept.value : '';
}

/** One of a list by a number from 0 to 1; none of an empty one. */
function pickBy<T>(from: readonly T[], by: number): T | undefined {
  return from[Math.floor(by * from.length)];
}
