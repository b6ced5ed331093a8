import type { Transaction } from '#contract/transactions.ts';
import type { ColumnSet } from './column-set.ts';
import { columnNouns } from './column-nouns.ts';
import { setsHolding } from './counts.ts';
import { type FeedState, type FollowedScope, putFeedState } from './feed-state.ts';
import { forgetGone, goneIn } from './gone.ts';
import type { Replica } from './open.ts';
import { admitted, answersIn, countAnswer, countPurge, countReset, newPull, pullIn, type PullRow } from './pulls.ts';
import { dropColumnsToPullAnew, dropScopes, resetColumnPulls, resetPulls } from './purge.ts';
import { type RowNoun, rowNouns, type RowTables, type Scoped } from './row-tables.ts';
import { idOfScope, scopeKey } from './scopes.ts';
import type { SetKey } from './set-errors.ts';
import { type SetChange, writeSets } from './set-writes.ts';
import type { StoreWriting, TableName } from './store.ts';

/** What became of a row; `row` where it is there, checked. */
export interface RowChange {
  scope: string;
  id: string;
  op: 'put' | 'del' | 'out';
  version: number;
  row?: { id: string };
}

/** A page of the feed, and where the copy stands once it is applied. */
export interface FeedPage {
  before: FeedState;
  after: FeedState;
  gained: readonly FollowedScope[];
  lost: readonly string[];
  /** By noun, in the order of commits. */
  changes: { readonly [N in RowNoun | 'transactions']?: readonly RowChange[] };
  now: number;
}

/** The column sets of clients. */
export interface ClientSets {
  /** The clients and other names of the sets in use. */
  readonly names: readonly string[];
  transactions: (clientId: string) => Promise<ColumnSet<Transaction>>;
  /** Closes all sets of some clients, does work that drops what is stored of them, and opens them anew. */
  without: (clientIds: readonly string[], work: () => Promise<void>) => Promise<void>;
}

/** The client a scope lies in, as the feed told it last: the list of entities may tell another one since. */
function clientOf({ key, parent }: FollowedScope): string {
  return idOfScope('client', key) ?? idOfScope('client', parent) ?? '';
}

interface Entities {
  clientOf: ReadonlyMap<string, string>;
  /** Those that went to another client. */
  moved: readonly { id: string; from: string }[];
}

/** The clients in whose columns there are, or were, rows of some scopes. */
async function clientsHolding({ rows }: Replica, scopes: readonly string[]): Promise<{ set: string; scopes: string[] }[]> {
  // most pages tell of no place
  if (scopes.length === 0) return [];
  return rows.read(['counts'], (tx) => setsHolding(tx, columnNouns.transactions.noun, scopes, 0));
}

/** The client of an entity that is there. */
export function clientOfEntity({ row }: RowChange): string | undefined {
  return row && (row as unknown as { client_id: string }).client_id;
}

async function entitiesAfter(replica: Replica, { before, lost, changes }: FeedPage): Promise<Entities> {
  if (!changes.transactions && !changes.entities && lost.length === 0) return { clientOf: new Map(), moved: [] };
  const held = await replica.rows.read(['entities'], (tx) => tx.list('entities'));
  const holding = await clientsHolding(
    replica,
    (changes.entities ?? []).map(({ id }) => scopeKey('entity', id)),
  );
  const listed = new Map(held.map(({ id, client_id }) => [id, client_id]));
  const told = new Map(before.scopes.map((scope) => [scope.key, clientOf(scope)]));
  const moved: Entities['moved'][number][] = [];
  for (const change of changes.entities ?? []) {
    const { id } = change;
    const to = clientOfEntity(change);
    if (to === undefined) continue;
    const scope = scopeKey('entity', id);
    // its list may have told of the move before, while its rows are still where they were, or what went of them lies there
    const holders = holding.flatMap(({ set, scopes }) => (scopes.includes(scope) ? [set] : []));
    const former = new Set([...holders, listed.get(id) ?? to, told.get(scope) ?? to]);
    for (const from of former) if (from !== to) moved.push({ id, from });
    listed.set(id, to);
  }
  return { clientOf: listed, moved };
}

