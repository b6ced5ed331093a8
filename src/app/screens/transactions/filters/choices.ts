import { matchStates } from '#contract/transaction-codes.ts';
import type { ListField } from '#domain/transaction-filter.ts';
import { typeCategories, typesOfCategories } from '#domain/transaction-types.ts';
import type { Names } from '#app/screens/transactions/use-names.ts';
import type { Choice } from '#app/ui/choice-list.tsx';
import type { FacetCount } from '#workers/start.ts';
import { valueName } from './filter-words.ts';

/** How many rows have each value, by the id the value has in an address; none is the empty one. */
export type Counts = ReadonlyMap<string, number>;

/** Counts as the worker gives them, by the ids an address holds. */
export function countsOf(field: ListField, facets: readonly FacetCount[]): Counts {
  const stateOf = (value: string): string => matchStates[Number(value)] ?? value;
  return new Map(facets.map(({ value, count }) => [value === null ? '' : field === 'match_state' ? stateOf(value) : value, count]));
}

function idsOf(field: ListField, names: Names): string[] {
  switch (field) {
    case 'account':
      return names.accounts.map(({ id }) => id);
    case 'security':
      return names.securities.map(({ id }) => id);
    case 'custodian': {
      const held = new Set(names.accounts.map((account) => account.custodian_id));
      return names.custodians.map(({ id }) => id).filter((id) => held.has(id));
    }
    case 'type':
      return typeCategories.map(({ id }) => String(id));
    case 'match_state':
      return [...matchStates, ''];
  }
}

/** Whether what one may pick of a field has its names in the copy. */
export function isNamed(field: ListField): boolean {
  return field === 'account' || field === 'security' || field === 'custodian';
}

/** What a choice stands for in the rows: a category of the reduced list for its types, anything else for itself. */
function valuesOf(field: ListField, id: string): string[] {
  return field === 'type' ? typesOfCategories([Number(id)]).map(String) : [id];
}

/**
 * Everything one may pick of a field: what has a name here, and besides whatever occurs in the rows or is picked already
 * (a fee type that the reduced list leaves out, rows without a security). What is archived is found by looking for it.
 */
export function choicesOf(field: ListField, names: Names, counts: Counts | undefined, selected: readonly string[]): Choice[] {
  const usual = idsOf(field, names);
  const covered = new Set(usual.flatMap((id) => valuesOf(field, id)));
  const others = [...(counts?.keys() ?? [])].filter((id) => !covered.has(id));
  const picked = selected.filter((id) => !usual.includes(id) && !others.includes(id));
  return [...usual, ...others, ...picked].map((id) => {
    const count = counts && valuesOf(field, id).reduce((sum, value) => sum + (counts.get(value) ?? 0), 0);
    const hint = field === 'security' ? names.security.get(id)?.security_name : undefined;
    const isAside = field === 'security' && names.archived.has(id);
    return {
      id,
      label: valueName(field, id, names),
      ...(hint === undefined ? {} : { hint }),
      ...(isAside ? { isAside } : {}),
      ...(count === undefined ? {} : { count }),
    };
  });
}
