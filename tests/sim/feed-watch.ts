import type { FeedState } from '#replica/feed-state.ts';
import type { PullRow } from '#replica/pulls.ts';
import type { KeptRecord, RowTables } from '#replica/row-tables.ts';
import { canaryOf } from './model-server.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import type { SimDevice } from './sim-device.ts';
import type { World } from './world.ts';

/** How far a device follows the feed. */
export function feedOf(device: SimDevice): FeedState | undefined {
  return device.disk.peek<KeptRecord>(device.rowsName, 'meta').find(({ k }) => k === 'feed')?.value as FeedState | undefined;
}

const placeOf = (cursor: string): number => Number(cursor.split('.')[0]);

/** How far a device was told of everything, and from where on it follows each scope. */
interface Followed {
  generation: string;
  cursor: number;
  since: Map<string, number>;
}

/** Watches what devices say of the feed. */
export class FeedWatch {
  readonly #world: World;
  readonly #followed = new Map<SimDevice, Followed>();

  constructor(world: World) {
    this.#world = world;
  }

  /** After every transaction of a device: where it stands now. */
  note(device: SimDevice): void {
    const state = feedOf(device);
    if (!state) {
      this.#followed.delete(device);
      return;
    }
    const cursor = placeOf(state.cursor);
    const before = this.#followed.get(device);
    const isNew = before?.generation !== state.server_gen || cursor < before.cursor;
    const since = new Map(
      ['user', ...state.scopes.map(({ key }) => key)].map((key) => [key, (isNew ? undefined : before.since.get(key)) ?? cursor]),
    );
    this.#followed.set(device, { generation: state.server_gen, cursor, since });
  }

  /** Nothing is expected of what a device was told before. */
  forget(device: SimDevice): void {
    this.#followed.delete(device);
  }

  /** Rows of one table of which a device was told that they went, and that it holds. */
  ghosts(device: SimDevice, table: 'saved_views' | 'transaction_matches'): string[] {
    const { generation, cursor, since } = this.#followed.get(device) ?? {};
    const { server } = this.#world;
    if (since === undefined || generation !== server.generation) return [];
    const told = server.feedLines.slice(0, cursor).filter(({ noun, scope }, at) => noun === table && at >= (since.get(scope) ?? Infinity));
    const went = new Set(told.flatMap(({ id, isGone }) => (isGone && !server.exists(id) ? id : [])));
    const held = device.disk.peek<{ id: string }>(device.rowsName, table).map(({ id }) => id);
    return held.filter((id) => went.has(id));
  }

  /** Changes that a device says it was told of, and that are not on its disk. */
  untold(device: SimDevice): string[] {
    const { generation, cursor, since } = this.#followed.get(device) ?? {};
    const { server } = this.#world;
    // whatever it holds of another database: it finds that out with its next question
    if (since === undefined || generation !== server.generation) return [];
    const small = (['saved_views', 'transaction_matches'] as const).flatMap((table) =>
      device.disk.peek<RowTables['saved_views' | 'transaction_matches']['row']>(device.rowsName, table),
    );
    const held = new Map([...rowsOnDisk(device).values(), ...small].map((row) => [row.id, row.version ?? 0]));
    const told = server.feedLines.slice(0, cursor).filter(({ scope }, at) => at >= (since.get(scope) ?? Infinity));
    const pulls = device.disk.peek<PullRow>(device.rowsName, 'pulls').filter(({ noun }) => noun === 'transactions');
    const read = new Set(pulls.flatMap(({ scope, phase }) => (phase === 'steady' ? scope : [])));
    // only the latest line of a row says how it was when it was told
    return [...new Map(told.map((line) => [line.id, line])).values()].flatMap(({ scope, noun, id, version, isGone }) => {
      if (isGone || !server.isThere(id)) return [];
      // what was told of an entity not known yet is brought by its first pull
      if (noun === 'transactions' && !read.has(scope)) return [];
      return (held.get(id) ?? 0) >= version ? [] : [`row ${id} in version ${version}, and it is held in ${held.get(id) ?? 'none'}`];
    });
  }
}

/** Whether a text is anywhere in a value, also as the bytes of it. */
function holds(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).includes(text);
  if (value instanceof ArrayBuffer) return Buffer.from(value).includes(text);
  if (typeof value === 'object' && value !== null) return Object.values(value).some((part) => holds(part, text));
  return false;
}

/** The entities of which a device's copy still holds something, of those named. */
export function tracesOf(device: SimDevice, entityIds: readonly string[]): string[] {
  const everything = device.disk.everythingIn(device.rowsName);
  return entityIds.filter((id) => holds(everything, canaryOf(id)));
}