/** The changed transactions by the client whose set they are in; `unknown` are scopes of entities that are not known here. */
function byClient(changes: readonly RowChange[], entities: Entities): { sets: Map<string, SetChange<Transaction>>; unknown: string[] } {
  const sets = new Map<string, { rows: Transaction[]; removed: SetChange<Transaction>['removed'][number][] }>();
  const unknown = new Set<string>();
  for (const { scope, id, row } of changes) {
    const client = entities.clientOf.get(idOfScope('entity', scope) ?? '');
    if (client === undefined) {
      unknown.add(scope);
      continue;
    }
    const change = sets.get(client) ?? { rows: [], removed: [] };
    sets.set(client, change);
    if (row) change.rows.push(row as Transaction);
    // the feed says what is now, whatever version is held
    else change.removed.push({ id, version: Infinity });
  }
  return { sets, unknown: [...unknown] };
}

async function applyToRows(tx: StoreWriting<RowTables>, noun: RowNoun, changes: readonly RowChange[]): Promise<void> {
  const ids = changes.map(({ id }) => id);
  const [held, gone] = [await tx.getMany(noun, ids), await goneIn(tx, noun, changes)];
  const former = changes.flatMap(({ op }, index) => (op === 'put' ? [] : (held[index]?._scope ?? [])));
  await countTold(tx, noun, new Set([...changes.map(({ scope }) => scope), ...former]));
  // this answer is counted with its page
  const told = (await answersIn(tx)) + 1;
  const puts: RowTables[RowNoun]['row'][] = [];
  for (const [index, { scope, id, op, version, row }] of changes.entries()) {
    const before: (Partial<Scoped> & { version?: number }) | undefined = held[index];
    const known = Math.max(before?.version ?? -1, gone.get(id) ?? -1);
    // it was in the list that is under way all the same
    const mark = { _scope: scope, _told: told, ...(before?._swept === undefined ? {} : { _swept: before._swept }) };
    if (op === 'put' && row && version > known) puts.push({ ...row, ...mark } as unknown as RowTables[RowNoun]['row']);
    else if (op === 'put' && before?.version === version) puts.push(toldAgain(before, told));
  }
  await tx.putMany(noun, puts);
  const went = changes.filter(({ op }) => op !== 'put').map(({ id }) => id);
  await tx.removeMany(noun, went);
}

/** A row that is told of as it is held: it is there, whatever lists lacked it. */
function toldAgain({ _missed: _before, ...row }: Partial<Scoped>, told: number): RowTables[RowNoun]['row'] {
  return { ...row, _told: told } as unknown as RowTables[RowNoun]['row'];
}

/** Lists that are on their way know nothing of what is told now. */
async function countTold(tx: StoreWriting<RowTables>, noun: RowNoun, scopes: ReadonlySet<string>): Promise<void> {
  for (const scope of scopes) {
    const pull = await pullIn(tx, scope, noun);
    await tx.put('pulls', { ...pull, told: (pull.told ?? 0) + 1 });
  }
}

/** What went is remembered; a row that only went out of sight may come back as it was. */
async function noteGone(tx: StoreWriting<RowTables>, { changes, now }: FeedPage): Promise<void> {
  const gone = Object.entries(changes).flatMap(([noun, list]) =>
    list.flatMap(({ id, op, version }) => (op === 'put' ? [] : [{ noun, id, version: op === 'del' ? version : version - 1, at: now }])),
  );
  if (gone.length === 0) return;
  await tx.putMany('gone', gone);
  await forgetGone(tx, now);
}

/** Drops the columns of a client, to be pulled anew as far as they may still be seen. */
async function dropClient(tx: StoreWriting<RowTables>, client: string, followed: readonly FollowedScope[]): Promise<void> {
  await dropColumnsToPullAnew(tx, client);
  // what the feed told of may be in no list yet
  const scopes = followed.filter((scope) => clientOf(scope) === client).map(({ key }) => key);
  await resetColumnPulls(tx, scopes);
}

