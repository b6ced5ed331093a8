import { deleteClient } from '#contract/clients.ts';
import type { GuardedRow } from '#contract/endpoint.ts';
import { mutationNamed, type MutationInput, type MutationName } from '#contract/mutations.ts';
import type { Replica } from '#replica/open.ts';
import type { KeptRecord } from '#replica/row-tables.ts';
import { movedText } from '#contract/errors.ts';
import type { MarkTransferInput } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import { isShown, needsPerson } from '#replica/mutation-states.ts';
import { ofDatabase } from '#replica/held-rows.ts';
import type { PullRow } from '#replica/pulls.ts';
import { type Fields, isSameValue } from '#replica/merge.ts';
import { type AnyNewMutation, enqueue, enqueueAll, pendingMutations } from '#replica/outbox.ts';
import type { OutboxRow, Receipt } from '#replica/outbox-tables.ts';
import { editsByRow, foldRow, markOf } from '#replica/overlay.ts';
import { asChange, conflictOf, keptInput } from '#replica/conflicts.ts';
import { isRestatable, restate } from '#replica/restating.ts';
import { makersOf } from '#replica/places.ts';
import type { SeenRow } from '#replica/rebase.ts';
import { scopeKey } from '#replica/scopes.ts';
import { shownRows } from '#replica/shown-rows.ts';
import { inputOn, isOnShown, saidOtherwise } from './edits.ts';
import { aMadeEdit, leftBeneath, leftThrough, type MadeEdit, type Making, saidBeneath, saysSo, unsaidIn, wordsOf } from './made-edit.ts';
import { ModelServer } from './model-server.ts';
import { type GuardedEdit, hiddenIn, Overwrites, type RowChange, type SeenVersion } from './overwrites.ts';
import { pickBy, type Random, randomOf } from './random.ts';
import { Scheduler } from './scheduler.ts';
import { aGuest, type Guest } from './guest.ts';
import { SimDevice } from './sim-device.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { fairWeather, type Weather } from './sim-net.ts';
import {
  type Answered,
  editOfKey,
  type OfficeNoun,
  officeNouns,
  type Poison,
  type ReadRight,
  type ServerMood,
  type SimServer,
} from './sim-server.ts';

const start = Date.UTC(2026, 8, 14, 9);

type Outbox = Replica['outbox'];

