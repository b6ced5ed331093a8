import { type Calendar, dayMs } from './calendar.ts';
import { newAddress } from './chains.ts';
import { railOf } from './demo-assets.ts';
import { type Menu, menuOf, type Seat, seatOf } from './demo-menus.ts';
import { type AccountKind, demoIdOf, type EntityPlan } from './demo-places.ts';
import { idAt } from './ids.ts';
import { openRandom, type Random } from './random.ts';
import { custodianIdOf } from './reference.ts';

/** An account and what the story needs to know of it beyond its row. On a chain the first asset pays the gas. */
export interface Holder extends Menu {
  row: AccountRow;
  kind: AccountKind;
  custodian: string;
  /** How often something happens in it, against the entity's other accounts. */
  weight: number;
  /** Nothing happens before or after, in milliseconds. */
  from: number;
  until: number;
}

interface AccountRow {
  id: string;
  entity_id: string;
  custodian_id: string;
  parent_account_id: string | null;
  account_name: string;
  account_integration_type_id: number;
  account_type_id: number;
  blockchain: string | null;
  address: string | null;
  currency: string | null;
  is_inactive: boolean;
  last_update: Date;
  created_at: Date;
}

/** Account integration type and account type of a kind, how busy its first account is, and what its accounts are called. */
const kinds: Readonly<Record<AccountKind, { integration: number; type: number; weight: number; called: string }>> = {
  exchange: { integration: 1, type: 1, weight: 10, called: 'main' },
  blockchain: { integration: 2, type: 3, weight: 5, called: 'wallet' },
  defi: { integration: 2, type: 2, weight: 6, called: 'DeFi' },
  bank: { integration: 3, type: 1, weight: 2.5, called: 'operating' },
  digital: { integration: 4, type: 1, weight: 0.8, called: 'vault' },
  liquid: { integration: 5, type: 1, weight: 0.6, called: 'liquid assets' },
  traditional: { integration: 6, type: 1, weight: 0.7, called: 'brokerage' },
  saft: { integration: 7, type: 1, weight: 0.2, called: 'SAFTs' },
};
/** A sub-account is found by mapping, not by credentials of its own. */
const mappingType = 4;

/** Accounts number three and five at exchanges are desks under the first. */
function isDesk(kind: AccountKind, position: number): boolean {
  return kind === 'exchange' && (position === 2 || position === 4);
}

/** When an account was open: some of the later ones opened on the way, and the last wallet of every second entity is closed. */
function lifeOf(calendar: Calendar, random: Random, late: boolean, closed: boolean): { from: number; until: number } {
  const from = late && random.chance(0.5) ? calendar.start + random.below(500) * dayMs : calendar.start;
  return { from, until: closed ? calendar.now - (60 + random.below(300)) * dayMs : calendar.now };
}

/** How much longer ago than usual an account was last updated, in milliseconds: of a few it was days. */
function lateness(random: Random): number {
  return random.chance(0.07) ? (4 + random.below(20)) * dayMs : 0;
}

function nameOf(seat: Seat, address: string | null, desk: string | null): string {
  if (desk !== null) return `${seat.custodian} ${desk}`;
  const detail = address === null ? seat.currency : `${address.slice(0, 6)}…${address.slice(-4)}`;
  return `${seat.custodian} ${kinds[seat.kind].called}${detail === null ? '' : ` ${detail}`}`;
}

/**
 * The accounts of an entity.
 * @param order the entity's number in the demo.
 */
export function openAccounts(plan: EntityPlan, order: number, calendar: Calendar, seed: number): Holder[] {
  const random = openRandom(`${seed}/accounts/${plan.name}`);
  const freshness = openRandom(`${seed}/freshness/${plan.name}`);

  function open(kind: AccountKind, position: number, main: Holder | undefined): Holder {
    const parent = isDesk(kind, position) ? main : undefined;
    const seat = seatOf(kind, parent ? 0 : position, order, plan.chains);
    const closed = kind === 'blockchain' && position > 0 && position + 1 === plan.accounts[kind] && order % 2 === 0;
    const { from, until } = lifeOf(calendar, random, position > 0, closed);
    const address = seat.chain === null ? null : newAddress(random, railOf(seat.chain));
    const row: AccountRow = {
      id: idAt(from, random),
      entity_id: demoIdOf.entity(plan.name),
      custodian_id: custodianIdOf(seat.custodian),
      parent_account_id: parent?.row.id ?? null,
      account_name: nameOf(seat, address, parent ? `desk ${position / 2}` : null),
      account_integration_type_id: kinds[kind].integration,
      account_type_id: parent ? mappingType : kinds[kind].type,
      blockchain: seat.chain,
      address,
      currency: seat.currency,
      is_inactive: closed,
      last_update: new Date((closed ? until : calendar.now - random.below(180) * 60_000) - lateness(freshness)),
      created_at: new Date(from),
    };
    const weight = kinds[kind].weight / (1 + position * 0.6);
    return { row, kind, custodian: seat.custodian, ...menuOf(seat, random), weight, from, until };
  }

  return (Object.keys(kinds) as AccountKind[]).flatMap((kind) => {
    const holders: Holder[] = [];
    for (let position = 0; position < (plan.accounts[kind] ?? 0); position++) holders.push(open(kind, position, holders[0]));
    return holders;
  });
}
