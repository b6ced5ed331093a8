import type { CallOptions } from '#api-client/call.ts';
import { type ChangedRow, mutationNamed } from '#contract/mutations.ts';
import { picked, rowOfEdit } from '#replica/edited-fields.ts';
import type { EditBase, OutboxRow } from '#replica/outbox-tables.ts';
import type { OwnChange } from '#replica/own-changes.ts';
import type { Outcome } from '#replica/sending.ts';

/** A version that no row is ever in: sent on it, an edit is answered where its key had its effect before, and else has none. */
export const noVersion = 999_999_999_999_999;

type Bound = Pick<CallOptions, 'ifVersion' | 'restsOnVersion' | 'serverGen'>;

/**
 * How an edit left its rows, and others: as its answer names them, and those of its own that it does not name as they were, in the versions
 * it was sent on.
 */
function leftBy(edit: OutboxRow, changed: readonly ChangedRow[], { ifVersion, restsOnVersion, serverGen: generation }: Bound): OwnChange[] {
  const about = rowOfEdit(edit);
  if (!about || generation === undefined) return [];
  const { together = [] } = mutationNamed(edit.name).merge;
  const left = changed.map((change): OwnChange => ({ ...change, from: change.version - 1, generation }));
  const asFound = (id: string, version: number | undefined, found: EditBase | undefined): OwnChange[] => {
    const isKnown = version !== undefined && version !== noVersion && !changed.some((change) => change.id === id);
    return isKnown && found?.fields
      ? [{ noun: about.noun, id, from: version, version, fields: picked(found.fields, together), generation }]
      : [];
  };
  const { base, rests_on: other } = edit;
  return [...left, ...asFound(about.id, ifVersion, base), ...(other ? asFound(other.id, restsOnVersion, other) : [])];
}

/** What an attempt comes to that the server accepted. @param sent the versions it was bound to. */
export function accepted(edit: OutboxRow, answer: unknown, sent: Bound): Outcome {
  const { row, changed } = mutationNamed(edit.name).tells?.(answer) ?? { row: answer, changed: null };
  const ownChanges = changed && sent.serverGen !== undefined ? { ownChanges: leftBy(edit, changed, sent) } : {};
  return { event: 'accepted', answer: row, ...ownChanges };
}
