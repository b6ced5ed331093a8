import { mutationNamed } from '#contract/mutations.ts';
import { nameKey } from '#domain/name-key.ts';
import { mineOf, rowOfEdit } from './edited-fields.ts';
import type { Fields } from './merge.ts';
import { isShown } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { OutboxRow } from './outbox-tables.ts';

function keyIn(fields: Fields | null | undefined, field: string): string | null {
  const name = fields?.[field];
  return typeof name === 'string' ? nameKey(name) : null;
}

/**
 * Edits of other rows, by id, that let go of the name which one takes. In which place the rows are is not asked: who waits for one that
 * goes on by itself in vain loses nothing.
 */
export function freeingName(
  { name, input, lane, base }: Pick<OutboxRow, 'name' | 'input' | 'lane' | 'base'>,
  before: readonly OutboxRow[],
): string[] {
  const { named, about } = mutationNamed(name);
  if (named === undefined) return [];
  const taken = keyIn(input as Fields, named);
  // a form says the name again that its row has
  if (taken === null || taken === keyIn(base?.fields, named)) return [];
  const isFreeing = (edit: OutboxRow): boolean => {
    if (edit.lane === lane || isOfNewerBuild(edit) || !isShown(edit.state) || rowOfEdit(edit)?.noun !== about?.noun) return false;
    const found = edit.base?.fields;
    return found != null && keyIn(found, named) === taken && keyIn(mineOf(edit, found), named) !== taken;
  };
  return before.filter(isFreeing).map(({ id }) => id);
}
