/** One field a list is sorted by. */
export interface SortStep<Field extends string> {
  field: Field;
  ascending: boolean;
}

/**
 * The next order after a column head was chosen: first ascending, next descending, third none.
 * @param adds keep the other fields and change only this one's part (shift); else it is the only one.
 * @source specification section 4
 */
export function nextSort<Field extends string>(current: readonly SortStep<Field>[], field: Field, adds = false): SortStep<Field>[] {
  const held = current.find((step) => step.field === field);
  const next = held ? (held.ascending ? { field, ascending: false } : null) : { field, ascending: true };
  if (!adds) return next ? [next] : [];
  if (!held) return next ? [...current, next] : [...current];
  return current.flatMap((step) => (step.field === field ? (next ? [next] : []) : [step]));
}
