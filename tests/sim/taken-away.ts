import { isGoneRow } from '#replica/cold-rows.ts';
import { scopeKey } from '#replica/scopes.ts';
import { feedOf } from './feed-watch.ts';
import { recordsOnDisk } from './rows-on-disk.ts';
import type { SimDevice } from './sim-device.ts';
import { generationOn, type World } from './world.ts';

interface HeldView {
  id: string;
  version: number;
}

const placeNouns = ['clients', 'entities'] as const;

/** What is held of the lists of places. */
type HeldPlaces = Record<(typeof placeNouns)[number], ReadonlySet<string>>;

/** Rows that a copy takes away because some list lacked them, though they are where they were and were never out of sight. */
export class TakenAway {
  readonly #world: World;
  /** The views that each device held last. */
  readonly #views = new Map<string, { views: readonly HeldView[]; losses: number; generation: string }>();

  /** The places that each device held last. */
  readonly #places = new Map<string, { places: HeldPlaces; losses: number }>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The first of them, in words; null where there is none. What holds of it held whenever it was taken away. */
  foundRow(device: SimDevice): string | null {
    // of another database than stands there the copy may hold anything until it knows
    if (this.#isOfAnother(device)) return null;
    for (const { set, rows } of recordsOnDisk(device)) {
      const wrong = rows.find((row) => isGoneRow(row) && this.#wasAlwaysThere(row.id, set));
      if (wrong) return `${device.name} took row ${wrong.id} away, which the server never ceased to have`;
    }
    return null;
  }

  /**
   * The same of saved views, which are remade under their ids: one in the very version that was held. Only of a copy that follows the
   * feed: any other reads its lists anew.
   */
  foundView(device: SimDevice): string | null {
    const { server, broughtBack } = this.#world;
    const before = this.#views.get(device.name);
    const views = device.disk.peek<HeldView>(device.rowsName, 'saved_views');
    const [losses, generation] = [this.#world.lossesOf(device), generationOn(device)];
    this.#views.set(device.name, { views, losses, generation });
    // what the power took is no removal, nor what goes with a copy that is of another database
    const isOfBefore = before?.losses !== losses || before.generation !== generation;
    if (isOfBefore || this.#isOfAnother(device) || feedOf(device) === undefined) return null;
    const held = new Set(views.map(({ id }) => id));
    const wrong = before.views.find(
      ({ id, version }) => !held.has(id) && !broughtBack.has(id) && server.views.get(id)?.version === version,
    );
    return wrong ? `${device.name} took view ${wrong.id} away, which the server still has as it was held` : null;
  }

  /** The same of clients and entities, of a copy that reads its lists anew: one that follows the feed drops them with what they lie in. */
  foundPlace(device: SimDevice): string | null {
    const { server, broughtBack, moved } = this.#world;
    const heldOf = (noun: (typeof placeNouns)[number]): Set<string> =>
      new Set(device.disk.peek<{ id: string }>(device.rowsName, noun).map(({ id }) => id));
    const now: HeldPlaces = { clients: heldOf('clients'), entities: heldOf('entities') };
    const before = this.#places.get(device.name);
    const losses = this.#world.lossesOf(device);
    this.#places.set(device.name, { places: now, losses });
    if (before?.losses !== losses || server.hasFeed) return null;
    const isThere = (noun: (typeof placeNouns)[number], id: string): boolean =>
      noun === 'clients'
        ? server.clients.some((client) => client.id === id) && this.#world.sightChangedAt(scopeKey('client', id)) === 0
        : server.isEntitySeen(id) && !moved.has(id) && this.#world.sightChangedAt(scopeKey('entity', id)) === 0;
    for (const noun of placeNouns)
      for (const id of before.places[noun])
        if (!now[noun].has(id) && !broughtBack.has(id) && isThere(noun, id))
          return `${device.name} took ${id} of ${noun} away, which the server never ceased to have`;
    return null;
  }

  #isOfAnother(device: SimDevice): boolean {
    const { server } = this.#world;
    return server.hasFeed && generationOn(device) !== server.generation;
  }

  #wasAlwaysThere(id: string, client: string): boolean {
    const { server } = this.#world;
    const row = server.transactions.get(id);
    const entity = server.entities.find((each) => each.id === row?.entity_id);
    const isBack = (of: string): boolean => this.#world.broughtBack.has(of);
    if (!entity || [id, entity.id, client].some(isBack) || entity.client_id !== client || this.#world.moved.has(entity.id)) return false;
    const wasAlwaysSeen = (scope: string): boolean => this.#world.sightChangedAt(scope) === 0;
    return wasAlwaysSeen(scopeKey('entity', entity.id)) && wasAlwaysSeen(scopeKey('client', client));
  }
}
