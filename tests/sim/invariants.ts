import { mutationNamed, type MutationName } from '#contract/mutations.ts';
import { isMaking } from '#replica/conflicts.ts';
import { type Fields, isSameValue } from '#replica/merge.ts';
import { isOnItsWay, isShown, type MutationState, needsPerson } from '#replica/mutation-states.ts';
import type { FeedState } from '#replica/feed-state.ts';
import type { PullRow } from '#replica/pulls.ts';
import { needlessText } from '#replica/receipts.ts';
import type { EngineStatus } from '#workers/start.ts';
import type { ColdRecord, CountsRecord, KeptRecord } from '#replica/row-tables.ts';
import { placeOfRow, scopeKey } from '#replica/scopes.ts';
import { FeedWatch, feedOf, hasTraces, tracesOf } from './feed-watch.ts';
import {
  type Answered,
  editOfKey,
  figureNouns,
  timesDecided,
  type KeptNoun,
  keptNouns,
  isTakenId,
  noTicketText,
  officeNouns,
  type SimServer,
  usedKeyText,
} from './sim-server.ts';
import { leftOf, strayDrafts } from './held-places.ts';
import { lackedSince, mayLack } from './lacking-lists.ts';
import { followedLeftOut, isPlaceSeen, leftOutOn, LostPlaces } from './lost-places.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import type { Actor } from './scheduler.ts';
import type { SimDevice } from './sim-device.ts';
import type { SimCommit } from './sim-store.ts';
import type { MadeEdit } from './made-edit.ts';
import { hiddenEdit } from './shown-edits.ts';
import { stoppedEdit } from './stopped-edits.ts';
import { TakenAway } from './taken-away.ts';
import { generationOn, type World } from './world.ts';

/** More edits than an outbox ever numbers: one that was cleared begins with the first number again. */
const seqsOfAnOutbox = 1_000_000;

export class BrokenInvariant extends Error {
  constructor(name: string, what: string) {
    super(`${name}: ${what}`);
    this.name = 'BrokenInvariant';
  }
}

/** Watches a world: what must hold at every moment, and what it has seen so far. */
export class Watcher {
  readonly #world: World;
  readonly #seqs = new Map<string, number>();
  readonly #epochs = new Map<SimDevice, number>();
  readonly #versions = new Map<SimDevice, Map<string, number>>();
  readonly #terms = new Map<Actor, number>();
  readonly #changed = new Set<SimDevice>();
  /** How each edit stood last. */
  readonly #states = new Map<string, MutationState>();
  /** Receipts of before the power failed: what they stand for may be lost here, and comes back from the server. */
  readonly #old = new Set<string>();
  /** Settled edits that were looked at. */
  readonly #looked = new Set<string>();
  readonly #feed: FeedWatch;
  readonly #taken: TakenAway;
  readonly #lost: LostPlaces;
  /** Scopes each device followed last. */
  readonly #scopes = new Map<SimDevice, string[]>();
  /** From when on each scope of a device was said to be complete after its last commit, UTC milliseconds. */
  readonly #completeFrom = new Map<SimDevice, ReadonlyMap<string, number | null>>();
  /** When each device was called synced last. */
  readonly #toldSynced = new Map<SimDevice, number>();
  readonly #losses = new Map<SimDevice, number>();
  readonly #removals = new Map<SimDevice, number>();
  #late: BrokenInvariant | null = null;

