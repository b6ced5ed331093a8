import { openCalendar } from './calendar.ts';
import { openAccounts } from './demo-accounts.ts';
import { type Figures, openFigures } from './demo-figures.ts';
import { demoIdOf, type EntityPlan, organizationPlans } from './demo-places.ts';
import { openSymbols, type Symbols } from './demo-symbols.ts';
import { type Cast, type Chunk, openTransactions } from './demo-transactions.ts';

export interface WorldOptions {
  /** How many transactions. */
  transactions: number;
  /** The moment the demo ends, in milliseconds. */
  now: number;
  /** Another seed, another story; the same places and people. */
  seed?: number;
}

/** The whole demo: small tables as rows, the large ones as chunks still to be written. */
export interface World {
  organizations: { id: string; name: string }[];
  clients: { id: string; organization_id: string; client_name: string }[];
  entities: ReturnType<typeof entityRow>[];
  accounts: Cast['holders'][number]['row'][];
  symbols: Symbols['rows'];
  figures: Figures;
  /** Every call starts the same story again. */
  chunks(): Generator<Chunk>;
}

function entityRow(plan: EntityPlan, clientName: string, order: number, now: number) {
  const [city, state, zip_code, country] = plan.place;
  return {
    id: demoIdOf.entity(plan.name),
    client_id: demoIdOf.client(clientName),
    entity_name: plan.name,
    entity_type_id: /Trust|Foundation/.test(plan.name) ? 2 : /LP|SPC|Fund/.test(plan.name) ? 1 : /LLC|Ltd/.test(plan.name) ? 3 : 4,
    portfolio_id: `P-${10_100 + order * 7}`,
    fund_id: plan.accountingSystemId === 3 ? `F${200 + order}` : null,
    state,
    city,
    zip_code,
    country,
    accounting_system_id: plan.accountingSystemId,
    active: plan.active ?? true,
    last_update: new Date(now - order * 60_000),
  };
}

/** Opens the demo of a day and a seed. The same options give the same rows to the last digit. */
export function openWorld({ transactions, now, seed = 1 }: WorldOptions): World {
  const calendar = openCalendar(now);
  const clientPlans = organizationPlans.flatMap((organization) =>
    organization.clients.map((client) => ({ ...client, organization: organization.name })),
  );
  const entityPlans = clientPlans.flatMap((client) => client.entities.map((plan) => ({ plan, client: client.name })));
  const casts = entityPlans.map(({ plan }, order): Cast => ({ plan, holders: openAccounts(plan, order, calendar, seed) }));
  const holders = casts.flatMap((cast) => cast.holders);
  const symbols = openSymbols(holders);
  return {
    organizations: organizationPlans.map(({ name }) => ({ id: demoIdOf.organization(name), name })),
    clients: clientPlans.map(({ name, organization }) => ({
      id: demoIdOf.client(name),
      organization_id: demoIdOf.organization(organization),
      client_name: name,
    })),
    entities: entityPlans.map(({ plan, client }, order) => entityRow(plan, client, order, now)),
    accounts: holders.map(({ row }) => row),
    symbols: symbols.rows,
    figures: openFigures(casts, calendar, seed),
    chunks: () => openTransactions(casts, symbols, calendar, { total: transactions, seed }),
  };
}
