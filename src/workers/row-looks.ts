import { ApiError } from '#contract/errors.ts';
import { callOf, type MadeRow, type MutationCall } from '#contract/mutation-calls.ts';
import { mutationNamed } from '#contract/mutations.ts';
import { isMaking } from '#replica/conflicts.ts';
import { isSameValue } from '#replica/merge.ts';
import type { EditBase, OutboxRow } from '#replica/outbox-tables.ts';
import { rowOfEdit } from '#replica/edited-fields.ts';
import { leftTogether } from '#replica/other-rows.ts';
import { missesToGo } from '#replica/pulls.ts';
import { isAsLeft, rebase, type ServerRow } from '#replica/rebase.ts';
import type { Outcome } from '#replica/sending.ts';
import { type AttemptPorts, asRefusal, failed, withoutEffect } from './attempt-outcome.ts';
import { cannotBeRead, currentRow } from './current-row.ts';
import { isSaidGone } from './server-faults.ts';
import { readList } from './list-reading.ts';
import { lookAtOther } from './other-row.ts';

/** What becomes of an edit that needs not be sent: its row is there as it wants it. */
function doneAs(answer: unknown): Outcome {
  return { event: 'accepted', answer, changes: { is_met: true } };
}

/** What becomes of an edit whose row somebody else changed; null where the row is as the edit was made on it. */
export function outcomeOn(edit: OutboxRow, base: EditBase, current: ServerRow | null, generation: string | null): Outcome | null {
  const result = rebase(edit, base, current, generation);
  switch (result.kind) {
    case 'unchanged':
      return null;
    case 'met': {
      // the row is the answer, unless the edit answers another one, which the next pull brings
      const isAnswer = rowOfEdit(edit)?.noun === mutationNamed(edit.name).answers;
      return doneAs(isAnswer ? current : null);
    }
    case 'rebase':
      return { event: 'rebase', changes: { base: result.base, input: result.input } };
    case 'conflict':
      return { event: 'conflict', changes: { theirs: result.theirs } };
  }
}

/** Reads the row an edit is about, at a server that compares no versions. @returns null where the edit can be sent as it is. */
export async function lookFirst(ports: AttemptPorts, edit: OutboxRow, base: EditBase): Promise<Outcome | null> {
  const about = rowOfEdit(edit);
  if (!about) return null;
  try {
    // of what is not to be there one answer that lacks it is enough; what was gone when its person decided may be there again
    const current = await currentRow(ports, about, base.fields === null ? 1 : missesToGo);
    if (current === undefined) return null;
    // whether the row is so by an attempt of ours or by another hand, the key of the next one tells
    const isLeft = edit.may_have_arrived === true && isAsLeft(edit, base, current);
    // where no key tells, what was made is not made again: the list it is looked for in next may lack it
    if (isLeft && isMaking(edit.name) && !ports.keepsKeys) return doneAs(current);
    const own = isLeft ? null : outcomeOn(edit, base, current, null);
    // by an attempt of ours both rows are so; where the row alone says all that the edit wants, another hand may have left the other one
    const isMet = current !== null && mutationNamed(edit.name).isMet?.(edit.input, current) === true;
    const ways = isLeft ? [leftTogether(edit, base), ...(isMet ? [{}] : [])] : [{}];
    return own ?? (await lookAtOther(ports, edit, { about, ways }));
  } catch (cause) {
    const outcome = failed(ports, edit, asRefusal(cause));
    if (cannotBeRead.has(outcome.error.code)) return null;
    return looked(edit, outcome);
  }
}

/** What becomes of an edit that was only looked for: of one that may have arrived it stays known how that was. */
export function looked(edit: OutboxRow, met: Outcome): Outcome {
  const outcome = withoutEffect(met);
  if (!edit.may_have_arrived) return outcome;
  const { error: _ofLook, ...rest } = outcome;
  return rest;
}

const unknownText =
  'The answer was lost, and this server cannot say whether it arrived. Look whether it is there; if not, try it again, else discard it';

/**
 * The rows that may be what an edit made, by its id or its name.
 * @returns isAbsent where it is not there: one list may lack a row that is, so as many must as make one gone, one after another.
 */
async function rowsNamed(
  ports: AttemptPorts,
  finds: NonNullable<MutationCall<unknown>['finds']>,
  input: MadeRow,
): Promise<{ named: readonly MadeRow[]; isAbsent: boolean }> {
  for (let miss = 0; miss < missesToGo; miss += 1) {
    const { rows, unread, absence } = await readList({ call: ports.call, pageLimit: null }, finds, finds.input(input));
    const named = (rows as readonly MadeRow[]).filter((row) => row.id === input.id || row[finds.name] === input[finds.name]);
    // it may be the one of which nothing but its id could be read
    if (named.length > 0 || unread.length > 0 || absence === 'nothing') return { named, isAbsent: false };
  }
  return { named: [], isAbsent: true };
}

/** What becomes of an edit that made something, or did not: nobody knows. @returns null where it is to be sent again. */
export async function lookForMade(ports: AttemptPorts, edit: OutboxRow): Promise<Outcome | null> {
  const { finds } = callOf(edit.name);
  const { merge } = mutationNamed(edit.name);
  const asked: Outcome = {
    event: 'poison',
    error: new ApiError({ code: 'conflict', detail: unknownText }),
    changes: { resent: 'asked' },
  };
  // the person was asked, and has it sent again
  const isTold = edit.resent === 'asked';
  if (!finds) return isTold ? null : asked;
  try {
    const input = edit.input as MadeRow;
    const { named, isAbsent } = await rowsNamed(ports, finds, input);
    const says = (row: MadeRow): boolean => merge.merges.every((field) => !(field in input) || isSameValue(row[field], input[field]));
    const made = named.find((row) => row.id === input.id || says(row));
    if (made) return doneAs(made);
    // another one by that name may be somebody else's, or what became of it
    return isTold || (isAbsent && edit.resent === undefined) ? null : asked;
  } catch (cause) {
    const outcome = failed(ports, edit, asRefusal(cause));
    if (cannotBeRead.has(outcome.error.code)) return isTold ? null : asked;
    return looked(edit, outcome);
  }
}

/** Whether the server knows nothing any more of what an edit deletes: an attempt before this one may have done it, or it was gone before. */
export async function isGone(ports: AttemptPorts, edit: OutboxRow): Promise<boolean> {
  const isExpected = edit.may_have_arrived || edit.base?.version === 0;
  const about = callOf(edit.name).endpoint.method === 'DELETE' && isExpected ? rowOfEdit(edit) : null;
  if (!about) return false;
  try {
    // the server has just said so itself
    return (await currentRow(ports, about, 1)) === null;
  } catch (cause) {
    return isSaidGone(cause);
  }
}
