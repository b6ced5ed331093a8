import { nameOfValue } from '#domain/filter-words.ts';
import type { ListField } from '#domain/transaction-filter.ts';
import { readField } from '#app/screens/transactions/field-text.ts';
import { filterFields } from '#app/screens/transactions/filter-fields.ts';

/** What a security is called; undefined where it is not on this device. */
export type TickerOf = (id: string) => string | undefined;

const unnamed = { entity: new Map(), account: new Map(), custodian: new Map(), security: new Map() };

function valueText(field: ListField, value: string, ticker: TickerOf): string {
  if (value === '') return 'none';
  return (field === 'security' ? ticker(value) : nameOfValue(field, value, unnamed)) ?? value;
}

/** One part of a filter: values that have words in those, anything else as it stands. */
function partText(name: string, text: string, ticker: TickerOf): string {
  const field = filterFields.find(({ key }) => key === name);
  const filter = field?.kind === 'list' ? readField(field, text).filter : null;
  if (filter?.kind !== 'list') return text;
  return `${filter.not ? 'not ' : ''}${filter.values.map((value) => valueText(filter.field, value, ticker)).join(', ')}`;
}

/** A filter as an address holds it, part by part. */
export function filterText(search: string, ticker: TickerOf): string {
  const parts = [...new URLSearchParams(search)].map(([name, text]) => `${name}: ${partText(name, text, ticker)}`);
  return parts.join('; ') || 'None';
}
