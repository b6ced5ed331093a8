import type { FollowedScope } from '#replica/feed-state.ts';
import type { KeptRecord } from '#replica/row-tables.ts';
import { idOfScope, scopeKey } from '#replica/scopes.ts';
import { feedOf } from './feed-watch.ts';
import { clientNouns, leftOf, rowIn } from './held-places.ts';
import type { SimDevice } from './sim-device.ts';
import type { SimServer } from './sim-server.ts';
import type { SimCommit } from './sim-store.ts';
import type { World } from './world.ts';

/** What was chosen to be left out on a device, and what its copy follows of that so far. */
export function leftOutOn(device: SimDevice): string[] {
  return [...device.leftOut, ...followedLeftOut(device)];
}

/** What the copy follows of that so far. */
export function followedLeftOut(device: SimDevice): string[] {
  const followed = device.disk.peek<KeptRecord>(device.rowsName, 'meta').find(({ k }) => k === 'left_out')?.value;
  return (followed as string[] | undefined) ?? [];
}

/** Whether a client or an entity is there and may be seen. */
export function isPlaceSeen(server: SimServer, key: string): boolean {
  const [client, entity] = [idOfScope('client', key), idOfScope('entity', key)];
  return entity === null ? server.officeRow('clients', client ?? '') !== undefined : server.officeRow('entities', entity) !== undefined;
}

/** A device as it stands with the places it was told of. */
interface Told {
  /** Scopes it followed after its last commit. */
  before: readonly FollowedScope[];
  /** When it was told that it may no longer see a scope, UTC milliseconds. */
  lostAt: Map<string, number>;
}

/** Watches that nothing stays of a place which a device knows its person may no longer see, and that nothing of it comes back. */
export class LostPlaces {
  readonly #world: World;
  readonly #told = new Map<SimDevice, Told>();

  constructor(world: World) {
    this.#world = world;
  }

  /** What the power took may be held again of which a device was told once. */
  forget(device: SimDevice): void {
    this.#told.delete(device);
  }

  /** What is left of a place, or has come back, after a commit, in words; null where there is nothing. */
  found(device: SimDevice, { database }: SimCommit): string | null {
    if (database !== device.rowsName) return null;
    const scopes = feedOf(device)?.scopes;
    // a copy that is begun anew was told of nothing
    if (!scopes) {
      this.#told.delete(device);
      return null;
    }
    const { before, lostAt } = this.#told.get(device) ?? { before: [], lostAt: new Map<string, number>() };
    this.#told.set(device, { before: scopes, lostAt });
    const followed = new Set(scopes.map(({ key }) => key));
    const lost = before.filter(({ key }) => !followed.has(key) && !this.#isLeftOut(device, before, key)).map(({ key }) => key);
    for (const key of followed) lostAt.delete(key);
    for (const key of lost) {
      // a client may be in its list though nothing may be read that is pulled for it
      const isListed = idOfScope('client', key) !== null && isPlaceSeen(this.#world.server, key);
      const left = isListed ? rowIn(device, key, clientNouns) : leftOf(device, key);
      if (left !== null) return `${device.name} is told that ${key} may not be seen, and keeps ${left}`;
      // one that is in sight again by the time that is told may be in a list
      if (!isPlaceSeen(this.#world.server, key)) lostAt.set(key, this.#world.scheduler.now);
    }
    return this.#back(device, before, lostAt);
  }

  /** The feed may have told that an entity went to a client that is left out, where its list did not yet; and what says so as one begins to follow it is not kept. */
  #isLeftOut(device: SimDevice, before: readonly FollowedScope[], key: string): boolean {
    const entity = idOfScope('entity', key);
    if (entity === null) return false;
    // what is left out on the device is not followed, and stays in its list
    const leftOut = leftOutOn(device);
    const inFeed = before.find((scope) => scope.key === key)?.parent ?? '';
    const held = device.disk.peek<{ id: string; client_id: string }>(device.rowsName, 'entities');
    const places = held.flatMap(({ id, client_id }) => (id === entity ? client_id : []));
    const isIn = this.#world.server.office.entities.get(entity)?.client_id ?? '';
    // be it that it is back where it was since
    const wasIn = this.#world.moved.get(entity) ?? [];
    return [...places, inFeed.slice('client:'.length), isIn, ...wasIn].some((client) => leftOut.includes(client));
  }

  /** A place, or what lies in it, that is here again though it may not be seen again. */
  #back(device: SimDevice, before: readonly FollowedScope[], lostAt: ReadonlyMap<string, number>): string | null {
    if (lostAt.size === 0) return null;
    // what an edit of the device made is answered with it, and nobody may have told of it yet: it is in the person's own words
    const own = new Set<string>();
    for (const edit of this.#world.made.values())
      if (edit.device === device && edit.name === 'createEntity') own.add(scopeKey('entity', edit.about?.id ?? ''));
      else if (edit.device === device && edit.name === 'createClient') own.add(scopeKey('client', edit.about?.id ?? ''));
    for (const [key, at] of lostAt) {
      // an answer may have come from a moment at which it was in sight, be it the one at which the loss was written
      const isStill = this.#world.sightChangedAt(key) < at;
      // and of what is left out since the list says what is there
      if (isPlaceSeen(this.#world.server, key) || !isStill || own.has(key) || this.#isLeftOut(device, before, key)) continue;
      const row = rowIn(device, key);
      if (row !== null) return `${device.name} was told that ${key} may not be seen, and holds ${row} again`;
    }
    return null;
  }
}
