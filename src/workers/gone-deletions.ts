import { ApiError } from '#contract/errors.ts';
import { mutationNamed } from '#contract/mutations.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import type { Outcome } from '#replica/sending.ts';
import { type AttemptPorts, asRefusal, failed } from './attempt-outcome.ts';
import { cannotBeRead, currentRow, UnreadRowError } from './current-row.ts';
import { looked } from './row-looks.ts';

/** Said where nobody can know whether a deletion was done by somebody else. */
export const unseenText =
  'You may not see any more what this was to delete, nor the client it lay in: whether it is gone cannot be said. Discard this if it is, or try it again once you may see it';

/** Whether a deletion was taken for done because its row is not found. */
function isFoundGone({ name }: OutboxRow, { event, answer = null, changes }: Outcome): boolean {
  return event === 'accepted' && changes?.is_met === true && answer === null && mutationNamed(name).removes !== undefined;
}

/**
 * What becomes of a deletion whose row is not found. A server says the same of a row that is gone and of one that may not be seen any more:
 * where the client it lay in may not be seen either nobody knows which it is, and the person is told so. Else it is done.
 */
export async function unlessUnseen(ports: AttemptPorts, edit: OutboxRow, outcome: Outcome): Promise<Outcome> {
  const { client_id: client } = edit;
  if (client === null || !isFoundGone(edit, outcome)) return outcome;
  try {
    if ((await currentRow(ports, { noun: 'clients', id: client })) !== null) return outcome;
  } catch (cause) {
    // it is there, whatever it says
    if (cause instanceof UnreadRowError) return outcome;
    const met = failed(ports, edit, asRefusal(cause));
    return cannotBeRead.has(met.error.code) ? outcome : looked(edit, met);
  }
  return { event: 'refuse', error: new ApiError({ code: 'not_found', detail: unseenText }) };
}
