import { touchedTransactions } from '#contract/mutations.ts';
import type { FeedState } from '#replica/feed-state.ts';
import type { PullRow } from '#replica/pulls.ts';
import type { KeptRecord, RowTables } from '#replica/row-tables.ts';
import type { Line } from './model-feed.ts';
import { followedRefreshAfterMs } from '#workers/streams.ts';
import { canaryOf, figureNouns, isFigures, type KeptNoun, keptNouns } from './sim-server.ts';
import { mayLack } from './lacking-lists.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import type { SimDevice } from './sim-device.ts';
import type { World } from './world.ts';

/** A feed that answers nothing for so long is not waited for: lists are read by their age. */
const longestSilenceMs = 600_000;

/** Longer than any list is on its way. */
const longestOnItsWayMs = 1_800_000;

/** How far a device follows the feed. */
export function feedOf(device: SimDevice): FeedState | undefined {
  return device.disk.peek<KeptRecord>(device.rowsName, 'meta').find(({ k }) => k === 'feed')?.value as FeedState | undefined;
}

/** How far a device was told of everything, and from where on it follows each scope. */
interface Followed {
  generation: string;
  cursor: number;
  /** When it came that far: a page has rows as they are by then. */
  toldAt: number;
  since: Map<string, number>;
  /** How often commits of it had been lost by then. */
  losses: number;
}

/** When the reading of a list began, as its pull has it, and when it was over. */
interface Read {
  asOf: number;
  until: number;
}

/** Watches what devices say of the feed. */
export class FeedWatch {
  readonly #world: World;
  readonly #followed = new Map<SimDevice, Followed>();
  readonly #read = new Map<SimDevice, Map<string, Read>>();

  /** A device that was told less than before though its copy lost nothing, in words; null where there is none. */
  wentBack: string | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  /** After every transaction of a device: where it stands now. */
  note(device: SimDevice): void {
    this.#noteReads(device);
    const state = feedOf(device);
    if (!state) {
      this.#followed.delete(device);
      return;
    }
    const cursor = this.#world.server.placeOf(state.cursor);
    const before = this.#followed.get(device);
    const { losses } = device;
    const isOther = before?.generation !== state.server_gen;
    if (!isOther && cursor < before.cursor && before.losses === losses)
      this.wentBack ??= `the place of ${device.name} in the feed went back from ${before.cursor} to ${cursor}`;
    const isNew = isOther || cursor < before.cursor;
    const since = new Map(
      ['user', ...state.scopes.map(({ key }) => key)].map((key) => [key, (isNew ? undefined : before.since.get(key)) ?? cursor]),
    );
    const toldAt = isNew || cursor !== before.cursor ? this.#world.scheduler.now : before.toldAt;
    this.#followed.set(device, { generation: state.server_gen, cursor, toldAt, since, losses });
  }

  /** Nothing is expected of what a device was told before. */
  forget(device: SimDevice): void {
    this.#followed.delete(device);
  }

  /** Rows of one table of which a device was told that they went, and that it holds. */
  ghosts(device: SimDevice, table: KeptNoun): string[] {
    const { generation, cursor, since } = this.#followed.get(device) ?? {};
    const { server } = this.#world;
    if (since === undefined || generation !== server.generation) return [];
    const told = server.feedLines.slice(0, cursor).filter(({ noun, scope }, at) => noun === table && at >= (since.get(scope) ?? Infinity));
    // of one that only went elsewhere the same change tells where it is
    const went = new Map(
      told.flatMap(({ id, isGone, isMoved, version }) => (isGone && !isMoved && !server.exists(id) ? [[id, version]] : [])),
    );
    const held = device.disk.peek<{ id: string; version?: number }>(device.rowsName, table);
    // one that was made anew since, and went again, may have been in a list
    return held.flatMap(({ id, version }) => ((version ?? 0) <= (went.get(id) ?? -1) ? id : []));
  }