  constructor(world: World) {
    this.#world = world;
    this.#feed = new FeedWatch(world);
    this.#taken = new TakenAway(world);
    this.#lost = new LostPlaces(world);
    for (const device of world.devices) {
      device.onStatus = (status) => {
        this.#late ??= this.#syncedIsWhole(device, status);
      };
      device.disk.onCommit = (commit) => {
        // what somebody else has on this browser is theirs
        if (this.#world.guest?.device.owns(commit.database)) return;
        this.#changed.add(device);
        const wrote = (...of: string[]): boolean => of.some((table) => commit.written.includes(table));
        if (commit.database === device.outboxName && wrote('mutations', 'receipts')) this.#noteStates(device, commit);
        if (wrote('mutations', ...keptNouns)) this.#late ??= this.#editsAreShown(device);
        if (['gone', 'segments'].every((table) => commit.tables.includes(table))) this.#noteLetGo(device);
        if (['organizations', 'segments'].every((table) => commit.tables.includes(table))) this.#noteBegunAnew(device);
        if (commit.database === device.rowsName && wrote('pulls', 'meta')) this.#feed.note(device);
        if (['receipts', 'gone', 'segments', 'entities'].some((table) => commit.tables.includes(table))) this.#noteOutOfSight(device);
        this.#late ??=
          this.#commitIsOfTheWriter(device, commit) ??
          this.#noneComesBack(device, commit) ??
          this.#noneIsSeenAgain(device, commit) ??
          noneIsWithheld(device, commit) ??
          this.#isCounted(device, commit) ??
          this.#progressIsHonest(device, commit) ??
          this.#noneIsTakenAway(device, commit) ??
          this.#rowsGrow(device, commit) ??
          this.#noneIsTorn(device, commit);
      };
    }
  }

  /** What a person said is on their screen from the moment it is kept until the copy has what came of it. */
  #editsAreShown(device: SimDevice): BrokenInvariant | null {
    const hidden = hiddenEdit(this.#world, device);
    return hidden === null ? null : new BrokenInvariant('I7', hidden);
  }

  /**
   * Where a device is called synced that was told of everything, its copy is what the server has. Of what came since it is told with the
   * next round; and where lists were refused it is not whole yet. Of what it says is left out it says nothing.
   */
  #syncedIsWhole(device: SimDevice, { phase, problem, last_sync_at: at, entities }: EngineStatus): BrokenInvariant | null {
    // of several workers each says so, and again with whatever else it says
    if (phase !== 'idle' || problem !== null || at === null || at <= (this.#toldSynced.get(device) ?? -Infinity)) return null;
    this.#toldSynced.set(device, at);
    const { server } = this.#world;
    const feed = feedOf(device);
    const isRefused = device.disk.peek<PullRow>(device.rowsName, 'pulls').some((pull) => pull.denied_at !== undefined);
    const leftOut = new Set(entities.flatMap(({ entity_id, phase: how }) => (how === 'left_out' ? entity_id : [])));
    if (!server.hasFeed && !isRefused) return this.#hasWhatAlwaysWas(device, leftOut);
    const isTold =
      feed?.server_gen === server.generation &&
      server.placeOf(feed.cursor) === server.feedLines.length &&
      feed.perm_version === server.permissions &&
      (feed.awaited ?? []).length === 0;
    if (!isTold || isRefused) return null;
    const [lacking] = otherRows(this.#world, device, leftOut);
    return lacking === undefined ? null : new BrokenInvariant('I24', `${device.name} is called synced, and ${lacking}`);
  }

  /** Where nobody tells what changes, a device that is called synced has at least what was there all the time. */
  #hasWhatAlwaysWas(device: SimDevice, others: ReadonlySet<string>): BrokenInvariant | null {
    const { server, moved } = this.#world;
    const leftOut = leftOutOf(this.#world, device);
    const held = rowsOnDisk(device);
    // a list may have lacked an entity that is there
    const listed = new Set(device.disk.peek<{ id: string }>(device.rowsName, 'entities').map(({ id }) => id));
    for (const id of server.untouched) {
      const entity = server.transactions.get(id)?.entity_id;
      if (entity === undefined || !listed.has(entity) || held.has(id) || leftOut.has(entity) || others.has(entity) || moved.has(entity))
        continue;
      if (this.#world.sightChangedAt(scopeKey('entity', entity)) > 0) continue;
      return new BrokenInvariant('I24', `${device.name} is called synced, and lacks transaction ${id}, which was there all the time`);
    }
    return null;
  }

  /** After every step. */
  check(): void {
    if (this.#late) throw this.#late;
    if (this.#feed.wentBack !== null) throw new BrokenInvariant('I8', this.#feed.wentBack);
    for (const device of this.#world.devices) this.#noteLosses(device);
    for (const device of this.#changed) {
      this.#noteOutOfSight(device);
      this.#nothingLost(device);
      this.#stopsForAReason(device);
      this.#oneAtATime(device);
      this.#waitsForPerson(device);
      this.#meansWhatItSays(device);
      this.#cursorIsHonest(device);
      this.#acceptedIsHeld(device);
      this.#toldIsHeld(device);
      this.#lostIsGone(device);
    }
    this.#changed.clear();
    this.#neitherMeetsTheOther();
    this.#onceAndInOrder();
  }

  /** What was noted of a device holds no more where commits of it were lost, or the server was restored. */
  #noteLosses(device: SimDevice): void {
    if (this.#hasLost(device)) {
      this.#versions.delete(device);
      this.#scopes.delete(device);
      this.#lost.forget(device);
      this.#feed.forget(device);
      this.#feed.note(device);
      for (const { id } of this.#world.receipts(device)) this.#old.add(id);
    }
    this.#losses.set(device, this.#world.lossesOf(device));
    if (this.#removals.get(device) !== device.removals) {
      // what came of these was written before the copy was deleted, and their lists bring it
      for (const { id, state } of this.#world.pending(device)) if (state === 'acked') this.#old.add(id);
    }
    this.#removals.set(device, device.removals);
  }

  /** Whether it has since that was noted last. */
  #hasLost(device: SimDevice): boolean {
    return (this.#losses.get(device) ?? 0) !== this.#world.lossesOf(device);
  }

  #noteStates(device: SimDevice, { actor }: SimCommit): void {
    for (const id of this.#letGo(device)) {
      const made = this.#world.made.get(id);
      if (made) made.letGoAt ??= this.#world.scheduler.now;
    }
    for (const edit of this.#world.pending(device)) {
      const wasForThePerson = (id: string): boolean => needsPerson(this.#states.get(id) ?? 'queued');
      const own = this.#states.get(edit.id) === edit.state ? null : this.#world.ownConflict(device, edit, wasForThePerson);
      if (own !== null) this.#late ??= new BrokenInvariant('I22', own);
      // who decides about its conflict says that it goes on, though what it follows was let go of before
      if (edit.state === 'queued' && this.#states.get(edit.id) === 'conflict') {
        const made = this.#world.made.get(edit.id);
        if (made) made.without = this.#letGo(device);
      }
      if (edit.state === 'sending' && this.#states.get(edit.id) !== 'sending')
        this.#world.made
          .get(edit.id)
          ?.tries.push({ at: this.#world.scheduler.now, by: actor.name, followsFeed: feedOf(device) !== undefined });
      this.#states.set(edit.id, edit.state);
      // what it left is none of the database that stands there by what the copy knows: the lists bring what is
      if (edit.state === 'acked' && edit.answer === null) this.#old.add(edit.id);
    }
  }

  /** A copy that finds another database at the server, or may see less than before, lets rows go and reads them anew. */
  #noteLetGo(device: SimDevice): void {
    this.#versions.delete(device);
    for (const { id } of this.#world.receipts(device)) this.#old.add(id);
  }

  /**
   * A copy begins to follow the feed anew, at another place: lists bring what was told before. It lets go of places that the feed does not
   * name, such as an entity whose transactions may not be read, though its list still has it. Where the edit that made one of these here
   * was never heard to have arrived, its key is answered with the row as the edit left it, whatever became of that since: these are the
   * person's own words, and all there is of it until the list is read.
   */
  #noteBegunAnew(device: SimDevice): void {
    this.#feed.forget(device);
    const seen = this.#versions.get(device);
    const held = new Set(grown.flatMap((table) => device.disk.peek<Answered>(device.rowsName, table).map(({ id }) => id)));
    for (const edit of this.#world.pending(device)) {
      const { id, version } = this.#world.server.answers.get(edit.id) ?? {};
      if (id === undefined || version === undefined || held.has(id) || !isMaking(edit.name)) continue;
      // nothing older than that
      if (version < (seen?.get(id) ?? 0)) seen?.set(id, version);
    }
  }

  /** A row of an entity that is out of sight comes with all else of it, once that is in sight again. */
  #noteOutOfSight(device: SimDevice): void {
    const feed = feedOf(device);
    const { server } = this.#world;
    const pulls = device.disk.peek<PullRow>(device.rowsName, 'pulls');
    const leftOut = leftOutOn(device);
    const listed = new Set(device.disk.peek<{ id: string }>(device.rowsName, 'entities').map(({ id }) => id));
    for (const { id } of this.#world.receipts(device)) {
      const entity = server.matches.get(server.answers.get(id)?.id ?? '')?.entity_id;
      if (entity === undefined) continue;
      const isLeftOut = server.entities.some(({ id: of, client_id }) => of === entity && leftOut.includes(client_id));
      const isFollowed = feed?.scopes.some(({ key }) => key === `entity:${entity}`) ?? true;
      // a list that was never read will bring it
      const isRead = pulls.some(
        ({ scope, noun, phase }) => scope === `entity:${entity}` && noun === 'transaction_matches' && phase === 'steady',
      );
      if (isLeftOut || !isFollowed || !listed.has(entity) || !isRead) this.#old.add(id);
    }
  }

  /** Who writes what only the writer may is the writer of the present term. */
  #commitIsOfTheWriter(device: SimDevice, { database, tables, actor }: SimCommit): BrokenInvariant | null {
    const isWriters = tables.includes('term') || (database === device.rowsName && this.#terms.has(actor));
    if (!isWriters) return null;
    const [stored] = device.disk.peek<{ epoch: number }>(device.outboxName, 'term');
    const kept = device.disk.peek<KeptRecord>(device.rowsName, 'meta').find(({ k }) => k === 'term');
    if (database === device.outboxName && tables.length === 1) this.#terms.set(actor, stored?.epoch ?? 0);
    const current = database === device.rowsName ? Number(kept?.value ?? 0) : (stored?.epoch ?? 0);
    const own = this.#terms.get(actor) ?? 0;
    return own < current ? new BrokenInvariant('I10', `${actor.name} of term ${own} wrote ${tables.join()} in term ${current}`) : null;
  }

  /** A row of which a device was told that it went does not come back, not even until the next list is read. */
  #noneComesBack(device: SimDevice, { tables }: SimCommit): BrokenInvariant | null {
    for (const table of keptNouns) {
      const [ghost] = tables.includes(table) ? this.#feed.ghosts(device, table) : [];
      if (ghost !== undefined) return new BrokenInvariant('I5', `${device.name} was told that row ${ghost} of ${table} went, and holds it`);
    }
    return null;
  }

  /** Nor does a place of which it was told that it may not be seen, nor what lies in it, until it may be again: nothing of it stays. */
  #noneIsSeenAgain(device: SimDevice, commit: SimCommit): BrokenInvariant | null {
    if (this.#hasLost(device)) this.#lost.forget(device);
    const found = this.#lost.found(device, commit);
    return found === null ? null : new BrokenInvariant('I13', found);
  }

  /** No reader sees half of what somebody else changed at once. */
  #noneIsTorn(device: SimDevice, { tables }: SimCommit): BrokenInvariant | null {
    if (!tables.includes('segments') && !tables.includes('transaction_matches')) return null;
    // of what the power took the place in the feed may be behind
    if (this.#hasLost(device)) return null;
    const torn = this.#feed.torn(device);
    return torn === null ? null : new BrokenInvariant('I6', `${device.name}: ${torn}`);
  }

  /** Whether a device's copy is of the database before a restore, as far as it knows: it will let go of all of it. */
  #isOfFormer(device: SimDevice): boolean {
    const { server } = this.#world;
    const known = generationOn(device);
    return server.hasFeed && known !== '' && known !== server.generation;
  }

  /** An edit is taken out only once the copy holds what the server made of it. */
  #acceptedIsHeld(device: SimDevice): void {
    // by the versions of the former one the row may have gone since
    if (this.#isOfFormer(device)) return;
    const { server } = this.#world;
    const rows = keptNouns.flatMap((table) => device.disk.peek<Answered>(device.rowsName, table));
    const held = new Map(rows.map((row) => [row.id, row.version]));
    // of one that was met the row it is about is held; what it answers is told by a list
    for (const { id, outcome, is_met } of this.#world.receipts(device)) {
      const { id: rowId, version } = server.answers.get(id) ?? {};
      if (outcome !== 'accepted' || is_met || rowId === undefined || version === undefined || this.#old.has(id)) continue;
      // one that was changed again since may be removed, or made anew and begin again
      const isThere = server.latest.get(rowId) === id && server.isThere(rowId);
      // what might not be seen for a while is on the device again once its list is read
      const entity = server.matches.get(rowId)?.entity_id;
      const scope = entity === undefined ? undefined : scopeKey('entity', entity);
      if (scope !== undefined && mayLack(this.#world, device, { scope, noun: 'transaction_matches' })) continue;
      // of a client that the power took with the place in the feed nothing is shown: what lies in it comes with it
      const client = (server.office.entities.get(rowId) ?? server.office.archived_assets.get(rowId))?.client_id;
      if (device.losses > 0 && client !== undefined && !held.has(client)) continue;
      const noun = officeNouns.find((each) => server.office[each].has(rowId));
      // whether it may be seen is not known there: what was made of it comes with what the feed tells next
      if (noun && isPastItsFeed(device, placeOfRow(noun, { id: rowId, client_id: client ?? '' }))) continue;
      if (noun && mayLack(this.#world, device, { scope: 'user', noun }, lackedSince(this.#world, rowId))) continue;
      if (isThere && (held.get(rowId) ?? 0) < version)
        throw new BrokenInvariant('I7', `edit ${id} is settled, and row ${rowId} is held in version ${held.get(rowId)}, not ${version}`);
    }
  }

  /** The place in the feed never claims more than is held. */
  #toldIsHeld(device: SimDevice): void {
    const [lacking] = this.#feed.untold(device);
    if (lacking !== undefined) throw new BrokenInvariant('I9', `${device.name} says it was told of ${lacking}`);
  }

  /** What a device knows it may no longer see is nowhere on its disk. */
  #lostIsGone(device: SimDevice): void {
    const scopes = feedOf(device)?.scopes.map(({ key }) => key);
    const before = this.#scopes.get(device) ?? [];
    if (scopes) this.#scopes.set(device, scopes);
    const lost = scopes ? before.filter((key) => key.startsWith('entity:') && !scopes.includes(key)) : [];
    const ids = lost.map((key) => key.slice('entity:'.length));
    const [left] = tracesOf(device, ids);
    if (left !== undefined)
      throw new BrokenInvariant('I13', `${device.name} still holds rows of entity ${left}, which it knows it may not see`);
  }

  #nothingLost(device: SimDevice): void {
    const pending = this.#world.pending(device);
    for (const { id, seq } of pending) this.#seqs.set(id, seq + device.evictions * seqsOfAnOutbox);
    const held = new Set([...pending, ...this.#world.receipts(device)].map(({ id }) => id));
    for (const edit of this.#world.made.values()) {
      if (edit.isKept && !edit.isCleared && edit.device === device && !held.has(edit.id))
        throw new BrokenInvariant('I1', `edit ${edit.id} is nowhere`);
    }
  }

  /** No edit waits for its person unless the server, or they themselves, gave a reason. */
  #stopsForAReason(device: SimDevice): void {
    const stopped = stoppedEdit(this.#world, device);
    if (stopped !== null) throw new BrokenInvariant('I4', stopped);
  }

  /** No edit is sent under a key that said something else, nor names what the server calls otherwise. */
  #meansWhatItSays(device: SimDevice): void {
    const { made, restores } = this.#world;
    const pending = this.#world.pending(device);
    for (const { id, seq, state, error } of pending) {
      const edit = made.get(id);
      if (state !== 'refused' || !error || !edit) continue;
      // what others made of its row since was brought together with it, as it did not look as if it had arrived: they may have undone it. At
      // a server that compares no versions nothing tells, and the person decides
      const isUndone = !this.#world.server.comparesVersions && edit.about !== null && this.#world.isOthers(edit.about.id, device);
      if (error.detail === usedKeyText && !isUndone)
        throw new BrokenInvariant('I2', `edit ${id} says something else under the key it had before`);
      const isMade = isTakenId(error.detail) && this.#world.server.answers.has(id) && !this.#isMadeAgain(edit);
      if (isMade) throw new BrokenInvariant('I2', `edit ${id} was sent again though it had made its row`);
      if (error.code !== 'not_found' || edit.isRetried || restores + device.losses > 0) continue;
      if (error.detail === noTicketText) throw new BrokenInvariant('I3', `edit ${id} does not find the ticket it follows`);
      const isOfPlace = (of: string): boolean => edit.place !== null && made.get(of)?.about?.id === edit.place;
      const maker = pending.find((each) => each.seq < seq && isOfPlace(each.id) && each.name.startsWith('create'));
      if (maker) throw new BrokenInvariant('I3', `edit ${id} went before ${maker.id}, which is to make what it is made in`);
    }
  }

  /** What follows an edit that was let go of goes on its way when the person says so, and not before. */
  #waitsForPerson(device: SimDevice): void {
    for (const { id, state, deps = [] } of this.#world.pending(device)) {
      const { isRetried = false, without = [] } = this.#world.made.get(id) ?? {};
      if (state !== 'sending' || deps.length === 0 || isRetried) continue;
      const lost = this.#letGo(device).find((each) => deps.includes(each) && !without.includes(each));
      if (lost !== undefined) throw new BrokenInvariant('I3', `edit ${id} is sent though ${lost}, which it follows, was let go of`);
    }
  }

  /** Edits that the person let go of, by id. */
  #letGo(device: SimDevice): string[] {
    const letGo = this.#world.receipts(device).filter(({ outcome }) => outcome === 'discarded' || outcome === 'theirs');
    return letGo.map(({ id }) => id);
  }

  #oneAtATime(device: SimDevice): void {
    const lanes = this.#world.pending(device).flatMap(({ lane, state }) => (state === 'sending' ? [lane] : []));
    if (new Set(lanes).size < lanes.length) throw new BrokenInvariant('I10', `two edits of one lane on their way: ${lanes.join()}`);
    const [term] = device.disk.peek<{ epoch: number }>(device.outboxName, 'term');
    const epoch = (term?.epoch ?? 0) + device.evictions * seqsOfAnOutbox;
    if (epoch < (this.#epochs.get(device) ?? 0)) throw new BrokenInvariant('I8', `the term went back to ${epoch}`);
    this.#epochs.set(device, epoch);
  }

  /** Nothing of a guest is in the person's databases or was sent with their session, nor the other way round. */
  #neitherMeetsTheOther(): void {
    const { guest, server, devices, made } = this.#world;
    const [host] = devices;
    if (!guest || !host) return;
    for (const key of guest.server.effects.keys())
      if (!guest.edits.has(editOfKey(key))) throw new BrokenInvariant('I15', `edit ${key} was sent with the session of somebody else`);
    for (const key of server.effects.keys())
      if (guest.edits.has(editOfKey(key))) throw new BrokenInvariant('I15', `edit ${key} of the guest was sent with another session`);
    const met = foreignRows(host, guest.server)[0] ?? foreignRows(guest.device, server)[0];
    if (met !== undefined) throw new BrokenInvariant('I15', met);
    for (const { id } of this.#world.pending(guest.device))
      if (made.has(id)) throw new BrokenInvariant('I15', `edit ${id} is in the outbox of the guest`);
  }

  #onceAndInOrder(): void {
    const { server, made, devices } = this.#world;
    const [unseen] = this.#world.overwritten;
    if (unseen !== undefined) throw new BrokenInvariant('I21', unseen);
    const [missaid] = this.#world.missaid;
    if (missaid !== undefined) throw new BrokenInvariant('I23', missaid);
    const undone = new Set([...server.undone].map(editOfKey));
    const latest = new Map<string, number>();
    const had = new Map<string, number>();
    const sent = new Map<string, number>();
    for (const [key, times] of server.effects) {
      const edit = made.get(editOfKey(key));
      if (!edit) throw new BrokenInvariant('I2', `nobody made the edit ${key}`);
      if (times > 1 && !this.#isMadeAgain(edit)) throw new BrokenInvariant('I2', `edit ${key} had its effect ${times} times`);
      had.set(edit.id, (had.get(edit.id) ?? 0) + 1);
      // each decision of the person may be another change
      if ((had.get(edit.id) ?? 0) > 1 + edit.decisions) throw new BrokenInvariant('I2', `edit ${edit.id} had ${had.get(edit.id)} effects`);
      this.#followsItsOwn(edit, had, undone);
      const seq = this.#seqs.get(edit.id);
      // a late copy of an edit that was refused, let go of by the person, or found to be met, may still have its effect where no version
      // binds it: nobody can call it back; nor one of what it said before the person decided about it
      const isFormer = timesDecided(key) < (sent.get(edit.id) ?? 0);
      sent.set(edit.id, Math.max(timesDecided(key), sent.get(edit.id) ?? 0));
      if (seq === undefined || isFormer || this.#isGivenUp(edit)) continue;
      const lane = `${edit.device.name} ${edit.lane}`;
      if (seq < (latest.get(lane) ?? 0))
        throw new BrokenInvariant(
          'I3',
          `edit ${key} of ${lane} (${seq}) came after a later one (${latest.get(lane)}); ${this.#standing(key)}`,
        );
      latest.set(lane, seq);
    }
    for (const device of devices) {
      for (const { id, outcome, is_met, detail } of this.#world.receipts(device)) {
        const last = this.#states.get(id);
        if (outcome === 'discarded' && last !== undefined && isOnItsWay(last))
          throw new BrokenInvariant('I1', `edit ${id} was ${last}, and was discarded`);
        const wasRefused = needsPerson(this.#states.get(id) ?? 'queued');
        // what the person decided since would have been another effect
        if (outcome === 'replaced' && !wasRefused && (had.get(id) ?? 0) > (made.get(id)?.decisions ?? 0))
          throw new BrokenInvariant('I2', `edit ${id} gave way to a later one, and had its effect`);
        if (outcome === 'accepted' && !is_met && !had.has(id) && !undone.has(id))
          throw new BrokenInvariant('I2', `edit ${id} is called accepted and had no effect`);
        const edit = this.#looked.has(id) ? undefined : made.get(id);
        this.#looked.add(id);
        // of one that the screen does not lay over its row, as the server refused it, the person says what they want in its place
        if (edit && outcome === 'replaced' && isShown(last ?? 'queued') && !this.#isSaidAgain(edit))
          throw new BrokenInvariant('I1', `edit ${id} gave way, and no edit says again what it said`);
        // one that had its effect left the row so itself, whatever others made of that before it was looked for
        if (edit && outcome === 'accepted' && is_met && !had.has(id) && !this.#world.wasSo(edit))
          throw new BrokenInvariant('I2', `edit ${id} is called done already, and row ${edit.about?.id} never was as it says`);
        if (edit && detail === needlessText && this.#isUnsaid(edit))
          throw new BrokenInvariant('I1', `edit ${id} was never sent, and row ${edit.about?.id} is there all the same`);
      }
    }
  }

  /** Whether another edit of its row says all that one said, in its own words or in those it was made with. */
  #isSaidAgain({ id, name, lane, device, words, found }: MadeEdit): boolean {
    const others: { id: string; input?: unknown; detail?: string | null }[] = [
      ...this.#world.pending(device),
      ...this.#world.receipts(device),
    ];
    return others.some((other) => {
      const edit = other.id === id ? undefined : this.#world.made.get(other.id);
      if (edit?.lane !== lane || !says[edit.name]?.includes(name)) return false;
      // one that gave way itself, or needs not be sent, is looked at by itself
      if (edit.name !== name || other.input === undefined || edit.isBlind) return true;
      const input = other.input as Fields;
      // as its form showed the row, be it before they decided about it
      const shown = [edit.shown, ...edit.former.shown];
      const isOwn = (field: string): boolean =>
        edit.said.some((own) => shown.some((row) => !isSameValue(own[field], row?.[field] ?? null))) ||
        // said otherwise since, where its form showed what that one says
        edit.words?.some((each) => field in each) === true;
      // what is as they found it when they decided says nothing
      const isFound = (field: string, value: unknown): boolean => found.some((row) => isSameValue(row[field] ?? null, value));
      const isSaid = ([field, value]: [string, unknown]): boolean =>
        isSameValue(input[field], value) || isOwn(field) || isFound(field, value);
      // what they had it say otherwise may have come too late
      return words === null || words.some((each) => Object.entries(each).every(isSaid));
    });
  }

  /** Whether a deletion never went to the server, though the row is there: not as an earlier edit left it that this one knew nothing of. */
  #isUnsaid({ name, about, lane, device, tries, on }: MadeEdit): boolean {
    if (mutationNamed(name).removes === undefined || tries.length > 0 || !about) return false;
    const isSeen = on?.some(({ version }) => version > 0) === true;
    // receipts may be cleared since, effects are not
    const wasMade = [...this.#world.server.effects.keys()].some((key) => this.#world.made.get(editOfKey(key))?.lane === lane);
    return this.#world.server.exists(about.id) && !this.#world.isOthers(about.id, device) && (isSeen || !wasMade);
  }

  /** An edit goes after those it follows; where one of them was let go of, not before the person says so. */
  #followsItsOwn(edit: MadeEdit, had: ReadonlyMap<string, number>, undone: ReadonlySet<string>): void {
    const settled: { id: string; is_met?: true }[] = [...this.#world.receipts(edit.device), ...this.#world.pending(edit.device)];
    const met = new Set(settled.flatMap(({ id, is_met }) => (is_met ? id : [])));
    for (const id of edit.deps) {
      const { isKept = false, isCleared = false } = this.#world.made.get(id) ?? {};
      if (!isKept || isCleared || edit.isRetried || edit.without.includes(id)) continue;
      if (had.has(id) || undone.has(id) || met.has(id)) continue;
      throw new BrokenInvariant('I3', `edit ${edit.id} follows ${id}, and went before it; ${this.#standing(id)}`);
    }
  }

  /**
   * Whether what an edit makes may be made twice: at a server that keeps no keys, where the person asked for it, or nobody waited for the
   * first any more, or somebody else made something else of it before it was looked for.
   */
  #isMadeAgain({ about, device, isRetried, wasLate }: MadeEdit): boolean {
    if (this.#world.server.keepsKeys) return false;
    return isRetried || wasLate || (about !== null && this.#world.isOthers(about.id, device));
  }

  #isGivenUp({ id, device, on, isCleared }: MadeEdit): boolean {
    if (isCleared) return true;
    const receipt = this.#world.receipts(device).find((each) => each.id === id);
    const isBound = on !== null && this.#world.server.comparesVersions;
    if (receipt)
      return (
        (receipt.is_met === true && !isBound) ||
        receipt.outcome === 'discarded' ||
        receipt.outcome === 'theirs' ||
        (receipt.outcome === 'replaced' && needsPerson(this.#states.get(id) ?? 'queued'))
      );
    return this.#world.pending(device).some((each) => each.id === id && needsPerson(each.state));
  }

  /** What became of an edit on its device, in words. */
  #standing(id: string): string {
    const edits = this.#world.devices.flatMap((device) => [
      ...this.#world.pending(device).map((edit) => ({ id: edit.id, is: edit.state })),
      ...this.#world.receipts(device).map((receipt) => ({ id: receipt.id, is: receipt.outcome })),
    ]);
    return `it is ${edits.find((edit) => edit.id === id)?.is ?? 'nowhere'}`;
  }

  /** What a pull says is complete holds every row that was there all the time. */
  #lacking(device: SimDevice, pulls: readonly PullRow[]): BrokenInvariant | null {
    const rows = pulls.length === 0 ? new Map<string, unknown>() : rowsOnDisk(device);
    for (const { scope, complete_from } of pulls) {
      for (const id of complete_from === null ? [] : this.#world.server.untouched) {
        const row = this.#world.server.transactions.get(id);
        if (!row || `entity:${row.entity_id}` !== scope || Date.parse(row.trx_date) <= (complete_from ?? 0)) continue;
        const moment = new Date(complete_from ?? 0).toISOString();
        if (!rows.has(id)) return new BrokenInvariant('I5', `${device.name} says it is complete from ${moment} and lacks ${id}`);
      }
    }
    return null;
  }

  #pullsOf(device: SimDevice): PullRow[] {
    return device.disk.peek<PullRow>(device.rowsName, 'pulls').filter(({ noun }) => noun === 'transactions');
  }

  #cursorIsHonest(device: SimDevice): void {
    const lacking = this.#lacking(device, this.#pullsOf(device));
    if (lacking) throw lacking;
  }

  /** The same at once of what a commit says more of: a later page may bring what it lacks. */
  #progressIsHonest(device: SimDevice, { database, written }: SimCommit): BrokenInvariant | null {
    if (database !== device.rowsName || !written.includes('pulls')) return null;
    const pulls = this.#pullsOf(device);
    const before = this.#completeFrom.get(device) ?? new Map<string, number | null>();
    this.#completeFrom.set(device, new Map(pulls.map(({ scope, complete_from }) => [scope, complete_from])));
    return this.#lacking(
      device,
      pulls.filter(({ scope, complete_from }) => before.get(scope) !== complete_from),
    );
  }

  /** How many rows are held is written with them. */
  #isCounted(device: SimDevice, { written }: SimCommit): BrokenInvariant | null {
    const miscount = ['cold', 'counts'].some((table) => written.includes(table)) ? miscountIn(device) : null;
    return miscount === null ? null : new BrokenInvariant('I5', miscount);
  }

  /** That a list lacks a row is no proof that it went. */
  #noneIsTakenAway(device: SimDevice, { database, written }: SimCommit): BrokenInvariant | null {
    if (database !== device.rowsName) return null;
    const row = written.includes('cold') ? this.#taken.foundRow(device) : null;
    const view = written.includes('saved_views') ? this.#taken.foundView(device) : null;
    const hasPlaces = written.includes('clients') || written.includes('entities');
    const taken = row ?? view ?? (hasPlaces ? this.#taken.foundPlace(device) : null);
    return taken === null ? null : new BrokenInvariant('I5', taken);
  }

  /** What is written is never older than what was held of a row: another transaction may bring the newer one back before a step ends. */
  #rowsGrow(device: SimDevice, { tables }: SimCommit): BrokenInvariant | null {
    if (!tables.includes('segments') && !grown.some((table) => tables.includes(table))) return null;
    const { restores } = this.#world;
    // a list may come before the feed has said that it is another database: what it has is older
    // and one that knows of no database, since it reads lists alone, may hold rows of any before
    const isOther = this.#isOfFormer(device) || (restores > 0 && generationOn(device) === '');
    if (isOther || this.#hasLost(device)) this.#versions.delete(device);
    if (isOther) return null;
    const seen = this.#versions.get(device) ?? new Map<string, number>();
    this.#versions.set(device, seen);
    const small = grown.flatMap((table) => device.disk.peek<Answered>(device.rowsName, table));
    const entities = new Set(device.disk.peek<Answered>(device.rowsName, 'entities').map(({ id }) => id));
    // of an entity that went to another client, and out of sight there, the former one's set may have older rows until they are let go of
    const shown = [...rowsOnDisk(device).values()].filter(({ entity_id }) => entities.has(entity_id));
    for (const { id, version } of [...shown, ...small]) {
      if (version < (seen.get(id) ?? 0)) return new BrokenInvariant('I8', `row ${id} went back to version ${version}`);
      seen.set(id, version);
    }
    return null;
  }
}

/** Of a list to which a device knows that the right is gone it holds nothing. */
function noneIsWithheld(device: SimDevice, { database, written }: SimCommit): BrokenInvariant | null {
  if (database !== device.rowsName || !written.includes('pulls')) return null;
  for (const { scope, noun, is_withheld } of device.disk.peek<PullRow>(device.rowsName, 'pulls')) {
    const rows = is_withheld ? device.disk.peek<{ _scope?: string }>(device.rowsName, noun) : [];
    if (rows.some(({ _scope }) => _scope === scope))
      return new BrokenInvariant('I13', `${device.name} holds ${noun} of ${scope}, which it knows it may not see`);
  }
  return null;
}

/** Edits that say all that an earlier one of their row said, said here anew: of people and of pairs each says something of its own. */
const says: Partial<Record<MutationName, readonly MutationName[]>> = {
  saveView: ['saveView', 'deleteView'],
  deleteView: ['saveView', 'deleteView'],
  archiveAsset: ['archiveAsset', 'unarchiveAsset'],
  unarchiveAsset: ['archiveAsset', 'unarchiveAsset'],
  updateOrganization: ['updateOrganization'],
  deleteOrganization: ['createOrganization', 'updateOrganization', 'deleteOrganization'],
  updateClient: ['updateClient'],
  updateEntity: ['updateEntity'],
  deleteEntity: ['createEntity', 'updateEntity', 'deleteEntity'],
  updateUser: ['updateUser'],
};

/** Nouns whose rows never begin again: of what is made anew under its id a server of the specification may do so. */
const grown: readonly KeptNoun[] = keptNouns.filter((noun) => noun !== 'saved_views' && noun !== 'archived_assets');

/** Rows of somebody else's office in a person's database. */
function foreignRows(device: SimDevice, other: SimServer): string[] {
  const theirs = new Set([...other.clients, ...other.entities].map(({ id }) => id));
  const rows = ['clients', 'entities'].flatMap((table) => device.disk.peek<{ id: string }>(device.rowsName, table).map(({ id }) => id));
  const entities = [...rowsOnDisk(device).values()].map(({ entity_id }) => entity_id);
  const views = device.disk.peek<{ id: string }>(device.rowsName, 'saved_views').filter(({ id }) => other.views.has(id));
  const found = [...rows, ...entities].filter((id) => theirs.has(id));
  return [...found, ...views.map(({ id }) => id)].map((id) => `${device.name} holds something of ${id}, which is another office's`);
}

/** Whether a device follows a feed that tells nothing of a place: it is left out there, or was out of sight when the device heard last. */
function isPastItsFeed(device: SimDevice, place: string | null): boolean {
  const kept = device.disk.peek<KeptRecord>(device.rowsName, 'meta').find(({ k }) => k === 'feed');
  return kept !== undefined && place !== null && !(kept.value as FeedState).scopes.some(({ key }) => key === place);
}

/** The edits of a device that neither wait for the person nor behind one that does, and are not settled. */
function unsettledOf(world: World, device: SimDevice): string[] {
  const stuck = new Set<string>();
  const waiting = world.pending(device).filter(({ id, lane, state, deps = [] }) => {
    if (needsPerson(state) || deps.some((dep) => stuck.has(dep))) stuck.add(lane);
    if (stuck.has(lane)) stuck.add(id);
    return !stuck.has(lane);
  });
  return waiting.map(({ id, state }) => `${device.name}: edit ${id} is ${state}`);
}

/** The same of all devices; empty when none is left. */
export function unsettled(world: World): string[] {
  return world.devices.flatMap((device) => unsettledOf(world, device));
}

/** What is left to do once everything is healed; empty when nothing is. */
export function unfinished(world: World): string[] {
  return world.devices.flatMap((device) => [
    ...unsettledOf(world, device),
    ...differences(world, device).map((what) => `${device.name}: ${what}`),
  ]);
}

interface Versioned {
  id: string;
  version: number;
}

/** The fields of a row that a copy holds otherwise than the server says; what else it keeps with the row is its own. */
function otherFields(held: Versioned, wanted: Versioned): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => (isSameValue((held as Versioned & Fields)[name], value) ? [] : [name]));
}

function compare(what: string, here: Iterable<Versioned>, there: Iterable<Versioned>): string[] {
  const [held, wanted] = [new Map([...here].map((row) => [row.id, row])), new Map([...there].map((row) => [row.id, row]))];
  const missing = [...wanted.keys()].flatMap((id) => (held.has(id) ? [] : [`${what} ${id} is missing`]));
  const other = [...held.values()].flatMap((row) => {
    const is = wanted.get(row.id);
    if (row.version !== is?.version) return [`${what} ${row.id} is held in version ${row.version}, and is ${is?.version ?? 'gone'}`];
    const fields = otherFields(row, is);
    return fields.length > 0 ? [`${what} ${row.id} is held in its version ${row.version} with another ${fields.join(', ')}`] : [];
  });
  return [...missing, ...other];
}

/** Where a device's copy says of a scope that it holds more or fewer transactions than it does. */
function miscountIn(device: SimDevice): string | null {
  const counts = device.disk.peek<CountsRecord>(device.rowsName, 'counts').filter(({ noun }) => noun === 'transactions');
  const sets = device.disk.peek<ColdRecord>(device.rowsName, 'cold').flatMap(({ noun, set }) => (noun === 'transactions' ? set : []));
  for (const set of new Set([...sets, ...counts.map((record) => record.set)])) {
    const held = new Map<string, number>();
    for (const { entity_id } of rowsOnDisk(device, set).values()) {
      const scope = scopeKey('entity', entity_id);
      held.set(scope, (held.get(scope) ?? 0) + 1);
    }
    const counted = counts.find((record) => record.set === set)?.rows ?? {};
    for (const scope of new Set([...held.keys(), ...Object.keys(counted)])) {
      const [said, is] = [counted[scope] ?? 0, held.get(scope) ?? 0];
      if (said !== is) return `${device.name} counts ${said} transactions of ${scope} in ${set}, and holds ${is}`;
    }
  }
  return null;
}

/** Entities of which something is stored with the rows of another client than theirs. */
function strays({ server }: World, device: SimDevice): string[] {
  const stored = device.disk.peek<ColdRecord>(device.rowsName, 'cold').filter(({ noun }) => noun === 'transactions');
  return [...new Set(stored.map(({ set }) => set))].flatMap((client) => {
    const records = stored.filter(({ set }) => set === client);
    const others = server.entities.filter(({ id, client_id }) => client_id !== client && hasTraces(records, id));
    return others.map(({ id }) => `${id} with client ${client}`);
  });
}

/** Entities of clients that are left out of a device's copy: one with edits that wait is once these are gone. */
function leftOutOf(world: World, device: SimDevice): Set<string> {
  const followed = followedLeftOut(device);
  const edited = new Set(world.pending(device).map(({ client_id }) => client_id));
  const leftOut = device.leftOut.filter((client) => followed.includes(client) || !edited.has(client));
  return new Set(world.server.entities.flatMap(({ id, client_id }) => (leftOut.includes(client_id) ? id : [])));
}

/** Where the rows of a device's copy are not what the server has, but for what is left out of it, and some other entities. */
function otherRows(world: World, device: SimDevice, others: ReadonlySet<string> = new Set()): string[] {
  const { server } = world;
  const leftOut = leftOutOf(world, device);
  const isKept = ({ entity_id }: { entity_id: string }): boolean => !leftOut.has(entity_id) && !others.has(entity_id);
  const table = <Row extends Versioned>(name: string): readonly Row[] => device.disk.peek<Row>(device.rowsName, name);
  return [
    ...server.officeNouns.flatMap((noun) => compare(noun, table(noun), server.visibleOffice(noun) as Versioned[])),
    ...compare('account', table('accounts'), server.visibleAccounts()),
    ...figureNouns.flatMap((noun) => compare(noun, table(noun), server.visibleFigures(noun) ?? table(noun))),
    ...compare('security', table('securities'), server.visibleSecurities()),
    ...compare('view', table('saved_views'), server.views.values()),
    ...compare(
      'match',
      table<Versioned & { entity_id: string }>('transaction_matches').filter(isKept),
      server.visibleMatches().filter(isKept),
    ),
    ...compare('transaction', [...rowsOnDisk(device).values()].filter(isKept), server.visibleTransactions().filter(isKept)),
  ];
}

/** Where a device's copy is not what it is to be. */
function differences(world: World, device: SimDevice): string[] {
  const { server } = world;
  const leftOut = leftOutOf(world, device);
  const followed = new Set(feedOf(device)?.scopes.map(({ key }) => key));
  const matches = device.disk.peek<{ id: string; entity_id: string }>(device.rowsName, 'transaction_matches');
  return [
    ...otherRows(world, device),
    ...matches.flatMap(({ id, entity_id }) =>
      leftOut.has(entity_id) ? `match ${id} of entity ${entity_id}, which is not to be kept here` : [],
    ),
    ...strayDrafts(device, (scope) => isPlaceSeen(server, scope)),
    ...strays(world, device).map((what) => `something is left of entity ${what}, which it left`),
    ...[...leftOut].flatMap((id) => (followed.has(`entity:${id}`) ? `entity ${id}, which is not to be kept here, is followed` : [])),
    ...tracesOf(device, [...leftOut]).map((id) => `something of entity ${id}, which is not to be kept here, is on the disk`),
    ...tracesOf(device, server.maySeeTransactions ? server.unseenEntities : server.entities.map(({ id }) => id)).map(
      (id) => `something of entity ${id}, which may not be seen, is on the disk`,
    ),
    ...server.unseenEntities.flatMap((id) => {
      const left = leftOf(device, scopeKey('entity', id));
      return left === null ? [] : [`of entity ${id}, which may not be seen, it keeps ${left}`];
    }),
  ];
}
