import type { ApiCall } from '#api-client/call.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { type FeedAnswer, type FeedChange, feedLimits, feedProtocol, type Hello, hello, listChanges } from '#contract/feed.ts';
import { dropUnseenDrafts } from '#replica/drafts.ts';
import { dropRows, type FeedState, feedStateOf, forgetFeed, startFeed } from '#replica/feed-state.ts';
import { generationOf } from '#replica/generation.ts';
import { largestPage } from '#contract/wire.ts';
import { noteUnread } from '#replica/unread-rows.ts';
import { applyFeedPage, type ClientSets, clientOfEntity, type FeedPage, type RowChange } from '#replica/feed-page.ts';
import type { Replica } from '#replica/open.ts';
import { forgetVersions } from '#replica/sending.ts';
import { idOfScope, scopeKey } from '#replica/scopes.ts';
import type { SetKey } from '#replica/set-errors.ts';
import { setRevisions } from '#replica/watch.ts';
import { clientsWithRowsOf } from './held-clients.ts';
import { asNoAnswer, serverFaults } from './server-faults.ts';
import { rowSchemaOf } from './streams.ts';
import type { PulledNoun, Unreadable } from './unreadable.ts';

/** For how long a server without a feed is not asked again, in milliseconds. */
const askAgainMs = 600_000;
/** The same where it was somebody else's page that said so, such as a hotel's: it goes once the person has signed in there. */
const askAgainSoonMs = 30_000;

/** So long after it was followed last a feed counts as told: then lists are read by their age, as without one. */
const longestSilenceMs = 600_000;

/** Failures that say nothing about whether the server has a feed. */
const saysNothing: ReadonlySet<ErrorCode> = new Set([...serverFaults, 'internal']);
/**
 * Answers one after another that are none of ours, after which the server is believed to have no feed, or none any more: the first of
 * them are rather the network's, such as a hotel's page.
 */
const badAnswersToGo = 4;
/**
 * Rounds one after another in which a server whose feed is followed says that it has none, after which it is believed: once, something may
 * stand in its place, such as a proxy while it is started again, and much rests on the feed that is not had back.
 */
const denialsToGo = 2;

export interface FeedPorts {
  replica: Replica;
  call: ApiCall;
  sets: ClientSets;
  now: () => number;
  /** The build of the app: another one may read what this one cannot. */
  build: string;
  deviceId: () => Promise<string>;
  /** Whether the person left a client out on this device: nothing of its entities is asked for. */
  isLeftOut: (clientId: string) => boolean;
  /** Told which columns a page changed; null is any. */
  onChanged: (key: SetKey | null) => void;
  unreadable: Unreadable;
}

/** What a server makes of changes. */
interface TakenChanges {
  /** Which database it has, where it takes a change only on the version it names; null at any other. */
  generation: string | null;
  /** Whether it remembers their keys: one that comes again has its effect once. */
  keepsKeys: boolean;
}

/** Scopes with what changes tell of where entities are: of a scope that is followed nobody tells its parent again. */
function withParents(scopes: FeedState['scopes'], { entities = [] }: FeedPage['changes']): FeedState['scopes'] {
  const parents = new Map(entities.map((change) => [scopeKey('entity', change.id), clientOfEntity(change)]));
  return scopes.map(({ key, parent }) => {
    const client = parents.get(key);
    return { key, parent: client === undefined ? parent : scopeKey('client', client) };
  });
}

const comparesVersions = ({ caps }: Hello): boolean => caps.includes('if_match');

/** Follows the feed of a server that has one; of any other it says so, and everything is pulled by its age. */
export class Feed {
  readonly #ports: FeedPorts;
  #hello: Hello | null = null;
  #badAnswers = 0;
  /** Rounds one after another in which the server said that the feed that is followed is none. */
  #denials = 0;
  /** What it said so with in this round, and was not believed. */
  #denial: ApiError | null = null;
  #askedAt = -Infinity;
  #isForeign = false;
  #followedAt = -Infinity;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  /** The most rows of a list's page at a server with a feed; null at one without. */
  get pageLimit(): number | null {
    // a newer server may give more than this build asks for
    return this.#hello && Math.min(this.#hello.max_limit, largestPage);
  }

  /** Whether there is a feed and all it told up to a while ago is applied: what a list said stays true without its being read again. */
  get isFollowed(): boolean {
    return this.#hello !== null && Math.abs(this.#ports.now() - this.#followedAt) < longestSilenceMs;
  }

  /** Whether the server counts the rows of entities. */
  get tellsSizes(): boolean {
    return this.#hello?.caps.includes('sizes') ?? false;
  }

