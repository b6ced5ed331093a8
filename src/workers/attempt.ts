import type { CallOptions } from '#api-client/call.ts';
import { type ApiError, staleBodySchema, unansweredCodes } from '#contract/errors.ts';
import { callOf } from '#contract/mutation-calls.ts';
import { hasPerhapsArrived } from '#replica/mutation-states.ts';
import type { EditBase, OutboxRow } from '#replica/outbox-tables.ts';
import { isAsLeft } from '#replica/rebase.ts';
import type { Outcome } from '#replica/sending.ts';
import { asRefusal, type AttemptPorts, failed, isOpen, withoutEffect } from './attempt-outcome.ts';
import { accepted, noVersion } from './accepted.ts';
import { unlessUnseen } from './gone-deletions.ts';
import { outcomeOfMoved } from './other-row.ts';
import { isGone, lookFirst, lookForMade, outcomeOn } from './row-looks.ts';

/** The version to send an edit on. Where that is not known, or of another database, the server is to say how the row is now. */
function versionOf({ version, generation: of }: EditBase, generation: string): number {
  // that there was no row is said of any database
  const isKnown = version === 0 || of === generation;
  return isKnown && version !== null ? version : noVersion;
}

/** What becomes of an edit that was sent on a version its row is not in. */
function outcomeOfStale(
  edit: OutboxRow,
  base: EditBase,
  { ifVersion, serverGen: generation }: { ifVersion: number; serverGen: string },
  error: ApiError,
): Outcome | null {
  const stale = staleBodySchema.safeParse({ detail: error.detail, ...error.beside });
  // a server that refuses the version it says the row has would be asked for ever
  if (!stale.success || (stale.data.current?.version ?? 0) === ifVersion) return null;
  const { current } = stale.data;
  const found = outcomeOn(edit, base, current, generation);
  // a copy that is on its way still would undo what follows, unless its key had its effect before
  const isSentAgain = !found || (found.event === 'accepted' && hasPerhapsArrived(edit) && isAsLeft(edit, base, current));
  const same: Outcome = { event: 'rebase', changes: { base: { ...base, version: current?.version ?? 0, generation } } };
  const outcome = isSentAgain ? same : found;
  // a key that had its effect is answered whatever the version: this one had none. Attempts that were bound to no version, or to another
  // than this, may still come
  return ifVersion === noVersion ? outcome : { ...outcome, hasNotArrived: true };
}

/** An attempt that may have arrived has had its say under its key; what the person had sent anew since is another change. */
function keyOf({ id, again }: OutboxRow): string {
  return again === undefined ? id : `${id}#r${again}`;
}

/** Sends an edit once, with its file where it has one. @returns what it came to, which is all that a fault comes to, too. */
export async function attempt(ports: AttemptPorts, edit: OutboxRow, file?: CallOptions['file']): Promise<Outcome> {
  return unlessUnseen(ports, edit, await sendOnce(ports, edit, file));
}

async function sendOnce(ports: AttemptPorts, edit: OutboxRow, file: CallOptions['file']): Promise<Outcome> {
  const { base } = edit;
  // the outbox holds a name and an input; the contract gives the call
  const isUnkeyed = callOf(edit.name).endpoint.method === 'POST' && !ports.keepsKeys;
  const isRepeated = isUnkeyed && edit.may_have_arrived === true;
  const looked = base && ports.generation === null ? await lookFirst(ports, edit, base) : null;
  const found = looked ?? (isRepeated ? await lookForMade(ports, edit) : null);
  const outcome = found ?? (await send(ports, edit, file));
  // what the server said it failed at may be tried as often as it is not found; an answer that was lost may still be on its way
  const isLost = edit.resent === 'asked' || edit.error === undefined || unansweredCodes.has(edit.error.code);
  const resent = isRepeated && isLost && !found ? { resent: 'once' as const } : {};
  // where its sender died nobody noted it: whatever a look comes to, it may have arrived without a key
  const isOpenStill = isUnkeyed && outcome.event !== 'accepted' && (isRepeated || outcome.mayHaveArrived);
  const unkeyed = isOpenStill ? { is_unkeyed: true as const } : {};
  return { ...outcome, changes: { ...outcome.changes, ...resent, ...unkeyed } };
}

async function send(ports: AttemptPorts, edit: OutboxRow, file: CallOptions['file']): Promise<Outcome> {
  const { base } = edit;
  const { generation } = ports;
  const { endpoint } = callOf(edit.name);
  const bound = base && generation !== null && endpoint.ifMatch ? { ifVersion: versionOf(base, generation), serverGen: generation } : null;
  const rests = bound && edit.rests_on ? { restsOnVersion: versionOf(edit.rests_on, bound.serverGen) } : null;
  try {
    const sent = { idempotencyKey: keyOf(edit), ...bound, ...rests, ...(file ? { file } : {}) };
    return accepted(edit, await ports.call(endpoint, edit.input, sent), sent);
  } catch (cause) {
    const outcome = failed(ports, edit, asRefusal(cause));
    if (base && bound && outcome.error.code === 'stale_version') return outcomeOfStale(edit, base, bound, outcome.error) ?? outcome;
    const moved = bound && outcome.error.code === 'conflict' ? outcomeOfMoved(edit, bound.serverGen, outcome) : null;
    if (moved) return moved;
    if (outcome.error.code === 'not_found' && (await isGone(ports, edit)))
      return { event: 'accepted', answer: null, changes: { is_met: true } };
    if (bound?.ifVersion === noVersion || outcome.error.isUntried) return withoutEffect(outcome);
    return { ...outcome, mayHaveArrived: isOpen.has(outcome.error.code) };
  }
}
