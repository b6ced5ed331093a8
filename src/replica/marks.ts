// What a mark of two rows rests on, among the edits that wait.

import { mutations } from '#contract/mutations.ts';
import type { MarkTransferInput } from '#contract/transaction-matches.ts';
import { isShown } from './mutation-states.ts';
import type { OutboxRow } from './outbox-tables.ts';

/** The edits that wait, by the row they touch. */
type Waiting = ReadonlyMap<string, readonly OutboxRow[]>;

/** Edits of other rows that decide about those of a mark, too, as the screen shows: what is decided on top of them is sent after them. */
export function editsBeforeMark(input: MarkTransferInput, waiting: Waiting): string[] {
  const lane = mutations.markTransfer.lane(input);
  const edits = [input.trx_id, input.counterpart_id].flatMap((id) => (id === null ? [] : (waiting.get(id) ?? [])));
  return [...new Set(edits.filter((edit) => edit.lane !== lane && isShown(edit.state)).map(({ id }) => id))];
}
