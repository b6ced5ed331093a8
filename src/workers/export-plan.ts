import { formatDate, type TimeZone } from '#domain/dates.ts';
import { filterWords } from '#domain/filter-words.ts';
import type { TransactionNames } from '#domain/transaction-cells.ts';
import type { FilePlan } from '#domain/transaction-files.ts';
import { copyStanding } from '#replica/apply.ts';
import { scopeKey } from '#replica/scopes.ts';
import { readLastSync } from '#replica/kept.ts';
import { accountsOf, byName, clientsOf, custodiansOf, entitiesOf, securitiesOf } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
import type { ExportRequest, GridQuery } from './start.ts';
import type { TakenRows } from './taken-rows.ts';

type Names = TransactionNames & { client: string };

async function namesOf(replica: Replica, clientIds: readonly string[]): Promise<Names> {
  const [clients, entities, custodians, securities, accounts] = await Promise.all([
    clientsOf(replica),
    entitiesOf(replica),
    custodiansOf(replica),
    securitiesOf(replica),
    Promise.all(clientIds.map((client_id) => accountsOf(replica, { client_id }))),
  ]);
  return {
    client: clients.flatMap((client) => (clientIds.includes(client.id) ? [client.client_name] : [])).join(', '),
    entity: new Map(entities.map((row) => [row.id, row])),
    account: new Map(accounts.flat().map((row) => [row.id, row])),
    custodian: new Map(custodians.map((row) => [row.id, row])),
    security: new Map(securities.map((row) => [row.id, row])),
  };
}

/** How fresh the rows are, and which are not here: what the status line says on the screen. */
async function freshness(replica: Replica, { clientIds, filter, zone }: GridQuery): Promise<{ synced: string; missing: string | null }> {
  const [asOf, { pulls, entities }] = await Promise.all([readLastSync(replica), copyStanding(replica)]);
  const isMeant = ({ id, client_id }: { id: string; client_id: string }): boolean =>
    clientIds.includes(client_id) && (filter.entity_ids.length === 0 || filter.entity_ids.includes(id));
  const whole = new Set(pulls.filter(({ noun, phase }) => noun === 'transactions' && phase === 'steady').map(({ scope }) => scope));
  const partial = byName(entities).filter((entity) => isMeant(entity) && !whole.has(scopeKey('entity', entity.id)));
  const synced = asOf === null ? 'never' : inZone(asOf, zone);
  const names = partial.map(({ entity_name }) => entity_name).join(', ');
  return { synced, missing: partial.length === 0 ? null : `Older rows of ${names} were not all on this device` };
}

function inZone(ms: number, zone: TimeZone): string {
  return `${formatDate(ms, zone)} (${zone})`;
}

/**
 * What a file of some rows is made of, and what rows it lacks, in words; null where it lacks none.
 * @param now when it is made, UTC milliseconds.
 */
export async function planOf(
  replica: Replica,
  request: ExportRequest,
  { totals, pending }: TakenRows,
  now: number,
): Promise<{ plan: FilePlan; missing: string | null }> {
  const { query, columns } = request;
  const { filter, sort, zone, clientIds } = query;
  const [names, { synced, missing }] = await Promise.all([namesOf(replica, clientIds), freshness(replica, query)]);
  const entities = filter.entity_ids.map((id) => names.entity.get(id)?.entity_name ?? id).join(', ');
  const rows = pending.toLocaleString('en-US');
  const about: [string, string][] = [
    ['Transactions', 'made by Tieout'],
    ['Client', names.client],
    ['Entity', entities === '' ? 'all' : entities],
    ...filterWords(filter, sort, names, zone),
    ['Rows', totals.count.toLocaleString('en-US')],
    ['Time zone', zone],
    ['Made at', inZone(now, zone)],
    ['Last sync', synced],
    ...(missing === null ? [] : [['Still fetched', missing] as [string, string]]),
    [
      'Pending edits',
      pending === 0 ? 'none' : `${rows} of these rows ${pending === 1 ? 'shows' : 'show'} an edit the server has not confirmed yet`,
    ],
  ];
  return { plan: { columns, zone, names, madeAt: now, about, totals }, missing };
}