  /**
   * A change of several rows of which a device holds one part and not another, though it was told of nothing since, read no list and
   * has no edit of these rows; null where there is none. While it is told of much, page by page, rows are ahead of their place already.
   */
  torn(device: SimDevice): string | null {
    const followed = this.#followed.get(device);
    const { server } = this.#world;
    if (followed?.generation !== server.generation) return null;
    const { cursor, toldAt, since } = followed;
    const lines = server.feedLines;
    const begun = lines[cursor - 1]?.change;
    // what of a change is out of sight is told to nobody here, and of what is in sight only now all lists are read
    const isToCome = ({ change, scope }: Line): boolean => change === begun && (since.get(scope) ?? Infinity) < cursor;
    if (lines.slice(cursor).some(isToCome) && lines.filter(({ change }) => change === begun).length <= server.feedCap)
      return `it was told half of change ${begun}`;
    const later = new Map<string, Line[]>();
    const rest = lines.slice(cursor).filter(({ isMoved }) => !isMoved);
    for (const line of rest) later.set(line.change, [...(later.get(line.change) ?? []), line]);
    const changes = [...later].filter(([change, { length }]) => length > 1 && change !== begun);
    if (changes.length === 0) return null;
    const held = this.#versions(device);
    const mine = [...this.#world.made.values()].filter((edit) => edit.device === device);
    // what an edit of its own answered is held at once, and the rows it names are read back; what else it did to other rows is told
    const own = new Set(
      mine.flatMap(({ id, name, said }) => [...touchedTransactions({ name, input: said[0] }), server.answers.get(id)?.id ?? id]),
    );
    const touched = new Set(rest.filter((line, at, all) => all.findIndex((each) => keyOf(each) === keyOf(line)) < at));
    // a row that went elsewhere since comes with the list of that place, too
    const listed = new Set(rest.flatMap((line) => (this.#isOnlyTold(device, line) ? [] : keyOf(line))));
    for (const [change, parts] of changes) {
      const isTold = parts.every(
        (line) => line.at > toldAt && since.has(line.scope) && !listed.has(keyOf(line)) && !own.has(line.id) && !touched.has(line),
      );
      if (!isTold) continue;
      const done = parts.filter((line) => (line.isGone ? !held.has(keyOf(line)) : (held.get(keyOf(line)) ?? 0) >= line.version));
      if (done.length > 0 && done.length < parts.length) return `it holds ${done.length} of the ${parts.length} rows of change ${change}`;
    }
    return null;
  }

  /** Whether no list was read, or is being read, that may have had a line's row as it left it. */
  #isOnlyTold(device: SimDevice, { scope, noun, at }: Line): boolean {
    const { asOf, until } = this.#read.get(device)?.get(`${scope} ${noun}`) ?? {};
    const { now } = this.#world.scheduler;
    // whether its pages are being read nothing says of this list
    const isSilent = noun === 'transactions' && now - (this.#followed.get(device)?.toldAt ?? now) >= longestSilenceMs;
    const isDue = asOf === undefined || isSilent || now - asOf >= followedRefreshAfterMs;
    // where the feed is not answered lists are read by their age, some of them page by page
    const isListed = (): boolean =>
      device.disk
        .peek<PullRow>(device.rowsName, 'pulls')
        .some((pull) => pull.scope === scope && pull.noun === noun && pull.sweep !== undefined);
    // by a clock that is off, or was when it was last read or a moment ago, it is not known when a list is due
    const isRight = asOf !== undefined && device.isRightSince(Math.min(asOf, now - longestOnItsWayMs));
    return isRight && !isDue && until !== undefined && until < at && !isListed();
  }

  #noteReads(device: SimDevice): void {
    const before = this.#read.get(device);
    const pulls = device.disk.peek<PullRow>(device.rowsName, 'pulls').filter(({ last_complete_at }) => last_complete_at !== null);
    const reads = pulls.map(({ scope, noun, last_complete_at }): [string, Read] => {
      const known = before?.get(`${scope} ${noun}`);
      const asOf = last_complete_at ?? 0;
      return [`${scope} ${noun}`, known?.asOf === asOf ? known : { asOf, until: this.#world.scheduler.now }];
    });
    this.#read.set(device, new Map(reads));
  }

  /** The version of each row on a device's disk. */
  #versions(device: SimDevice): Map<string, number> {
    const small = [...keptNouns, 'accounts' as const].flatMap((table) =>
      device.disk.peek<RowTables[KeptNoun | 'accounts']['row']>(device.rowsName, table),
    );
    const figures = figureNouns.flatMap((noun) =>
      device.disk
        .peek<{ id: string; version: number }>(device.rowsName, noun)
        .map(({ id, version }) => ({ id: keyOf({ noun, id }), version })),
    );
    return new Map([...rowsOnDisk(device).values(), ...small, ...figures].map((row) => [row.id, row.version ?? 0]));
  }

  /** Whether the row of a line is there and may be seen. */
  #isThere({ noun, id }: Line): boolean {
    const { server } = this.#world;
    return isFigures(noun) ? (server.visibleFigures(noun) ?? []).some((row) => row.id === id) : server.isThere(id);
  }

  /** Changes that a device says it was told of, and that are not on its disk. */
  untold(device: SimDevice): string[] {
    const { generation, cursor, since } = this.#followed.get(device) ?? {};
    const { server } = this.#world;
    // whatever it holds of another database: it finds that out with its next question
    if (since === undefined || generation !== server.generation) return [];
    const held = this.#versions(device);
    const told = server.feedLines.slice(0, cursor).filter(({ scope }, at) => at >= (since.get(scope) ?? Infinity));
    const pulls = device.disk.peek<PullRow>(device.rowsName, 'pulls').filter(({ noun }) => noun === 'transactions');
    const reads = this.#read.get(device);
    const read = new Map(
      pulls.flatMap(({ scope, phase }) => (phase === 'steady' ? [[scope, reads?.get(`${scope} transactions`)?.until ?? 0]] : [])),
    );
    // what changed while its entity was first pulled may have moved to dates that were read by then: it comes with what is told next
    const movedMeanwhile = new Set(
      server.feedLines.slice(cursor).flatMap((line) => (line.at <= (read.get(line.scope) ?? 0) && !held.has(keyOf(line)) ? [line.id] : [])),
    );
    // what an edit of its own removed is not held, though that is told later, and it may be there anew by then; and the list that it was
    // in may lack what went to another list since, which is told later, too
    const isLacking = ({ scope, isGone, isMoved }: Line): boolean => isGone && !(isMoved && scope === 'user');
    const goesLater = new Set(server.feedLines.slice(cursor).flatMap((line) => (isLacking(line) ? keyOf(line) : [])));
    // only the latest line of a row says how it was when it was told
    return [...new Map(told.map((line) => [keyOf(line), line])).values()].flatMap((line) => {
      const { scope, noun, id, version, isGone } = line;
      const is = held.get(keyOf(line));
      if (isGone || goesLater.has(keyOf(line)) || !this.#isThere(line)) return [];
      // what might not be seen for a while comes with the list once it is read again
      const sight = scope === 'user' ? this.#world.rowSightChangedAt(id) : this.#world.sightChangedAt(scope, id);
      if (mayLack(this.#world, device, { scope, noun }, sight)) return [];
      // what was told of an entity not known yet is brought by its first pull
      if (noun === 'transactions' && (!read.has(scope) || movedMeanwhile.has(id))) return [];
      return (is ?? 0) >= version ? [] : [`row ${id} of ${noun} in version ${version}, and it is held in ${is ?? 'none'}`];
    });
  }
}

/** What tells rows apart: figures bear the id of their entity. */
function keyOf({ noun, id }: Pick<Line, 'noun' | 'id'>): string {
  return isFigures(noun) ? `${noun} ${id}` : id;
}

/** Whether a text is anywhere in a value, also as the bytes of it. */
export function holds(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).includes(text);
  if (value instanceof ArrayBuffer) return Buffer.from(value).includes(text);
  if (typeof value === 'object' && value !== null) return Object.values(value).some((part) => holds(part, text));
  return false;
}

/** The entities of which a device's copy still holds something, of those named. */
export function tracesOf(device: SimDevice, entityIds: readonly string[]): string[] {
  const everything = device.disk.everythingIn(device.rowsName);
  return entityIds.filter((id) => hasTraces(everything, id));
}

/** Whether something of an entity's transactions is anywhere in what a disk has. */
export function hasTraces(stored: unknown, entityId: string): boolean {
  return holds(stored, canaryOf(entityId));
}
