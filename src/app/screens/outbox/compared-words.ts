import { exactAmount } from '#domain/amounts.ts';
import type { Membership } from '#contract/users.ts';
import { entityTypes } from '#contract/entities.ts';
import type { MatchState } from '#contract/transaction-codes.ts';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import { matchWord } from '#domain/transaction-words.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { typeName } from '#domain/transaction-types.ts';
import type { ComparedField, Conflict } from '#replica/conflicts.ts';
import { entityLabels } from '#app/screens/entities/entity-labels.ts';
import { isSameValue } from '#replica/merge.ts';
import { filterText, type TickerOf } from './filter-text.ts';

/** What the values of a row are told by. */
export interface ValueNames {
  zone: TimeZone;
  ticker: TickerOf;
  numbers?: NumberStyle;
  /** What an organization, a client or an entity is called; undefined where it is not on this device. */
  place: (id: string) => string | undefined;
}

const labels: Readonly<Record<string, string>> = {
  ...entityLabels,
  client_name: 'Client Name',
  match_state: 'Match',
  quantity: 'Quantity',
  security_id: 'Security',
  is_spam: 'Kept as',
  trx_type_id: 'Type',
  trx_date: 'Date',
  name: 'Name',
  list: 'List',
  search: 'Filter',
  is_enabled: 'Account',
  memberships: 'Roles',
  client_ids: 'Clients assigned',
  entity_ids: 'Entities assigned',
};

export function comparedLabel(name: string): string {
  return labels[name] ?? name;
}

/** A list of what there is, in words. */
function listOf<Item = Membership>(value: unknown, words: (item: Item) => string): string {
  return Array.isArray(value) ? value.map((item) => words(item as Item)).join(', ') || 'None' : 'None';
}

/** A value of a compared field as the rest of the app writes it. */
export function comparedText(name: string, value: unknown, { zone, ticker, place, numbers }: ValueNames): string {
  if (value === null || value === undefined || value === '') return name === 'security_id' ? 'Unidentified' : 'None';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  switch (name) {
    case 'security_id':
      return ticker(text) ?? text;
    case 'match_state':
      return matchWord(text as MatchState);
    case 'quantity':
      return exactAmount(text, numbers);
    case 'trx_type_id':
      return typeName(Number(value));
    case 'trx_date':
      return `${formatDate(Date.parse(text), zone)} ${zone}`;
    case 'search':
      return filterText(text, ticker);
    case 'entity_type_id':
      return entityTypes[Number(value)] ?? text;
    case 'is_enabled':
      return value === true ? 'Enabled' : 'Disabled';
    case 'memberships':
      return listOf(value, (one) => `${one.role_id} in ${place(one.organization_id) ?? one.organization_id}`);
    case 'client_ids':
    case 'entity_ids':
      return listOf(value, (id: string) => place(id) ?? id);
    case 'is_spam':
      return value === true ? 'Spam' : 'Archived';
    case 'active':
      return value === true ? 'Active' : 'Inactive';
    default:
      return text;
  }
}

/** What becomes of a field that needs no decision of its own; null for one that does. */
export function fateWords({ isOpen, base, theirs }: ComparedField): string | null {
  if (isOpen) return null;
  return isSameValue(base, theirs) ? 'Goes if you take theirs' : 'Stays if you keep mine';
}

/** What there is to know before one decides. */
export function conflictWords({ mine, theirs, fields, isChangeAlone }: Conflict): string {
  if (theirs === null && isChangeAlone)
    return 'Somebody deleted this meanwhile, or you may not see it any more: your edit has nothing left to change. Keep mine asks the server once more; Take theirs lets your edit go.';
  if (theirs === null) return 'Somebody deleted this meanwhile. Keep mine makes it again as you have it; Take theirs leaves it deleted.';
  if (mine === null) return 'Somebody changed this meanwhile. Keep mine deletes it all the same; Take theirs keeps it.';
  const decision = fields.find(({ name }) => name === 'match_state');
  if (decision && decision.mine !== null && isSameValue(decision.mine, decision.theirs))
    return 'Both say the same, perhaps with another counterpart. Keep mine sends yours in place of theirs; Take theirs lets yours go.';
  return 'Keep mine sends your edit over theirs; Take theirs lets your edit go.';
}
