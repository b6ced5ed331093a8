import type { GuardedRow } from '#contract/endpoint.ts';
import { ApiError, movedBodySchema, movedText } from '#contract/errors.ts';
import { type Fields, isSameValue } from '#replica/merge.ts';
import type { EditBase, OutboxRow } from '#replica/outbox-tables.ts';
import { isPairedAnew, type ServerRow } from '#replica/rebase.ts';
import type { Outcome } from '#replica/sending.ts';
import type { AttemptPorts } from './attempt-outcome.ts';
import { currentRow } from './current-row.ts';

/** Whether another row an edit rests on is as the person saw it, in what they decided by. */
function isAsSeen({ fields }: EditBase, current: ServerRow | null): boolean {
  if (fields === null) return true;
  return current !== null && Object.entries(fields).every(([name, value]) => isSameValue(value, current[name] ?? null));
}

/** From then on the person knows how another row is that an edit rests on; of one that is gone they know that it was changed. */
function toldOfOther(
  other: Required<OutboxRow>['rests_on'],
  current: Fields | null,
  known: Pick<EditBase, 'version' | 'generation'>,
): Outcome['changes'] {
  if (!current || !other.fields) return { rests_on: { ...other, is_told: true } };
  const fields = Object.fromEntries(Object.keys(other.fields).map((name) => [name, current[name] ?? null]));
  return { rests_on: { ...other, ...known, fields, saw: other.saw ?? other.fields } };
}

/** The same look at another row the edit rests on. @param ways what of it may be otherwise than the person saw it: as an attempt left it. */
export async function lookAtOther(
  ports: AttemptPorts,
  { rests_on: other }: OutboxRow,
  { about, ways }: { about: GuardedRow; ways: readonly Fields[] },
): Promise<Outcome | null> {
  if (!other) return null;
  const current = await currentRow(ports, { noun: about.noun, id: other.id });
  // it need not be as the person was told: without versions nobody knows whether it was changed at all
  const seen = [other.fields, ...(other.saw ? [other.saw] : [])];
  const expected = seen.flatMap((fields) => ways.map((left) => ({ ...other, fields: fields && { ...fields, ...left } })));
  if (current === undefined || expected.some((each) => isAsSeen(each, current))) return null;
  return {
    event: 'refuse',
    error: new ApiError({ code: 'conflict', detail: movedText }),
    changes: toldOfOther(other, current, { version: null }),
  };
}

/** What becomes of an edit that was sent on a version which another row it rests on is not in; null where that is not why it was refused. */
export function outcomeOfMoved(edit: OutboxRow, generation: string, refused: Outcome & { error: ApiError }): Outcome | null {
  const { rests_on: other } = edit;
  const moved = movedBodySchema.safeParse({ detail: refused.error.detail, ...refused.error.beside });
  if (!other || !moved.success) return null;
  const current = moved.data.rests_on;
  const known = { version: current?.version ?? 0, generation };
  const isMoved = !isAsSeen(other, current) || isPairedAnew(edit, other, current, generation);
  if (isMoved || current?.version === other.version) return { ...refused, changes: toldOfOther(other, current, known) };
  return { event: 'rebase', changes: { rests_on: { ...other, ...known } } };
}
