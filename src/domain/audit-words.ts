import { exactAmount } from './amounts.ts';
import { type NumberStyle, usualNumbers } from './number-style.ts';
import type { AuditAction, AuditEntry } from '#contract/audit.ts';
import type { MatchState } from '#contract/transaction-codes.ts';
import { formatDate, type TimeZone } from './dates.ts';
import { matchWord } from './transaction-words.ts';
import { typeName } from './transaction-types.ts';

/** What the values of an entry are told by. */
export interface AuditNames {
  zone: TimeZone;
  /** What a row with this id is called; undefined where it is not on this device. */
  nameOf: (id: string) => string | undefined;
  /** Only the screen has a style of its own. */
  numbers?: NumberStyle;
}

const nounWords: Readonly<Record<string, string>> = {
  organizations: 'organization',
  clients: 'client',
  entities: 'entity',
  accounts: 'account',
  custodians: 'custodian',
  securities: 'security',
  custodian_securities: 'custodian symbol',
  transactions: 'transaction',
  transaction_matches: 'match',
  users: 'user',
  user_invitations: 'invitation',
  device_removals: 'removal from a device',
  roles: 'role',
  organization_members: 'member',
  client_assignments: 'client assignment',
  entity_assignments: 'entity assignment',
  archived_assets: 'archived asset',
};

/** What one row of a table is called; a table this build does not know keeps its name. */
export function nounWord(noun: string): string {
  return nounWords[noun] ?? noun.replaceAll('_', ' ');
}

const verbs: Readonly<Record<AuditAction, string>> = { create: 'Created', update: 'Changed', delete: 'Deleted' };

export function actionWord(action: AuditAction): string {
  return verbs[action];
}

/** What is said otherwise than `Created client Alpha`; the row's title goes where the braces are. */
const ownWords: Readonly<Record<string, Partial<Record<AuditAction, string>>>> = {
  organization_members: { create: 'Added member {}', delete: 'Removed member {}' },
  user_invitations: { create: 'Invited {}', update: 'Invited {} again', delete: 'Ended the invitation of {}' },
  device_removals: {
    create: 'Ordered that the copy of {} goes from a device',
    update: 'Removed the copy of {} from a device',
    delete: 'Cancelled that the copy of {} goes from a device',
  },
  client_assignments: { create: 'Assigned {} to the client', delete: 'Unassigned {} from the client' },
  entity_assignments: { create: 'Assigned {} to the entity', delete: 'Unassigned {} from the entity' },
  archived_assets: { create: 'Archived asset {}', update: 'Archived asset {}', delete: 'Unarchived asset {}' },
};

/** What an entry tells, as a sentence: `Changed entity Alpha Fund`. */
export function entryWords(
  { noun, action, title, after }: Pick<AuditEntry, 'noun' | 'action' | 'title'> & Partial<Pick<AuditEntry, 'after'>>,
  numbers = usualNumbers,
): string {
  const isSpam = noun === 'archived_assets' && after?.is_spam === true;
  const words = isSpam ? 'Marked {} as spam' : (ownWords[noun]?.[action] ?? `${verbs[action]} ${nounWord(noun)} {}`);
  // what is no name is an amount with its unit
  const isAmount = noun === 'transactions' || noun === 'transaction_matches';
  const name = isAmount ? title?.replace(/^-?\d+(\.\d+)?(?= |$)/, (amount) => exactAmount(amount, numbers)) : title;
  // a row may be called anything, a sign of the replacement's own, too
  return words
    .replace('{}', () => name ?? '')
    .replace(/ {2,}/, ' ')
    .trim();
}

/** Who made a change; nobody signed in made those of the program itself. */
export function personWords({ user_id, user_email }: Pick<AuditEntry, 'user_id' | 'user_email'>): string {
  return user_email ?? (user_id === null ? 'System' : 'Unknown user');
}

/** Where a change was made: the entity and its client, as far as they may be named. */
export function placeWords({ client_name, entity_name }: Pick<AuditEntry, 'client_name' | 'entity_name'>): string {
  return [entity_name, client_name].filter(Boolean).join(', ') || '–';
}

const labels: Readonly<Record<string, string>> = {
  trx_type_id: 'Type',
  trx_date: 'Date',
  tx_hash: 'Tx hash',
  usd_value: 'USD value',
  fee_quantity: 'Fee',
  fee_usd: 'Fee in USD',
  match_state: 'Match',
  manual_trx: 'Manual',
  updated_trx: 'Updated',
  unpriced_trx: 'Unpriced',
  out_trx_id: 'Outgoing transaction',
  in_trx_id: 'Incoming transaction',
  fund_id: 'Fund ID',
  portfolio_id: 'Portfolio ID',
  dart_security_id: 'DART security ID',
  zip_code: 'ZIP code',
};

/** A field as people call it: `entity_name` is Entity name, `is_enabled` is Enabled. */
export function fieldWord(field: string): string {
  const words = labels[field] ?? field.replace(/^is_/, '').replace(/_id$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const amounts: ReadonlySet<string> = new Set(['quantity', 'price', 'usd_value', 'fee_quantity', 'fee_usd', 'quantity_difference']);
const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function valueWords(noun: string, field: string, value: unknown, { zone, nameOf, numbers }: AuditNames): string {
  if (value === null || value === undefined || value === '') return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (field === 'trx_type_id') return typeName(Number(value));
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(String).join(', ');
  if (typeof value === 'object') {
    const told = Object.entries(value).map(([key, part]) => `${fieldWord(key)}: ${valueWords(noun, key, part, { zone, nameOf })}`);
    return told.join(', ') || 'None';
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field === 'match_state' || (noun === 'transaction_matches' && field === 'state')) return matchWord(value as MatchState) || value;
  if (amounts.has(field)) return exactAmount(value, numbers);
  if (momentPattern.test(value)) return `${formatDate(Date.parse(value), zone)} ${zone}`;
  if (field === 'password' || field === 'token') return value === 'changed' ? 'Changed' : 'Set';
  return nameOf(value) ?? value;
}

/** One field of an entry in words; null on the side where there was no row. */
export interface AuditChange {
  field: string;
  label: string;
  before: string | null;
  after: string | null;
}

/** What says nothing to a person: the row's own key, when it was made, and, where it was made or deleted, what it has none of. */
function isTold({ action, before, after }: AuditEntry, field: string): boolean {
  if (action === 'update') return true;
  const value = (action === 'create' ? after : before)?.[field];
  return !['id', 'created_at'].includes(field) && value !== null && value !== undefined && value !== '';
}

/** By whom and how a decision was made says less than what was decided. */
const stamps: ReadonlySet<string> = new Set(['decided_at', 'decided_by', 'source']);

/** The fields an entry tells of, in the order of their names in words, stamps last. */
export function changesOf(entry: AuditEntry, names: AuditNames): AuditChange[] {
  const { noun, before, after } = entry;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((field) => isTold(entry, field));
  const side = (row: AuditEntry['before'], field: string) => (row === null ? null : valueWords(noun, field, row[field], names));
  return fields
    .map((field) => ({ field, label: fieldWord(field), before: side(before, field), after: side(after, field) }))
    .sort((a, b) => Number(stamps.has(a.field)) - Number(stamps.has(b.field)) || (a.label < b.label ? -1 : 1));
}