/** Whether the list of a noun was read since the copy was begun. */
function isListRead(device: SimDevice, about: GuardedRow | null): boolean {
  const pulls = device.disk.peek<PullRow>(device.rowsName, 'pulls');
  return pulls.some(({ noun, last_complete_at }) => noun === about?.noun && last_complete_at !== null);
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
  /** When the person's rights changed last, and when each entity went out of sight last or came back, UTC milliseconds. */
  #rightsChangedAt = 0;
  readonly #hiddenAt = new Map<string, number>();
  /** Entities that ever went to another client, with all they were in. */
  readonly moved = new Map<string, Set<string>>();
  /** Rows that were gone, and that a backup brought back. */
  readonly broughtBack = new Set<string>();
  /** How often the server's database was restored: what was done since the backup is undone. */
  restores = 0;
  /** What edits wrote over that whoever made them had not seen. */
  readonly overwritten: string[] = [];
  /** Edits that had the server write something else than the person said. */
  readonly missaid: string[] = [];
  readonly #overwrites = new Overwrites();
  /** The row as each edit left it at the server. */
  readonly #left = new Map<MadeEdit, Fields>();
  /** What was changed of each row at the server, in order. */
  readonly #hands = new Map<string, Hand[]>();
  readonly #random: Random;

  constructor(seed: number, { devices, kind = kindOf(seed), makeServer = aModel }: WorldOptions = {}) {
    this.#random = randomOf(`world ${seed}`);
    this.scheduler = new Scheduler(randomOf(`turns ${seed}`), start);
    const hasFeed = kind === 'feed';
    const mood: ServerMood = {
      // what a server says it hands out at most is no less than any of its lists of one page
      pageCap: this.#random.pick([hasFeed ? 12 : 4, 12, 20, 45, 100, 100]),
      upTo: this.#random.chance(0.3)
        ? 'day'
        : hasFeed
          ? 'moment'
          : randomOf(`dates ${seed}`).pick(['moment', 'moment', 'midnight', 'midnight_elsewhere', 'before']),
      selects: hasFeed ? 'all' : randomOf(`ids ${seed}`).pick(['all', 'all', 'first', 'all_or_none']),
      hasFeed,
      // ours does
      hidesQuietly: hasFeed || this.#random.chance(0.5),
      comparesVersions: hasFeed && this.#random.chance(0.7),
      isElsewhere: hasFeed && randomOf(`origin ${seed}`).chance(0.3),
      namesTickets: !hasFeed && randomOf(`desk ${seed}`).chance(0.7),
    };
    this.server = makeServer({ random: this.#random, now: () => this.scheduler.now, mood });
    this.devices = ['A', 'B', 'C']
      .slice(0, devices ?? this.#random.pick([1, 1, 1, 1, 2, 2, 2, 3]))
      .map((name) => new SimDevice(name, this.scheduler, this.server));
    const [first] = this.devices;
    // the real server has places, and no worlds beside this one
    this.guest = first && makeServer === aModel ? aGuest(seed, first, { scheduler: this.scheduler, mood }) : null;
    this.server.onChange = (id, before, after, key) => this.#noteChange({ id, before, after, ...this.#moment }, key);
    this.server.onEffect = (key) => this.#noteEffect(editOfKey(key));
    this.scheduler.afterTurn = () => {
      for (const { disk } of this.devices) disk.check();
    };
    for (const device of this.devices) {
      device.disk.onRemove = (database) => {
        if (!device.owns(database)) return;
        device.losses += 1;
        device.removals += 1;
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

  get #moment(): Pick<RowChange, 'generation' | 'at'> {
    return { generation: this.server.generation, at: this.scheduler.now };
  }

  #noteEffect(id: string): void {
    const edit = this.made.get(id);
    if (!edit) return;
    const other = this.server.transactions.get(edit.rests?.id ?? '');
    const guarded = this.#guardedOther(edit);
    const change = other && { id: other.id, before: other, after: other, by: edit.device.name, ...this.#moment };
    if (change && guarded) this.#noteOverwrite(edit, this.#overwrites.unseen(change, guarded));
    if (this.server.keepsKeys) return;
    const isAwaited = this.pending(edit.device).some((each) => each.id === id && each.state === 'sending');
    edit.wasLate ||= !isAwaited;
  }

  #noteOverwrite({ id }: MadeEdit, found: string | null): void {
    if (found !== null) this.overwritten.push(`edit ${id}: ${found}`);
  }

  /**
   * Until when what somebody else changed must have been noticed by an edit that has its effect now, UTC milliseconds. A server that
   * compares versions keeps it from whatever was changed; at any other one the row is looked at once an attempt begins, and what comes
   * after that nobody can know. Where it may not be looked at, or came into sight since, nothing must.
   */
  #noticedUntil({ about, tries }: MadeEdit): number {
    const { sent } = this.server;
    const begun = tries.findLast(({ at, by }) => sent === null || (by === sent.by && at <= sent.at));
    // one that was not known yet to compare them is asked as if it did not, and what was sent so may arrive when it is known
    if (this.server.comparesVersions && begun?.followsFeed === true) return Infinity;
    const begunAt = sent === null ? -Infinity : (begun?.at ?? -Infinity);
    const entity = about?.noun === 'transactions' ? this.server.transactions.get(about.id)?.entity_id : about?.id;
    const isInSight = entity === undefined || this.rowSightChangedAt(entity) < begunAt;
    const mayLook = about?.noun !== 'transactions' || (this.server.maySeeTransactions && this.#rightsChangedAt < begunAt);
    return isInSight && mayLook ? begunAt : -Infinity;
  }

  /** The same of another row an edit rests on; null where what was made of that is not compared, or the person was told of it. */
  #guardedOther(edit: MadeEdit): GuardedEdit | null {
    const { name, rests, isRetried, decisions } = edit;
    // of one of an older build before it nobody knows what it left
    if (!rests || isRetried || decisions > 0 || this.#laneOf(edit).some(({ on }) => on === null)) return null;
    const shown = [rests.shown, ...saidBeneath(edit, rests.id)];
    // of its conflicts, too, they were told
    const told = [...this.made.values()].filter(({ device, about }) => device === edit.device && about?.id === rests.id);
    return {
      name,
      on: [rests.on, ...told.flatMap((each) => each.told)],
      shown,
      former: null,
      until: this.#noticedUntil(edit),
      isTold: false,
    };
  }

  /** Whether somebody else changed a row, or took it out of sight. */
  isOthers(id: string, device: SimDevice): boolean {
    return (this.#hands.get(id) ?? []).some(({ edit }) => edit?.device !== device);
  }

  /**
   * Whether the row of an edit was at any time since its last attempt began as its person said; so it is taken to be where nobody had changed
   * the row by then, for nobody noted how it was, and where one to be deleted went out of sight.
   */
  wasSo(edit: MadeEdit): boolean {
    const outdone = this.#goneOf(edit);
    const hands = this.#hands.get(edit.about?.id ?? '') ?? [];
    const last = hands.findLastIndex(({ at }) => at <= (edit.tries.at(-1)?.at ?? 0));
    const removes = mutationNamed(edit.name).removes !== undefined;
    if (removes && (this.moved.has(edit.about?.id ?? '') || this.rowSightChangedAt(edit.about?.id ?? '') > 0)) return true;
    const others = this.#leftBeside(edit);
    const isSo = (left: Fields | null): boolean => (left ? !removes && saysSo(edit, outdone, others, left) : removes);
    return last < 0 || hands.slice(last).some(({ left }) => left === undefined || isSo(left));
  }

  /** The edits of its row that gave way or were let go of: what it is made on is what they were. */
  #goneOf(edit: MadeEdit): MadeEdit[] {
    const gone = new Set(this.receipts(edit.device).flatMap(({ id, outcome }) => (outcome === 'accepted' ? [] : id)));
    return this.#laneOf(edit).filter(({ id }) => gone.has(id));
  }

  /** The row of an edit as other hands left it: when it was begun, though the copy may not have had that yet, and since. */
  #leftBeside(edit: MadeEdit): Fields[] {
    const left = (this.#hands.get(edit.about?.id ?? '') ?? []).flatMap((hand) => (hand.left ? [{ ...hand, left: hand.left }] : []));
    const since = left.findLastIndex(({ at }) => at < edit.begunAt);
    // what they had left themselves before it they saw, unless others of their edits hid it
    const had = left[since]?.edit?.device === edit.device ? left[since] : undefined;
    const hiding = this.#goneOf(edit).filter((each) => !left.some((hand) => hand.edit === each));
    const beneath = had ? leftBeneath(edit, hiding, had.left) : null;
    const beside = left.filter((hand, at) => hand.edit !== edit && hand !== had && at >= since);
    return [...beside.map((hand) => hand.left), ...(beneath ? [beneath] : [])];
  }

  #noteChange(change: Omit<RowChange, 'by'>, key: string | null): void {
    const edit = key === null ? undefined : this.made.get(editOfKey(key));
    const hands = this.#hands.get(change.id) ?? [];
    this.#hands.set(change.id, [...hands, { edit: edit ?? null, at: change.at, left: change.after }]);
    // what somebody else makes of a row is no edit's; nor is what a late copy of one makes anew once it went
    if (key === null || change.after === null) this.server.latest.delete(change.id);
    const lane = edit ? this.#laneOf(edit) : [];
    // of those begun later it took the place of some: the person saw what those were made on
    const receipts = edit ? this.receipts(edit.device) : [];
    const replaced = new Set(receipts.flatMap(({ id, outcome }) => (outcome === 'replaced' ? id : [])));
    const last = edit ? lane.indexOf(edit) : -1;
    const edits = lane.filter(({ id }, at) => at <= last || replaced.has(id) || edit?.keptBefore.includes(id));
    // what it did to other rows, such as the one its transaction was paired with, follows from what the person had seen of its own
    const isOwn = edit?.lane.endsWith(`:${change.id}`) === true;
    const ahead = edits.filter((each) => edit !== undefined && each.behind.includes(edit.id));
    // who deleted a row, with a form of it open, knows that it is gone when that is saved
    const deleted = lane.filter(
      ({ id, name }) => mutationNamed(name).removes !== undefined && receipts.some((each) => each.id === id && each.outcome === 'accepted'),
    );
    // one that took the place of another was made on what that one was made on, and of an old one that is not known
    const isGuarded = isOwn && edits.every(({ on }) => on !== null);
    const other = edit?.rests?.id === change.id ? this.#guardedOther(edit) : null;
    const guarded =
      edit && isGuarded
        ? {
            until: this.#noticedUntil(edit),
            isTold: edits.some(({ decisions, isRetried }) => decisions > 0 || isRetried),
            name: edit.name,
            former: { on: edits.flatMap(({ former }) => former.on), shown: edits.flatMap(({ former }) => former.shown) },
            on: [...edits.flatMap(({ on }) => on ?? []), ...ahead.flatMap(({ former }) => former.on), ...deleted.map(() => none)],
            // and somebody else may have left again what one of their own edits leaves, or had left it before
            shown: [
              ...edits.flatMap(({ shown, opened }) => [shown, ...opened]),
              ...leftThrough(
                edits.filter((each) => each !== edit),
                edit.shown,
              ),
              ...ahead.flatMap(({ former }) => former.shown),
              ...lane.map((each) => this.#left.get(each)),
              ...saidBeneath(edit, change.id),
            ].filter((row) => !!row),
          }
        : other;
    if (edit && isOwn && change.after) {
      this.#left.set(edit, change.after);
      if (!saysSo(edit, this.#goneOf(edit), this.#leftBeside(edit), change.after))
        this.missaid.push(`edit ${edit.id} left ${JSON.stringify(change.after)}, and said ${JSON.stringify(edit.words)}`);
      const letGo = new Set(receipts.flatMap(({ id, outcome }) => (outcome === 'discarded' || outcome === 'theirs' ? id : [])));
      const held = lane.filter((each) => each !== edit && !letGo.has(each.id));
      // a server that compares no versions is asked how the row is a moment before
      const unsaid =
        isGuarded && this.server.comparesVersions && change.before
          ? unsaidIn(edit, held, { ...change, before: change.before, after: change.after })
          : [];
      if (unsaid.length > 0)
        this.missaid.push(
          `edit ${edit.id} wrote ${unsaid.join(', ')} over ${JSON.stringify(change.before)}: ${JSON.stringify(change.after)}, which nobody said`,
        );
    }
    const decided = edit?.name === 'markTransfer' ? { decides: 'match_state' } : {};
    const found = this.#overwrites.note({ ...change, ...decided, by: edit?.device.name ?? 'somebody else' }, guarded);
    if (edit) this.#noteOverwrite(edit, found);
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
    device.losses += 1;
    for (const edit of this.made.values()) if (edit.device === device) edit.isCleared = true;
  }

  /** All faults end: what should run runs, and nothing is lost any more. */
  heal(): void {
    this.server.poisoned.clear();
    // what took long at the server is done
    void this.server.holdFeed(0);
    this.guest?.leave();
    for (const device of this.devices) {
      device.weather = { ...fairWeather };
      // whoever was signed out, or is to be told so yet, signs in again
      const isOver = device.browser.session !== 'good';
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
        if (isOver || worker.status?.phase === 'signed_out') void device.openEngine(worker);
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
    const client = this.server.office.entities.get(entityId)?.client_id;
    const kept = [...this.server.office.archived_assets.values()].filter(({ client_id }) => client_id === client);
    for (const id of [entityId, client ?? '', ...kept.map((row) => row.id)]) this.#touch(id);
  }

  /** Somebody else moves an entity to another client; who sees clients by their entities alone may see others then. */
  async moveEntity(entityId: string, clientId: string): Promise<void> {
    const { server } = this;
    const from = server.office.entities.get(entityId)?.client_id ?? '';
    const wasSeen = server.isEntitySeen(entityId);
    await server.moveEntity(entityId, clientId);
    this.moved.set(entityId, new Set([...(this.moved.get(entityId) ?? []), from, clientId]));
    if (server.isEntitySeen(entityId) !== wasSeen) this.#hiddenAt.set(scopeKey('entity', entityId), this.scheduler.now);
    if (!server.hidesClients) return;
    for (const id of [from, clientId]) {
      this.#hiddenAt.set(scopeKey('client', id), this.scheduler.now);
      this.#touch(id);
    }
    for (const { id, client_id } of server.office.archived_assets.values())
      if (client_id === from || client_id === clientId) this.#touch(id);
  }

  /** Somebody else changed what there is of a row, or where it is seen. */
  #touch(id: string): void {
    this.#hands.set(id, [...(this.#hands.get(id) ?? []), { edit: null, at: this.scheduler.now, left: undefined }]);
  }

  /** Somebody else deletes a client, and nothing of what lies in it is seen any more. */
  async loseClient(id: string): Promise<void> {
    const within = [...this.server.office.entities.values(), ...this.server.office.archived_assets.values()].filter(
      (row) => row.client_id === id,
    );
    await this.server.elsewhere(deleteClient, { id });
    for (const row of within) this.#touch(row.id);
  }

  /** The person's role is without some rights from now on, and without no others. */
  async withhold(rights: readonly ReadRight[]): Promise<void> {
    await this.server.setWithheld(rights);
    this.#rightsChangedAt = this.scheduler.now;
  }

  /** When it changed last what the person may see of a row of the office, UTC milliseconds; 0 where it never did. */
  rowSightChangedAt(id: string): number {
    const scope = scopeKey('entity', id);
    // be it that it was deleted since
    if (this.server.office.entities.has(id) || this.#hiddenAt.has(scope)) return this.sightChangedAt(scope);
    return this.server.hidesClients ? Math.max(this.#rightsChangedAt, ...this.#hiddenAt.values()) : this.#rightsChangedAt;
  }

  /**
   * When it changed last what the person may see of a scope, UTC milliseconds; 0 where it never did.
   * @param row of it: an account lies in its client's list, and is seen with its entity; figures bear the id of theirs.
   */
  sightChangedAt(scope: string, row?: string): number {
    const entity = this.server.accounts.find(({ id }) => id === row)?.entity_id ?? row ?? '';
    return Math.max(this.#rightsChangedAt, this.#hiddenAt.get(scope) ?? 0, this.#hiddenAt.get(scopeKey('entity', entity)) ?? 0);
  }

  /** The server's database is replaced by its backup. */
  async restore(): Promise<void> {
    const keep = (): void => {
      const { generation, transactions, views } = this.server;
      const office = officeNouns.flatMap((noun) => [...(this.server.office[noun] as ReadonlyMap<string, SeenRow & Answered>).values()]);
      this.#overwrites.keep(generation, [...transactions.values(), ...views.values(), ...office]);
    };
    keep();
    const before = this.#standing();
    if (!(await this.server.restore())) return;
    keep();
    this.#overwrites.restore(this.scheduler.now);
    this.restores += 1;
    this.#noteRestored(before);
  }

  /** How often what was noted of a device may have ceased to hold: commits of it were lost, or the server was restored. */
  lossesOf(device: SimDevice): number {
    return device.losses + this.restores;
  }

  /** All rows there are, whoever may see them. */
  #standing(): Map<string, Standing> {
    const { office, transactions, views, matches } = this.server;
    const places = officeNouns.flatMap((noun) => [...(office[noun] as ReadonlyMap<string, Standing>).values()]);
    return new Map([...places, ...transactions.values(), ...views.values(), ...matches.values()].map((row) => [row.id, row]));
  }

  /** What a backup brought back, took away or made another is somebody else's work, and an entity may lie where it did not. */
  #noteRestored(before: ReadonlyMap<string, Standing>): void {
    const after = this.#standing();
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(id), after.get(id)];
      if (!isSameValue(was, is)) this.#touch(id);
      if (!was) this.broughtBack.add(id);
      const isPlace = this.server.office.entities.has(id) || this.server.office.clients.has(id);
      const isMoved = was?.client_id !== is?.client_id;
      if (isPlace && was && is && isMoved)
        this.moved.set(id, new Set([...(this.moved.get(id) ?? []), was.client_id ?? '', is.client_id ?? '']));
    }
  }

  pending(device: SimDevice): OutboxRow[] {
    return device.disk.peek<OutboxRow>(device.outboxName, 'mutations').toSorted((a, b) => a.seq - b.seq);
  }

  receipts(device: SimDevice): readonly Receipt[] {
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
  edit<N extends MutationName>(at: number, name: N, input: MutationInput<N>, making: Making = {}): string {
    const device = this.devices[at];
    const edit = device && this.#keep(device, name, input, making);
    if (!edit) throw new Error('There is no page to edit on');
    return edit.id;
  }

  /** A row of a noun: one that edits are about, or that is there; none where there is none. */
  rowOf(noun: OfficeNoun, by: number): string | undefined {
    const edited = [...this.made.values()].flatMap(({ about }) => (about?.noun === noun ? about.id : []));
    const there = [...this.server.office[noun].keys()];
    return pickBy(edited.length > 0 && by < 0.5 ? [...new Set(edited)] : there, by < 0.5 && edited.length > 0 ? by * 2 : by);
  }

  /** A row that edits are about, or any. */
  editedTransaction(by: number): string | undefined {
    const edited = [...this.made.values()].flatMap(({ lane, rests }) =>
      lane.startsWith('trx:') ? [lane.slice('trx:'.length), ...(rests ? [rests.id] : [])] : [],
    );
    return pickBy(edited.length > 0 && by < 0.8 ? edited : [...this.server.transactions.keys()], by);
  }

  /** The person makes an edit on a device; some of them the server is going to refuse, or never to answer. */
  make<N extends MutationName>(device: SimDevice, name: N, input: MutationInput<N>, making: Making = {}): string | null {
    const edit = this.#keep(device, name, input, making);
    if (edit && this.#random.chance(0.06)) this.server.poisoned.set(edit.id, this.#random.pick<Poison>([500, 422, 403, 404, 'page']));
    return edit && edit.id;
  }

  #begun<N extends MutationName>(device: SimDevice, name: N, input: MutationInput<N>): MadeEdit {
    const edit = aMadeEdit(this.#random.uuid(), name, input, { device, now: this.scheduler.now });
    for (const other of this.#laneOf(edit)) if (!other.isKept) other.isAlone = edit.isAlone = false;
    this.made.set(edit.id, edit);
    return edit;
  }

  #keep<N extends MutationName>(
    device: SimDevice,
    name: N,
    input: MutationInput<N>,
    { deps = [], in: place, thinksMs: wanted, behind, file }: Making = {},
  ): MadeEdit | null {
    const replica = device.page?.replica;
    if (!replica) return null;
    const settled = new Set(this.receipts(device).map(({ id }) => id));
    const beneath = [...this.made.values()].filter(
      (each) => each.device === device && isMark(each.name, each.said[0] ?? {}) && !settled.has(each.id),
    );
    const edit = this.#begun(device, name, input);
    edit.beneath = beneath;
    edit.deps.push(...deps);
    edit.place = place?.id ?? null;
    const follower = behind && this.#begun(device, behind.name, behind.input);
    follower?.deps.push(edit.id);
    // what older builds made says nothing of what the person saw
    const isOld = this.#random.chance(0.05);
    const thinksMs = wanted ?? (this.#random.chance(0.3) ? this.#random.below(60_000) : 0);
    const keep = async (): Promise<void> => {
      const { id, about } = edit;
      const looked = about && (!isOld || isOnShown(name)) ? await this.#lookAt(device, replica, about) : null;
      const { seen, held } = looked && !isOld ? looked : { seen: undefined, held: null };
      const said = inputOn(name, input, looked?.seen ?? null);
      // a row that is not in sight has no form, and nothing is made in a place that is not
      if (said === null || (place && !(await shownRows(replica, place.noun)).some((row) => row.id === place.id))) {
        this.made.delete(id);
        return;
      }
      const other = isMark(name, input) && input.counterpart_id !== null ? await lookAtOther(device, replica, input.counterpart_id) : null;
      // a pair of which one row is not here cannot be marked
      if (isMark(name, input) && input.counterpart_id !== null && !other) {
        this.made.delete(id);
        return;
      }
      edit.rests = (!isOld && other?.rests) || null;
      if (isMark(name, input)) edit.deps.push(...decidedBefore(input, await pendingMutations(replica.outbox)));
      if (place) edit.deps.push(...(await makersOf(replica, place.noun, place.id)));
      edit.shown = seen ?? null;
      edit.isBlind = edit.shown === null;
      edit.said = [said as Fields];
      edit.found = edit.shown ? [edit.shown] : [];
      edit.words = [wordsOf(edit.shown, said as Fields)];
      edit.isListRead = isListRead(device, about);
      edit.on = held && [held, ...(seen === null ? [none] : [])];
      // a form is open for a while
      if (thinksMs > 0) await this.scheduler.after(thinksMs, 'thought', null).done;
      const of = { now: device.now, ...this.#placeOf(about, { ...seen, ...said }) };
      const restsOn = other && !isOld ? { restsOn: other.seen } : {};
      const told = { id, name, input: said, title: name, seen, deps: edit.deps, ...of, ...restsOn, ...(file ? { file } : {}) };
      if (!behind || !follower) return enqueue(replica.outbox, told);
      const next = { id: follower.id, title: behind.name, deps: follower.deps, ...behind, ...of };
      return enqueueAll(replica.outbox, [told, next] as AnyNewMutation[]);
    };
    keep().then(
      () => {
        edit.isKept = true;
        const before = this.#laneOf(edit).filter((each) => each !== edit && each.isKept);
        edit.keptBefore = before.map(({ id }) => id);
        // where its form showed no row, what they had said of it by then counts as found
        if (edit.isBlind) edit.found = before.flatMap(({ said }) => said);
        if (follower) follower.isKept = true;
      },
      () => undefined,
    );
    return edit;
  }

  /** The client and the entity of an edit, as the screens name them with it. */
  #placeOf(about: GuardedRow | null, row: Fields): { clientId: string | null; entityId: string | null } {
    if (about?.noun === 'clients') return { clientId: about.id, entityId: null };
    const entityId = about?.noun === 'entities' ? about.id : ((row['entity_id'] as string | undefined) ?? null);
    const clientId = (row['client_id'] as string | undefined) ?? this.server.office.entities.get(entityId ?? '')?.client_id ?? null;
    return { clientId, entityId };
  }

  /** A row as the screen shows it, and the version of what is held beneath. */
  async #lookAt(device: SimDevice, replica: Replica, { noun, id }: GuardedRow): Promise<{ seen: SeenRow | null; held: SeenVersion }> {
    if (noun !== 'transactions') {
      const seen = (await shownRows(replica, noun)).find((row) => row.id === id) ?? null;
      const held = device.disk.peek<Held>(device.rowsName, noun).find((row) => row.id === id);
      return { seen, held: heldAt(generationOn(device), held, seen) };
    }
    const edits = await pendingMutations(replica.outbox);
    const row = rowsOnDisk(device).get(id);
    const generation = generationOn(device);
    const seen = row ? marked(row, editsByRow('transactions', edits).get(id) ?? [], generation) : null;
    return { seen, held: heldAt(generation, row, seen) };
  }

  /** A conflict of a device with nobody but itself, in words; null where it is one with somebody else, or that cannot be told. */
  ownConflict(device: SimDevice, edit: OutboxRow, wasForThePerson: (id: string) => boolean): string | null {
    const { id, lane, state, again, created_at, theirs } = edit;
    const about = this.made.get(id)?.about;
    if (about?.noun === 'transactions') return this.#ownDecision(device, edit, about.id);
    if (state !== 'conflict' || !about || device.losses > 0) return null;
    const { id: row } = about;
    if (this.isOthers(row, device) || (theirs?.fields === null && this.#maySeeLess(about, this.made.get(id)))) return null;
    // what may have arrived and was said otherwise since is another change: where it did arrive, they decide
    if (again !== undefined && (this.made.get(id)?.said.length ?? 0) > 1) return null;
    // what was let go of, or was made on nobody knows what, may be at the server without being in the copy
    const mine = this.#laneOf({ device, lane });
    const isKnown = ({ on, isAlone }: MadeEdit): boolean => on !== null && isAlone;
    const isTold = (edit: MadeEdit): boolean => {
      const receipt = this.receipts(device).find((each) => each.id === edit.id);
      if (receipt?.outcome === 'replaced') return !wasForThePerson(edit.id);
      // who had it tried again while their form was open, which showed the row without it, is asked
      if (receipt?.outcome === 'accepted' && edit.isRetried && receipt.settled_at <= created_at) return false;
      // what was to be made was there already, under another id
      const isAnothers = receipt?.is_met === true && !this.server.exists(row);
      return receipt
        ? receipt.outcome === 'accepted' && !isAnothers
        : this.pending(device).some((each) => each.id === edit.id && !needsPerson(each.state));
    };
    if (!mine.every((edit) => isKnown(edit) && (edit.id === id || isTold(edit)))) return null;
    // a copy that was begun anew lacks the row until its list is read: whoever makes it again by then has not seen it
    const made = this.made.get(id);
    if (made?.on?.[0]?.version === 0 && !made.isListRead) return null;
    return `edit ${id} of ${device.name} is in conflict about row ${row}, which nobody else touched`;
  }

  /**
   * The same of a decision about a transaction, or that it was refused for the other row that it rests on: it may be made on rows as they were
   * before one of their own was accepted, of which the server told what it changed.
   */
  #ownDecision(device: SimDevice, { id, state, theirs, error, rests_on: other }: OutboxRow, own: string): string | null {
    // of one that is gone nobody says whose hand it was
    const isMoved = state === 'refused' && error?.detail === movedText && other?.is_told !== true;
    const row = state === 'conflict' && theirs?.fields ? own : isMoved ? (other?.id ?? null) : null;
    const made = this.made.get(id);
    // a server that compares no versions tells none, and those of a database before it say nothing
    if (row === null || !made || !this.server.comparesVersions || device.losses > 0 || this.restores > 0) return null;
    // what waited for them and is tried again may come after others that were made since
    if (made.isRetried) return null;
    // no screen lets a row be decided about that it does not show, nor before it was told which database that is of
    const saw = [...(made.on ?? []), ...(made.rests ? [made.rests.on] : [])];
    if (made.on === null || made.isBlind || saw.some(({ generation }) => generation === '')) return null;
    const isAnswered = ({ id: each }: MadeEdit): boolean =>
      this.receipts(device).some((receipt) => receipt.id === each && receipt.outcome === 'accepted' && receipt.is_met !== true);
    // a form that showed what they had said, and let go of since, says more than that
    const isLetGo = ({ device: whose, letGoAt, about, rests }: MadeEdit): boolean =>
      whose === device && letGoAt !== null && letGoAt >= made.begunAt && (about?.id === row || rests?.id === row);
    if ([...this.made.values()].some(isLetGo)) return null;
    // what somebody else made of its own row may have left the other one without what this one's person had said of both
    const hands = [row, own].flatMap((each) => this.#hands.get(each) ?? []);
    const isOwn = hands.every(({ edit }) => edit?.device === device && edit.on !== null && isAnswered(edit));
    return isOwn ? `edit ${id} of ${device.name} is ${state} for row ${row}, which nobody else touched` : null;
  }

  /** Whether the right to read the list of a row went since an edit was begun, or before that and its form did not know. */
  #maySeeLess({ noun }: GuardedRow, made: MadeEdit | undefined): boolean {
    const office = officeNouns.find((each) => each === noun);
    if (office === undefined || !made) return false;
    return !this.server.mayReadOffice(office) || this.#rightsChangedAt > made.begunAt;
  }

  /** The person decides about one of the edits in conflict. @param isMine all that they said of it holds. */
  settleConflict(device: SimDevice, by: number, isMine: boolean, act: (outbox: Outbox, edit: OutboxRow) => Promise<unknown>): void {
    const edit = pickBy(
      this.pending(device).filter(({ state }) => state === 'conflict'),
      by,
    );
    const replica = device.page?.replica;
    const made = edit && this.made.get(edit.id);
    if (!edit || !made || !replica) return;
    this.#learn(made, edit);
    // what they were shown to be theirs, and chose, they said, be it that their form had only said it again
    const chosen = (conflictOf(edit)?.fields ?? []).flatMap(({ name, mine, isOpen }) => (isOpen ? [[name, mine] as const] : []));
    const latest = made.words?.at(-1);
    made.words = isMine && latest ? [...(made.words ?? []), { ...latest, ...Object.fromEntries(chosen) }] : null;
    act(replica.outbox, edit).catch(() => undefined);
  }

  /** From now on they know what somebody else made of the row. */
  #learn(made: MadeEdit, edit: OutboxRow): void {
    made.decisions += 1;
    if (edit.theirs?.version) made.told = [...made.told, { generation: edit.theirs.generation ?? '', version: edit.theirs.version }];
    made.behind = this.#laneOf(made).map(({ id }) => id);
    made.former = { on: [...made.former.on, ...(made.on ?? [])], shown: [...made.former.shown, ...(made.shown ? [made.shown] : [])] };
    // of a row that is gone, and may come back, they know what they knew
    const stays = conflictOf(edit)?.isChangeAlone === true;
    if (made.on !== null) made.on = edit.theirs?.fields ? [] : [...(stays ? made.on : []), none];
    made.shown = edit.theirs?.fields ?? (stays ? made.shown : null);
    if (made.shown) made.found = [...made.found, made.shown];
  }

  /** The person says one of the edits that wait otherwise. */
  restate(device: SimDevice, by: number, other: number): void {
    const edits = this.pending(device);
    const edit = pickBy(
      edits.filter((each) => isRestatable(each, edits) && saidOtherwise(each.name, other) !== null),
      by,
    );
    if (!edit) return;
    const otherwise = saidOtherwise(edit.name, other) ?? {};
    // now and then that the row is to be as they found it
    const isBack = (by * 32) % 1 < 0.25;
    this.sayOtherwise(device, edit, isBack ? foundOf(edit, otherwise) : otherwise);
  }

  /** The person says that the row of an edit that waits is to be as they found it. */
  takeBack(device: SimDevice, edit: OutboxRow): void {
    this.sayOtherwise(device, edit, foundOf(edit, saidOtherwise(edit.name, 0) ?? {}));
  }

  /** The same of one edit, in the form it was made in. */
  sayOtherwise(device: SimDevice, edit: OutboxRow, otherwise: Fields): void {
    const replica = device.page?.replica;
    const made = this.made.get(edit.id);
    if (!made || !replica) return;
    const begun = keptInput(edit) as Fields;
    const ended = { ...begun, ...otherwise };
    const next = this.#behind(made, edit, ended);
    const words = wordsOf(begun, ended);
    Object.assign(next, { found: [begun], words: [words] });
    made.words = made.words && [...made.words, words];
    made.said = [...made.said, ended];
    made.opened = [...made.opened, begun];
    const said = {
      begun,
      ended,
      base: edit.base,
      theirs: edit.theirs,
      titleOf: ({ name }: { name: string }) => name,
      id: next.id,
      now: device.now,
    };
    // what waits for them goes on with that
    if (edit.state === 'paused_dependency') made.isRetried = true;
    if (edit.state === 'conflict') this.#learn(made, edit);
    else made.decisions += 1;
    const keep = async (): Promise<void> => {
      await restate(replica.outbox, edit.seq, said).catch(() => false);
      next.isKept = this.#isAnywhere(next);
      if (!next.isKept) this.made.delete(next.id);
    };
    void keep();
  }

  /** The edit that says it, where the one that waits may have had its effect and stands. */
  #behind(made: MadeEdit, { name }: OutboxRow, ended: Fields): MadeEdit {
    const change = asChange(name, ended);
    const next = this.#begun(made.device, change.name, change.input as MutationInput<MutationName>);
    const { on, shown, isBlind, isListRead, former, behind } = made;
    Object.assign(next, { on, shown, isBlind, isListRead, former, behind });
    return next;
  }

  #isAnywhere({ id, device }: MadeEdit): boolean {
    return [...this.pending(device), ...this.receipts(device)].some((each) => each.id === id);
  }

  /** The person decides about one of the edits that wait. */
  decide(device: SimDevice, by: number, act: (outbox: Outbox, edit: OutboxRow) => Promise<unknown>): void {
    const edit = pickBy(this.pending(device), by);
    if (edit) this.#act(device, edit, act);
  }

  /** The same about a certain one. */
  decideAbout(device: SimDevice, is: (edit: OutboxRow) => boolean, act: (outbox: Outbox, edit: OutboxRow) => Promise<unknown>): void {
    const edit = this.pending(device).find(is);
    if (edit) this.#act(device, edit, act);
  }

  #act(device: SimDevice, edit: OutboxRow, act: (outbox: Outbox, edit: OutboxRow) => Promise<unknown>): void {
    const replica = device.page?.replica;
    if (replica) act(replica.outbox, edit).catch(() => undefined);
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

/** Some fields as an edit found them; as they are said where it found no row. */
function foundOf({ base }: OutboxRow, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, base?.fields ? base.fields[name] : value]));
}

/** Whose hand changed a row at the server; null is somebody else's. */
interface Hand {
  edit: MadeEdit | null;
  /** UTC milliseconds. */
  at: number;
  /** The row as it left it; null where it took it away, undefined where it is not known, for it may have been taken out of sight alone. */
  left: Fields | null | undefined;
}

/** A row at the server as far as a restore is compared by it. */
interface Standing {
  id: string;
  version: number;
  client_id?: string;
}

interface Held {
  id: string;
  version: number;
}

type SeenOther = SeenRow & { id: string };

const none: SeenVersion = { generation: '', version: 0 };

/** Which database the rows on a device are of; empty where nobody said. */
export function generationOn(device: SimDevice): string {
  const kept = device.disk.peek<KeptRecord>(device.rowsName, 'meta').find(({ k }) => k === 'generation');
  return typeof kept?.value === 'string' ? kept.value : '';
}

function isMark(name: MutationName, input: object): input is MarkTransferInput {
  return name === 'markTransfer' && 'counterpart_id' in input;
}

/** The edits that decide about the rows of a mark from other ones, as the screen shows it. */
function decidedBefore(input: MarkTransferInput, waiting: readonly OutboxRow[]): string[] {
  const byRow = editsByRow('transactions', waiting);
  const over = [input.trx_id, input.counterpart_id].flatMap((id) => byRow.get(id ?? '') ?? []);
  return over.flatMap(({ id, lane, state }) => (isShown(state) && lane !== `trx:${input.trx_id}` ? id : []));
}

/** A transaction as the screen shows it, with the edits that touch it laid over it. */
function marked(row: Transaction, over: readonly OutboxRow[], generation: string): SeenOther {
  return { ...ofDatabase(foldRow('transactions', row, over), generation || null), pending: markOf(over) };
}

/** What is held of a row, as far as the screen showed it. */
function heldAt(generation: string, held: { version: number } | undefined, seen: SeenRow | null): SeenVersion {
  return held ? { generation, version: held.version, hidden: hiddenIn(held, seen) } : { generation, version: 0 };
}

/** The other row of a pair as the screen shows it; what the mark rests on is null where an edit of the person is laid over it. */
async function lookAtOther(device: SimDevice, replica: Replica, id: string): Promise<{ seen: SeenOther; rests: MadeEdit['rests'] } | null> {
  const edits = await pendingMutations(replica.outbox);
  const row = rowsOnDisk(device).get(id);
  if (!row) return null;
  const generation = generationOn(device);
  const over = editsByRow('transactions', edits).get(id) ?? [];
  const seen = marked(row, over, generation);
  const isCovered = over.some(({ state }) => isShown(state));
  return { seen, rests: isCovered ? null : { id, on: { generation, version: row.version }, shown: seen } };
}
