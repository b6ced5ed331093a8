import { matchStates } from '#contract/transaction-codes.ts';
import { readAmount } from '#domain/amount-text.ts';
import { amountText } from '#domain/amount-words.ts';
import type { FieldFilter } from '#domain/transaction-filter.ts';
import type { FilterField } from './filter-fields.ts';
import { listText, readList } from './list-text.ts';

/** What an address says of one field; `isWhole` when all of the text meant something. */
export interface FieldReading {
  filter: FieldFilter | null;
  isWhole: boolean;
}

/** Longest part of a text one looks for. */
export const longestPart = 200;

/** Whether a text can be part of another: short, and without the characters no text holds. */
export function isPart(text: string): boolean {
  return text.length <= longestPart && text.trim() !== '' && !/\p{Cc}/u.test(text);
}

// a server may have types that this build does not know
const typeNumber = /^(?:0|[1-9]\d{0,4})$/;
const knownStates: ReadonlySet<string> = new Set([...matchStates, '']);
const allows: Readonly<Record<string, (value: string) => boolean>> = {
  type: (value) => typeNumber.test(value),
  match_state: (value) => knownStates.has(value),
};

const negation = 'not:';
/** A text that begins with our own word is told from it by a colon before it. */
const partText = (contains: string): string => (/^:*not:/.test(contains) ? `:${contains}` : contains);
const partOf = (text: string): string => (/^:+not:/.test(text) ? text.slice(1) : text);

/** Reads what an address says of a field, whatever it says. */
export function readField(known: FilterField, text: string): FieldReading {
  const nothing: FieldReading = { filter: null, isWhole: false };
  const isNot = text.startsWith(negation);
  const rest = isNot ? text.slice(negation.length) : text;
  const not = isNot ? ({ not: true } as const) : {};
  switch (known.kind) {
    case 'list': {
      const { choice, isWhole } = readList(text, allows[known.field] ?? (() => true));
      return { filter: choice && { kind: 'list', field: known.field, values: choice.values, ...not }, isWhole };
    }
    case 'amount': {
      const reading = readAmount(rest);
      if (!reading.ok || (isNot && reading.choice.not)) return nothing;
      return { filter: { kind: 'amount', field: known.field, ...reading.choice, ...not }, isWhole: true };
    }
    case 'text': {
      const contains = partOf(rest);
      if (!isPart(contains)) return nothing;
      return { filter: { kind: 'text', field: known.field, contains, ...not }, isWhole: true };
    }
    case 'flag':
      return text === 'only' || text === 'not'
        ? { filter: { kind: 'flag', field: known.field, is: text === 'only' }, isWhole: true }
        : nothing;
  }
}

/** Writes a filter as the address holds it; nothing where it narrows nothing. */
export function fieldText(filter: FieldFilter): string | undefined {
  switch (filter.kind) {
    case 'list':
      return listText({ values: filter.values, not: filter.not === true });
    case 'amount':
      return `${filter.not ? negation : ''}${amountText({ range: filter.range })}`;
    case 'text':
      return filter.contains.trim() === '' ? undefined : `${filter.not ? negation : ''}${partText(filter.contains)}`;
    case 'flag':
      return filter.is ? 'only' : 'not';
  }
}