/**
 * Permissions changed: all lists say what there is to see now. What is read in pages is read from the beginning where some of them came
 * since it was heard last who may see what: the rows may have been out of sight by then, and be in sight again.
 */
async function makeAllDue(tx: StoreWriting<RowTables>): Promise<void> {
  // a page may be written while the feed is asked
  const heardAt = (await answersIn(tx)) - 1;
  const isDoubtful = ({ noun, read_after: after }: PullRow): boolean => isColumnNoun(noun) && after !== undefined && after >= heardAt;
  const pulls = await tx.list('pulls');
  await tx.putMany(
    'pulls',
    pulls.map((pull) => (isDoubtful(pull) ? newPull(pull.scope, pull.noun) : { ...admitted(pull), last_complete_at: null })),
  );
}

const columnNounNames: ReadonlySet<string> = new Set(Object.values(columnNouns).map(({ noun }) => noun));
const isColumnNoun = (noun: string): boolean => columnNounNames.has(noun);

/**
 * Writes a page of the feed: all its rows, what was gained and lost, and how far the copy is now, in one transaction.
 * @returns the sets of columns that changed.
 */
export async function applyFeedPage(replica: Replica, page: FeedPage, sets: ClientSets): Promise<SetKey[]> {
  const { before, after, gained, lost, changes } = page;
  const entities = await entitiesAfter(replica, page);
  const lostScopes = before.scopes.filter(({ key }) => lost.includes(key));
  const lostIn = [...lostScopes.map(clientOf), ...lost.flatMap((key) => entities.clientOf.get(idOfScope('entity', key) ?? '') ?? [])];
  const holding = await clientsHolding(replica, lost);
  const dropped = new Set([...lostIn, ...holding.map(({ set }) => set), ...entities.moved.map(({ from }) => from)]);
  const trx = byClient(changes.transactions ?? [], entities);
  // what is dropped is pulled anew, with these changes in it
  for (const client of dropped) trx.sets.delete(client);
  const reset = [...gained.map(({ key }) => key), ...entities.moved.map(({ id }) => scopeKey('entity', id)), ...trx.unknown];
  const nouns = rowNouns.filter((noun) => changes[noun]);
  // whatever lay in a deleted entity, and is hardly told of any more, goes with it; one whose own row alone went out of sight keeps it
  const gone = (changes.entities ?? []).flatMap(({ op, id }) => (op === 'del' ? [scopeKey('entity', id)] : []));

  const write = async (): Promise<void> => {
    const parts = await Promise.all(Array.from(trx.sets, async ([client, change]) => (await sets.transactions(client)).part(change)));
    const isOfAll = lost.length + gone.length + dropped.size > 0;
    const tables: TableName<RowTables>[] = ['pulls', 'meta', 'gone', ...(isOfAll ? rowNouns : nouns)];
    if (dropped.size > 0) tables.push('segments', 'cold', 'manifests', 'counts');
    await writeSets(replica.rows, parts, {
      tables,
      write: async (tx) => {
        for (const noun of nouns) await applyToRows(tx, noun, changes[noun] ?? []);
        await noteGone(tx, page);
        // a list that is on its way was asked for by who might see something else
        const hasNewPermissions = after.perm_version > before.perm_version;
        if (hasNewPermissions || reset.length + lost.length + dropped.size > 0) await countReset(tx);
        if (lost.length > 0) await countPurge(tx);
        await resetPulls(tx, reset);
        await dropScopes(tx, [...lost, ...gone]);
        for (const client of dropped) await dropClient(tx, client, after.scopes);
        if (hasNewPermissions) await makeAllDue(tx);
        await countAnswer(tx);
        await putFeedState(tx, after);
      },
    });
  };
  await sets.without([...dropped], write);
  const touched = [...trx.sets.keys(), ...dropped];
  return touched.map((set) => ({ noun: columnNouns.transactions.noun, set }));
}
