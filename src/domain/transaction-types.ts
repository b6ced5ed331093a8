import { type TransactionTypeId, transactionTypes } from '#contract/transaction-codes.ts';

/** The types that bring the asset into the account. */
const inflows: ReadonlySet<number> = new Set([1, 3, 6, 12, 13, 14, 15, 16, 17, 18, 19, 25, 29]);
/** Types that leave the account's total as it is: marks, and moves between available and staked. */
const neutral: ReadonlySet<number> = new Set([20, 22, 23]);
const fees: ReadonlySet<number> = new Set([5, 7, 8, 9, 10, 11, 21, 24, 27, 28]);

function isKnownType(typeId: number): typeId is TransactionTypeId {
  return Object.hasOwn(transactionTypes, typeId);
}

/**
 * `1` when the type adds its quantity to the account's holding, `-1` when it takes it away, `0` when it does neither, or this build does not
 * know it.
 */
export function signOfType(typeId: number): 1 | -1 | 0 {
  if (neutral.has(typeId) || !isKnownType(typeId)) return 0;
  return inflows.has(typeId) ? 1 : -1;
}

/** Which of the totals row's sums a type counts in; `none` for types that move nothing. One that this build does not know counts in none. */
export function flowOfType(typeId: number): 'in' | 'out' | 'fees' | 'none' | 'unknown' {
  if (!isKnownType(typeId)) return 'unknown';
  if (neutral.has(typeId)) return 'none';
  if (fees.has(typeId)) return 'fees';
  return inflows.has(typeId) ? 'in' : 'out';
}

/** The name shown for a type; one this build does not know keeps its number. */
export function typeName(typeId: number): string {
  return isKnownType(typeId) ? transactionTypes[typeId] : `Unknown (${typeId})`;
}

/** One choice of the reduced type list and the types it stands for. */
export interface TypeCategory {
  id: number;
  name: string;
  typeIds: readonly number[];
}

/** Types that stand under Trade in the reduced list. */
const tradeTypes = [3, 4, 5, 6] as const;
/** Types the reduced list leaves out. */
const omitted: ReadonlySet<number> = new Set([4, 5, 6, 7, 8, 27, 28]);

/**
 * The reduced category list: buy, sell and their fee and rebate are one Trade (3); 4 to 8, 27 and 28 have no entry.
 * @source specification section 3
 */
export const typeCategories: readonly TypeCategory[] = Object.entries(transactionTypes)
  .map(([id, name]) => ({ id: Number(id), name }))
  .filter(({ id }) => !omitted.has(id))
  .map(({ id, name }) => (id === 3 ? { id, name: 'Trade', typeIds: tradeTypes } : { id, name, typeIds: [id] }));

/** All types behind the chosen categories; a type that has no category of its own (a fee, say) stands for itself. */
export function typesOfCategories(categoryIds: readonly number[]): number[] {
  const types = categoryIds.flatMap((id) => typeCategories.find((category) => category.id === id)?.typeIds ?? [id]);
  return [...new Set(types)];
}
