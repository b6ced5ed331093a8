import { matchStates } from '#contract/transaction-codes.ts';
import { amountLabel } from './amount-words.ts';
import { type TimeZone, writtenDay } from './dates.ts';
import { transactionColumns, type TransactionNames } from './transaction-cells.ts';
import type {
  AmountField,
  FieldFilter,
  FlagField,
  ListField,
  SortField,
  SortState,
  TextField,
  TransactionFilter,
} from './transaction-filter.ts';
import { typeCategories, typeName } from './transaction-types.ts';
import { matchWord } from './transaction-words.ts';

const fieldWords: Record<ListField | AmountField | TextField | FlagField, string> = {
  account: 'Account',
  security: 'Security',
  type: 'Type',
  custodian: 'Custodian',
  match_state: 'Match',
  quantity: 'Quantity',
  price: 'Price',
  usd_value: 'USD value',
  fee_quantity: 'Fee',
  fee_usd: 'Fee USD',
  tx_hash: 'Tx hash',
  from_address: 'From',
  to_address: 'To',
  description: 'Description',
  manual_trx: 'Manual',
  updated_trx: 'Updated',
  unpriced_trx: 'Unpriced',
  is_unidentified: 'Unidentified',
};

/** Names listed in full; of more the rest is counted. */
const listed = 50;

function sortWord(field: SortField): string {
  return transactionColumns.find((column) => column.sort === field)?.label ?? (field === 'fee_usd' ? fieldWords.fee_usd : field);
}

/** What a value of a list field is called; undefined where nobody here knows it. */
export function nameOfValue(field: ListField, value: string, names: TransactionNames): string | undefined {
  switch (field) {
    case 'account':
      return names.account.get(value)?.account_name;
    case 'security':
      return names.security.get(value)?.ticker;
    case 'custodian':
      return names.custodian.get(value)?.custodian_name;
    case 'type':
      return typeCategories.find(({ id }) => String(id) === value)?.name ?? typeName(Number(value));
    case 'match_state': {
      const state = matchStates.find((known) => known === value);
      return state && matchWord(state);
    }
  }
}

function valueWord(field: ListField, value: string, names: TransactionNames): string {
  return value === '' ? 'none' : (nameOfValue(field, value, names) ?? value);
}

function some(words: readonly string[]): string {
  const more = words.length - listed;
  return words.slice(0, listed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function fieldWord(filter: FieldFilter, names: TransactionNames): [string, string] {
  const label = fieldWords[filter.field];
  const not = filter.kind !== 'flag' && filter.not ? 'not ' : '';
  switch (filter.kind) {
    case 'list':
      return [label, not + some(filter.values.map((value) => valueWord(filter.field, value, names)))];
    case 'text':
      return [label, `${filter.not ? 'does not contain' : 'contains'} "${filter.contains}"`];
    case 'flag':
      return [label, filter.is ? 'only these' : 'not these'];
    case 'amount':
      return [label, amountLabel({ range: filter.range, not: filter.not === true }) + (filter.range.size ? ', whatever the sign' : '')];
  }
}

function dayWords({ from, to }: TransactionFilter, zone: TimeZone): string {
  if (from === null && to === null) return 'all';
  return `${from === null ? '' : `from ${writtenDay(from)} `}${to === null ? '' : `to ${writtenDay(to)} inclusive `}(${zone})`;
}

/** What a list is narrowed to and sorted by, in words: pairs of a name and what it is. */
export function filterWords(
  filter: TransactionFilter,
  sort: readonly SortState[],
  names: TransactionNames,
  zone: TimeZone,
): [string, string][] {
  const order = sort.map(({ field, ascending }) => `${sortWord(field)} ${ascending ? 'ascending' : 'descending'}`).join(', then ');
  return [
    ['Dates', dayWords(filter, zone)],
    ...filter.fields.map((field) => fieldWord(field, names)),
    ...(filter.text.trim() === '' ? [] : [['Search', filter.text.trim()] as [string, string]]),
    ...(filter.hashes.length === 0 ? [] : [['Hashes and ids', some(filter.hashes)] as [string, string]]),
    ['Order', order === '' ? 'Date descending' : order],
  ];
}
