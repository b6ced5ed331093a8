import { mutationNamed } from '#contract/mutations.ts';
import { nameKey } from '#domain/name-key.ts';
import { mineOf, rowOfEdit } from './edited-fields.ts';
import type { Fields } from './merge.ts';
import { isShown } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { OutboxRow } from './outbox-tables.ts';

const keyIn = (fields: Fields | null | undefined, field: string): string | null => {
  const name = fields?.[field];
  return typeof name === 'string' ? nameKey(name) : null;
};

/** Edits of other rows, by id, after which the name that one takes is free. One that waits for some in vain loses nothing. */
export function freeingName(
  { name, input, lane, client_id }: Pick<OutboxRow, 'name' | 'input' | 'lane' | 'client_id'>,
  before: readonly OutboxRow[],
): string[] {
  const { named, isNamedInClient, about, removes } = mutationNamed(name);
  const taken = named === undefined || removes ? null : keyIn(input as Fields, named);
  if (named === undefined || taken === null) return [];
  const isElsewhere = (edit: OutboxRow): boolean =>
    rowOfEdit(edit)?.noun !== about?.noun || (isNamedInClient === true && edit.client_id !== client_id);
  const isFreeing = (edit: OutboxRow): boolean => {
    if (edit.lane === lane || isOfNewerBuild(edit) || !isShown(edit.state) || isElsewhere(edit)) return false;
    const found = edit.base?.fields;
    return found != null && keyIn(found, named) === taken && keyIn(mineOf(edit, found), named) !== taken;
  };
  return before.filter(isFreeing).map(({ id }) => id);
}
