import type { ApiCall } from '#api-client/call.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { type FeedAnswer, type FeedChange, feedLimits, feedProtocol, type Hello, hello, listChanges } from '#contract/feed.ts';
import { dropRows, type FeedState, feedStateOf, forgetFeed, generationOf, startFeed } from '#replica/feed-state.ts';
import { applyFeedPage, type ClientSets, type FeedPage, type RowChange } from '#replica/feed-page.ts';
import type { Replica } from '#replica/open.ts';
import { forgetVersions } from '#replica/outbox.ts';
import { idOfScope } from '#replica/scopes.ts';
import type { SetKey } from '#replica/set-errors.ts';
import { setRevisions } from '#replica/watch.ts';
import { clientsWithRowsBeyond } from './lost-scopes.ts';
import { serverFaults } from './server-faults.ts';
import { rowSchemaOf } from './streams.ts';

/** For how long a server without a feed is not asked again, in milliseconds. */
const askAgainMs = 600_000;

/** Failures that say nothing about whether the server has a feed. */
const saysNothing: ReadonlySet<ErrorCode> = new Set([...serverFaults, 'internal']);

export interface FeedPorts {
  replica: Replica;
  call: ApiCall;
  sets: ClientSets;
  now: () => number;
  deviceId: () => Promise<string>;
  /** Told which columns a page changed; null is any. */
  onChanged: (key: SetKey | null) => void;
  /** Told how many rows of a noun were not what the contract says. */
  onUnreadable: (noun: string, rows: number) => void;
}

/** Follows the feed of a server that has one; of any other it says so, and everything is pulled by its age. */
export class Feed {
  readonly #ports: FeedPorts;
  #hello: Hello | null = null;
  #askedAt = -Infinity;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  /** The most rows of a list's page at a server with a feed; null at one without. */
  get pageLimit(): number | null {
    return this.#hello?.max_limit ?? null;
  }

  /**
   * Which database the versions of rows are of, at a server that takes a change only on the version it names; null at any other, and
   * at one that cannot say so now.
   */
  async generation(): Promise<string | null> {
    try {
      const found = await this.#find();
      return found?.caps.includes('if_match') ? found.server_gen : null;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'internal') return null;
      throw error;
    }
  }

  /** Asks anew what the server can do: it, or the session, may be another one. */
  forget(): void {
    this.#hello = null;
    this.#askedAt = -Infinity;
  }

  /** Applies all changes up to now. Does nothing where there is no feed. */
  async follow(): Promise<void> {
    const found = await this.#find();
    if (!found) return;
    try {
      await this.#applyFrom(await this.#stateAt(found));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'generation_changed') await this.#beginElsewhere();
      else if (error.code === 'cursor_too_old') await this.#begin(found);
      else if (error.code === 'not_found') await this.#goWithout();
      else throw error;
    }
  }

  /** Another database stands where the one was whose rows are here: nothing more is read before it is known which. */
  async #beginElsewhere(): Promise<void> {
    this.forget();
    await this.#dropAll();
    const other = await this.#find();
    if (other) await this.#begin(other);
  }

  /** The server has no feed, or none any more. */
  async #goWithout(): Promise<void> {
    this.#hello = null;
    await forgetFeed(this.#ports.replica);
  }

  async #find(): Promise<Hello | null> {
    const { call, now } = this.#ports;
    if (this.#hello || now() - this.#askedAt < askAgainMs) return this.#hello;
    try {
      this.#hello = await call(hello, {});
    } catch (error) {
      if (!(error instanceof ApiError) || saysNothing.has(error.code)) throw error;
      await this.#goWithout();
    }
    this.#askedAt = now();
    return this.#hello;
  }

  async #stateAt(found: Hello): Promise<FeedState> {
    const held = await feedStateOf(this.#ports.replica);
    return held && held.server_gen === found.server_gen ? held : this.#begin(found);
  }

  /** The cursor comes first: what changes while the lists are read is told from it on. */
  async #begin({ server_gen }: Hello): Promise<FeedState> {
    const answer = await this.#ask({ server_gen, cursor: null, scopes: [] });
    // versions of another database, or of nobody knows which, cannot be compared with this one's
    if ((await generationOf(this.#ports.replica)) !== server_gen) await this.#dropAll();
    const state = { server_gen, cursor: answer.cursor, perm_version: answer.perm_version, scopes: answer.scopes_gained };
    const { replica, sets, onChanged } = this.#ports;
    const entities = state.scopes.flatMap(({ key }) => idOfScope('entity', key) ?? []);
    const unseen = await clientsWithRowsBeyond(replica, sets, entities);
    await sets.without(unseen, () => startFeed(replica, state, unseen));
    if (unseen.length > 0) onChanged(null);
    return state;
  }

  async #applyFrom(start: FeedState): Promise<void> {
    for (let before = start, hasMore = true; hasMore; ) {
      const answer = await this.#ask(before);
      const after: FeedState = {
        server_gen: before.server_gen,
        cursor: answer.cursor,
        perm_version: answer.perm_version,
        scopes: [...before.scopes.filter(({ key }) => !answer.scopes_lost.includes(key)), ...answer.scopes_gained],
      };
      const { replica, sets, now, onChanged } = this.#ports;
      const { scopes_gained: gained, scopes_lost: lost } = answer;
      const page: FeedPage = { before, after, gained, lost, changes: this.#read(answer.changes), now: now() };
      for (const key of await applyFeedPage(replica, page, sets)) onChanged(key);
      before = after;
      hasMore = answer.has_more;
    }
  }

  async #ask({ server_gen, cursor, scopes }: Pick<FeedState, 'server_gen' | 'scopes'> & { cursor: string | null }): Promise<FeedAnswer> {
    const { call, deviceId } = this.#ports;
    return call(listChanges, {
      protocol: feedProtocol.current,
      device_id: await deviceId(),
      server_gen,
      cursor,
      scopes: ['user', ...scopes.map(({ key }) => key)],
      limit: feedLimits.page,
    });
  }

  /** The changes of nouns that are known here, each row checked: one that cannot be read must not stop the feed. */
  #read(changes: readonly FeedChange[]): FeedPage['changes'] {
    const read: { [noun: string]: RowChange[] } = {};
    const unreadable = new Map<string, number>();
    for (const { noun, scope, id, op, version, row } of changes) {
      const schema = rowSchemaOf(noun);
      if (!schema) continue;
      const list = (read[noun] ??= []);
      if (op !== 'put') {
        list.push({ scope, id, op, version });
        continue;
      }
      const parsed = schema.safeParse(row);
      if (parsed.success) list.push({ scope, id, op, version, row: parsed.data });
      else unreadable.set(noun, (unreadable.get(noun) ?? 0) + 1);
    }
    for (const [noun, rows] of unreadable) this.#ports.onUnreadable(noun, rows);
    return read;
  }

  async #dropAll(): Promise<void> {
    const { replica, sets, onChanged } = this.#ports;
    // also those of which nothing is stored yet: a page for one may be on its way
    const all = new Set([...sets.names, ...(await setRevisions(replica.rows)).map(({ set }) => set)]);
    await sets.without([...all], () => dropRows(replica));
    // not before the rows went: until then edits are made on them
    await forgetVersions(replica.outbox);
    onChanged(null);
  }
}
