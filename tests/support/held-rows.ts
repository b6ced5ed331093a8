import type { BrowserContext, JSHandle, Page } from 'playwright';
import { type ApiCall, createClient } from '#api-client/call.ts';
import { listClients } from '#contract/clients.ts';
import { listEntities } from '#contract/entities.ts';
import { listTransactions, type Transaction } from '#contract/transactions.ts';
import { largestPage } from '#contract/wire.ts';
import { isGoneRow, storedRows } from '#replica/cold-rows.ts';
import type { Draft, OutboxRow, Receipt } from '#replica/outbox-tables.ts';
import type { PullRow } from '#replica/pulls.ts';
import type { ColdRecord, CountsRecord } from '#replica/row-tables.ts';
import { streams } from '#workers/streams.ts';
import { apartIn, copiesIn } from './databases.ts';

type Row = { id: string } & Record<string, unknown>;

/** Rows by noun, each noun's in the order of their ids. */
export type RowsByNoun = Record<string, Row[]>;

/** Everything of some tables of whoever is signed in, in one of this browser's databases; nothing where there is none. */
async function tablesIn(
  page: Page,
  place: JSHandle<IDBFactory>,
  prefix: string,
  tables: readonly string[],
): Promise<Record<string, unknown[]>> {
  return page.evaluate(
    async ([factory, start, names]) => {
      const name = (await factory.databases()).map((one) => one.name ?? '').find((one) => one.startsWith(start));
      if (name === undefined) return {};
      let database: IDBDatabase | null = null;
      // functions that have a name are not known to a page where the tests' own loader names them
      for (let triesLeft = 5; database === null; triesLeft -= 1) {
        database = await new Promise<IDBDatabase | null>((resolve, reject) => {
          const request = factory.open(name);
          request.onsuccess = () => resolve(request.result);
          // Chromium says so at times of a database that it opens a moment later, soon after it was killed
          request.onerror = () =>
            request.error?.name === 'UnknownError' && triesLeft > 0
              ? setTimeout(() => resolve(null), 200)
              : reject(request.error ?? new Error('not opened'));
        });
      }
      const transaction = database.transaction([...names], 'readonly');
      const listed = names.map(
        (table) =>
          new Promise<[string, unknown[]]>((resolve, reject) => {
            const request = transaction.objectStore(table).getAll();
            request.onsuccess = () => resolve([table, request.result as unknown[]]);
            request.onerror = () => reject(request.error ?? new Error('not read'));
          }),
      );
      const read = await Promise.all(listed);
      database.close();
      return Object.fromEntries(read);
    },
    [place, prefix, tables] as const,
  );
}

function byId(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** All rows of the copy in a page's browser. Of a transaction that was written again only the latest counts; `written` counts all. */
export async function heldRows(page: Page): Promise<{ rows: RowsByNoun; written: number }> {
  const nouns = streams.map(({ noun }) => noun);
  const tables = await tablesIn(page, await copiesIn(page), 'tieout-replica-', [...nouns, 'cold']);
  const records = ((tables.cold ?? []) as ColdRecord[]).toSorted((a, b) => a.no - b.no);
  const transactions = records.filter(({ noun }) => noun === 'transactions').flatMap((record) => storedRows<Row>(record).all());
  const latest = [...new Map(transactions.map((row) => [row.id, row])).values()].filter((row) => !isGoneRow(row));
  const listed = nouns.map((noun): [string, Row[]] => [
    noun,
    byId(
      (tables[noun] ?? []).map((row) => Object.fromEntries(Object.entries(row as Row).filter(([field]) => !field.startsWith('_'))) as Row),
    ),
  ]);
  return { rows: { ...Object.fromEntries(listed), transactions: byId(latest) }, written: transactions.length };
}

/** How each pull in a page's browser stands. */
export async function heldPulls(page: Page): Promise<PullRow[]> {
  const { pulls = [] } = await tablesIn(page, await copiesIn(page), 'tieout-replica-', ['pulls']);
  return pulls as PullRow[];
}

/** What was typed into forms and is kept in a page's browser. */
export async function heldDrafts(page: Page): Promise<Draft[]> {
  const { drafts = [] } = await tablesIn(page, await apartIn(page), 'tieout-outbox-', ['drafts']);
  return drafts as Draft[];
}

/** How many rows of a noun the copy in a page's browser says it holds of each scope. */
export async function heldCounts(page: Page, noun: string): Promise<ReadonlyMap<string, number>> {
  const { counts = [] } = await tablesIn(page, await copiesIn(page), 'tieout-replica-', ['counts']);
  return new Map((counts as CountsRecord[]).filter((record) => record.noun === noun).flatMap(({ rows }) => Object.entries(rows)));
}

/** What waits in the outbox of a page's browser, and what is settled. */
export async function heldEdits(page: Page): Promise<{ edits: OutboxRow[]; receipts: Receipt[] }> {
  const { mutations = [], receipts = [] } = await tablesIn(page, await apartIn(page), 'tieout-outbox-', ['mutations', 'receipts']);
  return { edits: mutations as OutboxRow[], receipts: receipts as Receipt[] };
}

/** A call with the cookies of a browser, past its pages. */
export function callOf({ request }: BrowserContext, url: string): ApiCall {
  return createClient({
    baseUrl: `${url}/api`,
    fetch: async (input, init) => {
      const [method, headers] = [init?.method ?? 'GET', Object.fromEntries(new Headers(init?.headers))];
      const answer = await request.fetch(String(input), {
        method,
        headers,
        ...(typeof init?.body === 'string' ? { data: init.body } : {}),
      });
      return new Response(new Uint8Array(await answer.body()), { status: answer.status(), headers: answer.headers() });
    },
  });
}

async function wholeList(read: (skip: number) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read(rows.length);
    rows.push(...page);
    if (page.length === 0) return rows;
  }
}

/** All rows the server has for whoever is signed in, asked of its calls in pages by number while nothing changes. */
export async function servedRows(call: ApiCall): Promise<RowsByNoun> {
  const clients = await call(listClients, { limit: largestPage });
  const entities = await call(listEntities, { limit: largestPage });
  const scopes = { user: [''], client: clients.map(({ id }) => id), entity: entities.map(({ id }) => id) };
  const served: RowsByNoun = {};
  for (const { noun, per, endpoint, inputs } of streams) {
    const rows: Row[] = [];
    for (const input of scopes[per].flatMap(inputs)) {
      const { paging } = endpoint;
      const page = async (skip: number): Promise<Row[]> => {
        if (paging?.by === 'single' && skip > 0) return [];
        const place = paging?.by === 'single' ? {} : { [paging?.by === 'offset' ? 'offset' : 'skip']: skip };
        return (await call(endpoint, { ...input, ...place, limit: paging?.limit })) as Row[];
      };
      rows.push(...(await wholeList(page)));
    }
    served[noun] = byId([...new Map(rows.map((row) => [row.id, row])).values()]);
  }
  const transactions = scopes.entity.map((entity_id) =>
    wholeList((skip) => call(listTransactions, { entity_id, start_date: '1970-01-01', newest_first: true, skip, limit: largestPage })),
  );
  return { ...served, transactions: byId((await Promise.all(transactions)).flat()) };
}

/** The transactions among some rows. */
export function transactionsIn(rows: RowsByNoun): Transaction[] {
  return (rows.transactions ?? []) as unknown as Transaction[];
}
