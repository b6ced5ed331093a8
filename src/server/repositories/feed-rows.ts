import { sql } from 'drizzle-orm';
import type { FeedNoun } from '#contract/feed.ts';
import { type Db, inIds, rowsOf } from '#server/database/open.ts';
import { accountsById } from './accounts.ts';
import { archivedAssetsById } from './archived-assets.ts';
import { custodiansById } from './custodians.ts';
import { clientsById } from './clients.ts';
import { entitiesById } from './entities.ts';
import { organizationsById } from './organizations.ts';
import { viewsById } from './saved-views.ts';
import { securitiesById } from './securities.ts';
import { matchesById } from './transaction-matches.ts';
import { selectTransactions } from './transactions.ts';
import { valueHistoriesById } from './value-histories.ts';
import { usersById } from './users.ts';
import type { Viewer } from './visibility.ts';
import { worklistsById } from './worklists.ts';

/** A row as its list call answers it. */
export interface FeedRow {
  id: string;
  version: number;
  [field: string]: unknown;
}

type ReadRows = (db: Db, viewer: Viewer, ids: readonly string[]) => Promise<FeedRow[]>;

/** How the rows of each noun that somebody may see are read by id: as its list call reads them. */
const readers: Record<FeedNoun, ReadRows> = {
  organizations: organizationsById,
  clients: clientsById,
  entities: entitiesById,
  archived_assets: archivedAssetsById,
  custodians: (db, _viewer, ids) => custodiansById(db, ids),
  securities: (db, _viewer, ids) => securitiesById(db, ids),
  saved_views: (db, viewer, ids) => viewsById(db, viewer.id, ids),
  users: usersById,
  accounts: accountsById,
  entity_worklists: worklistsById,
  value_histories: valueHistoriesById,
  transactions: (db, viewer, ids) => selectTransactions(db, viewer, { ids }),
  transaction_matches: matchesById,
};

/** Those of some rows of a noun the viewer may see, as they are now, by id. */
export async function rowsNow(db: Db, viewer: Viewer, noun: FeedNoun, ids: readonly string[]): Promise<Map<string, FeedRow>> {
  const rows = await readers[noun](db, viewer, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Nouns whose deleted rows stay in the database, marked. */
const outlivesDeletion: ReadonlySet<FeedNoun> = new Set(['organizations', 'clients', 'entities']);

/** Which of some rows there are, whoever may see them; of views, the person's alone. */
export async function existingIds(db: Db, viewer: Viewer, noun: FeedNoun, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const mine = noun === 'saved_views' ? sql`r.user_id = ${viewer.id}::uuid` : sql`true`;
  const isHere = outlivesDeletion.has(noun) ? sql`r.deleted_at is null` : sql`true`;
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select r.id::text as id from ${sql.identifier(noun)} r where ${inIds(sql`r.id`, ids)} and ${mine} and ${isHere}`,
  );
  return new Set(rows.map((row) => row.id));
}

/** The scope a row belongs to now, as the client names it. */
export function scopeOfRow(noun: FeedNoun, row: FeedRow): string {
  if (noun === 'accounts' || noun === 'entity_worklists' || noun === 'value_histories') return `client:${String(row.client_id)}`;
  if (noun === 'transactions' || noun === 'transaction_matches') return `entity:${String(row.entity_id)}`;
  return 'user';
}