  /** Whether the server remembers how devices stand. */
  get hearsOfDevices(): boolean {
    return this.#hello?.caps.includes('devices') ?? false;
  }

  /** Whether the server is taken for none of ours: it knows no greeting, or answers it in no way of ours. */
  get isForeign(): boolean {
    return this.#isForeign;
  }

  /** What the server makes of changes. @throws ApiError where it cannot say so now. */
  async takes(): Promise<TakenChanges> {
    const found = await this.#find();
    const generation = found && comparesVersions(found) ? found.server_gen : null;
    return { generation, keepsKeys: found?.caps.includes('idempotency') ?? false };
  }

  /**
   * The same as it said last: should it be another one by now, it refuses what names this one. The copy may be of another one still: edits
   * say of which theirs are.
   */
  async tookLast(): Promise<TakenChanges> {
    const held = await feedStateOf(this.#ports.replica);
    // with a feed it is one of ours
    return { generation: held?.compares_versions === true ? held.server_gen : null, keepsKeys: held !== null };
  }

  /** Asks anew what the server can do: it, or the session, may be another one. */
  forget(): void {
    this.#hello = null;
    this.#askedAt = -Infinity;
  }

  /** Another round begins: of what the server said it does not know it may be asked again. */
  beginRound(): void {
    this.#denial = null;
  }

  /** Applies all changes up to now. Does nothing where there is no feed. */
  async follow(): Promise<void> {
    if (this.#denial) throw this.#denial;
    const found = await this.#find();
    if (!found) return;
    try {
      await this.#applyFrom(await this.#stateAt(found));
      this.#followedAt = this.#ports.now();
      this.#denials = 0;
    } catch (error) {
      // another page of that status may be anybody's on the way there
      if (!(error instanceof ApiError) || !error.isSaid) throw error;
      if (error.code === 'generation_changed') await this.#beginElsewhere();
      else if (error.code === 'cursor_too_old') await this.#begin(found);
      else if (error.code === 'not_found') await this.#denied(error);
      else throw error;
    }
  }

  /** Another database stands where the one was whose rows are here: nothing more is read before it is known which. */
  async #beginElsewhere(): Promise<void> {
    this.forget();
    // one that calls itself as the former did may be that of an earlier day
    await this.#dropAll(null);
    const other = await this.#find();
    if (other) await this.#begin(other);
  }

  /**
   * The server says that it has no feed.
   * @throws ApiError where one is followed, and it is not to be believed yet.
   */
  async #denied(error: ApiError): Promise<void> {
    const isFollowed = (await feedStateOf(this.#ports.replica)) !== null;
    this.#denials += 1;
    if (isFollowed && this.#denials < denialsToGo) {
      this.#denial = asNoAnswer(error);
      throw this.#denial;
    }
    await this.#goWithout();
  }

  /** The server has no feed, or none any more. */
  async #goWithout(): Promise<void> {
    [this.#hello, this.#denials] = [null, 0];
    await forgetFeed(this.#ports.replica);
  }

  async #find(): Promise<Hello | null> {
    const { call, now } = this.#ports;
    // a clock that was ahead keeps nobody from asking
    const restMs = this.#badAnswers > 0 ? askAgainSoonMs : askAgainMs;
    if (this.#hello || Math.abs(now() - this.#askedAt) < restMs) return this.#hello;
    if (this.#denial) throw this.#denial;
    try {
      this.#hello = await call(hello, {});
      [this.#badAnswers, this.#denials, this.#isForeign] = [0, 0, false];
    } catch (error) {
      if (!(error instanceof ApiError) || saysNothing.has(error.code)) throw error;
      this.#badAnswers = error.isSaid ? 0 : this.#badAnswers + 1;
      const isRatherTheNetworks = this.#badAnswers > 0 && this.#badAnswers < badAnswersToGo;
      if (isRatherTheNetworks) throw asNoAnswer(error);
      if (error.isSaid) await this.#denied(error);
      else await this.#goWithout();
      this.#isForeign = error.code === 'not_found' || this.#badAnswers > 0;
    }
    this.#askedAt = now();
    return this.#hello;
  }

  async #stateAt(found: Hello): Promise<FeedState> {
    const held = await feedStateOf(this.#ports.replica);
    const isOurs = held !== null && held.server_gen === found.server_gen;
    return isOurs ? { ...held, compares_versions: comparesVersions(found) } : this.#begin(found);
  }

  /** The cursor comes first: what changes while the lists are read is told from it on. */
  async #begin(found: Hello): Promise<FeedState> {
    const { server_gen } = found;
    const answer = await this.#ask({ server_gen, cursor: null, scopes: [] });
    // versions of another database, or of nobody knows which, cannot be compared with this one's
    const isOther = (await generationOf(this.#ports.replica)) !== server_gen;
    if (isOther) await this.#dropAll(server_gen);
    const { cursor, perm_version } = answer;
    const scopes = this.#kept(answer.scopes_gained);
    const state = { server_gen, cursor, perm_version, scopes, compares_versions: comparesVersions(found) };
    const { replica, sets } = this.#ports;
    const entities = new Set(state.scopes.map(({ key }) => idOfScope('entity', key)));
    const unseen = await clientsWithRowsOf(replica, sets, (id) => !entities.has(id));
    // of a client of which only an entity may be seen the name may be, too
    const places = answer.scopes_gained.flatMap(({ key, parent }) => [key, parent]);
    await this.#start(state, { seen: places, unseen }, isOther);
    return state;
  }

  /** @param isOther rows say of which database they are: what was opened before that is known here is opened anew. */
  async #start(state: FeedState, now: { seen: readonly string[]; unseen: readonly string[] }, isOther: boolean): Promise<void> {
    const { replica, sets, onChanged } = this.#ports;
    const closed = isOther ? [...new Set([...sets.names, ...now.unseen])] : now.unseen;
    let missed: readonly string[] = [];
    await sets.without(closed, async () => {
      missed = await startFeed(replica, state, now);
    });
    if (missed.length > 0) await this.#start(state, { ...now, unseen: [...now.unseen, ...missed] }, isOther);
    else if (now.unseen.length > 0) onChanged(null);
  }

  async #applyFrom(start: FeedState): Promise<void> {
    for (let before = start, hasMore = true; hasMore; ) {
      const answer = await this.#ask(before);
      const gained = this.#kept(answer.scopes_gained);
      const { replica, sets, now, onChanged } = this.#ports;
      const { cursor, perm_version, scopes_lost: lost } = answer;
      const { changes, unread } = this.#read(answer.changes);
      if (unread.length > 0) await noteUnread(replica, this.#ports.build, unread);
      const known = before.scopes.filter(({ key }) => !lost.includes(key));
      const { awaited: _told, ...begun } = before;
      const after: FeedState = { ...begun, cursor, perm_version, scopes: [...withParents(known, changes), ...gained] };
      const page: FeedPage = { before, after, gained, lost, changes, now: now() };
      const changed = await applyFeedPage(replica, page, sets).catch((error: unknown) => {
        // it may be on the disk all the same: what failed may have come after that
        onChanged(null);
        throw error;
      });
      for (const key of changed) onChanged(key);
      if (lost.length > 0 || changes.clients || changes.entities) await dropUnseenDrafts(replica);
      before = after;
      hasMore = answer.has_more;
    }
  }

  /** What is left out is gained with every answer, for it is not asked for. */
  #kept(scopes: FeedState['scopes']): FeedState['scopes'] {
    const { isLeftOut } = this.#ports;
    return scopes.filter(({ key, parent }) => idOfScope('entity', key) === null || !isLeftOut(idOfScope('client', parent) ?? ''));
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

  /** The changes of nouns that are known here, each row checked: one that cannot be read must not stop the feed. @returns also the lists of those. */
  #read(changes: readonly FeedChange[]): { changes: FeedPage['changes']; unread: { scope: string; noun: string }[] } {
    const { unreadable } = this.#ports;
    const read: { [noun: string]: RowChange[] } = {};
    const unread: { scope: string; noun: string }[] = [];
    for (const { noun, scope, id, op, version, row } of changes) {
      const schema = rowSchemaOf(noun);
      if (!schema) continue;
      const list = (read[noun] ??= []);
      const parsed = op === 'put' ? schema.safeParse(row) : null;
      if (parsed?.success === false) {
        unread.push({ scope, noun });
        unreadable.note(noun as PulledNoun, [{ id }]);
        continue;
      }
      list.push({ scope, id, op, version, ...(parsed ? { row: parsed.data } : {}) });
      unreadable.heard(noun as PulledNoun, [{ id }]);
    }
    return { changes: read, unread };
  }

  /** The rows are of another database than the one that is there, or nobody knows of which. @param generation that one, null where it is not known. */
  async #dropAll(generation: string | null): Promise<void> {
    const { replica, sets, onChanged } = this.#ports;
    // also those of which nothing is stored yet: a page for one may be on its way
    const all = new Set([...sets.names, ...(await setRevisions(replica.rows)).map(({ set }) => set)]);
    await sets.without([...all], () => dropRows(replica));
    // not before the rows went: until then edits are made on them
    await forgetVersions(replica.outbox, generation);
    onChanged(null);
  }
}
