import type { ApiCall } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { mutations } from '#contract/mutations.ts';
import type { MutationEvent } from '#replica/mutation-states.ts';
import type { Replica } from '#replica/open.ts';
import {
  ackedMutations,
  claimHeads,
  dropOutdone,
  type Outcome,
  pendingMutations,
  recoverSending,
  retire,
  settleAttempt,
} from '#replica/outbox.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';

/** Lanes that may be on their way at once. */
const lanesAtOnce = 4;
/** Attempts that end in a server fault before an edit is set aside for the person. */
const poisonAfter = 8;
const longestWaitMs = 60_000;

export interface ReplayPorts {
  replica: Replica;
  call: ApiCall;
  /** The writer's term; a stale one stops the replay at its next write. */
  epoch: number;
  now: () => number;
  /** 0 to 1, for the jitter of waits. */
  random: () => number;
  /** Brings the replica what the server made of an accepted edit; only then is the edit taken out. */
  settle: (edit: OutboxRow) => Promise<void>;
  /** Aborted when the work ends: nothing more is sent then. */
  signal: AbortSignal;
}

/** `drained`: nothing is left to send. `waiting`: something waits for time, the network or a person. `signed_out`: the server wants a sign-in. */
export type ReplayResult = 'drained' | 'waiting' | 'signed_out';

function backoffMs(attempts: number, random: () => number): number {
  return Math.round(random() * Math.min(longestWaitMs, 1000 * 2 ** Math.min(attempts, 10)));
}

function eventOf(error: ApiError, attempts: number): MutationEvent {
  switch (error.code) {
    case 'network':
    case 'timeout':
    case 'bad_answer':
      return 'no_answer';
    case 'too_early':
    case 'throttled':
    case 'blocked':
    case 'unavailable':
      return 'try_later';
    case 'internal':
      return attempts >= poisonAfter ? 'poison' : 'try_later';
    case 'not_authenticated':
      return 'not_authenticated';
    case 'permission_denied':
      return 'permission_denied';
    case 'client_too_old':
    case 'not_found':
    case 'conflict':
    case 'stale_version':
    case 'too_large':
    case 'unsupported':
    case 'cursor_too_old':
    case 'generation_changed':
    case 'invalid':
      return 'refuse';
  }
}

/** After these nobody knows whether the change was made: a gateway, too, may say that the server failed when only its answer did. */
const isOpen: ReadonlySet<ErrorCode> = new Set(['network', 'timeout', 'bad_answer', 'internal', 'unavailable']);

async function attempt({ call, now, random }: ReplayPorts, edit: OutboxRow): Promise<Outcome> {
  // the outbox holds a name and an input; the contract gives the call
  try {
    const endpoint: Endpoint = mutations[edit.name].endpoint;
    return { event: 'accepted', answer: await call(endpoint, edit.input, { idempotencyKey: edit.id }) };
  } catch (cause) {
    const error = cause instanceof ApiError ? cause : new ApiError({ code: 'internal', detail: String(cause) });
    const nextAttemptAt = now() + (error.retryAfterMs ?? backoffMs(edit.attempts, random));
    return { event: eventOf(error, edit.attempts), error, nextAttemptAt, mayHaveArrived: isOpen.has(error.code) };
  }
}

async function settleAcked(ports: ReplayPorts): Promise<boolean> {
  let isSettled = true;
  for (const edit of await ackedMutations(ports.replica.outbox)) {
    try {
      await ports.settle(edit);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // accepted, but its effect could not be read back yet: it stays in the view and is settled on a later round;
      // rows that may no longer be seen will never come back, so that one is done
      const isGone = error.code === 'permission_denied' || error.code === 'not_found';
      isSettled &&= isGone;
      if (!isGone) continue;
    }
    await retire(ports.replica.outbox, ports.epoch, edit, ports.now());
  }
  return isSettled;
}

/**
 * Sends what waits in the outbox, each lane in order, until nothing more can be sent now. Every attempt of an edit carries
 * the same key, so one whose answer was lost is sent again and has its effect once.
 */
export async function replay(ports: ReplayPorts): Promise<ReplayResult> {
  const { outbox } = ports.replica;
  // this writer is the only one and sends nothing at this moment: what still says so lost its outcome
  await recoverSending(outbox, ports.epoch);
  while (!ports.signal.aborted) {
    await dropOutdone(outbox, ports.epoch, ports.now());
    const heads = await claimHeads(outbox, ports.epoch, ports.now(), lanesAtOnce);
    if (heads.length === 0) break;
    const outcomes = await Promise.all(heads.map((edit) => attempt(ports, edit)));
    const written = await Promise.allSettled(
      heads.map((edit, index) => settleAttempt(outbox, ports.epoch, edit.seq, outcomes[index] ?? { event: 'no_answer' })),
    );
    const failed = written.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    await settleAcked(ports);
    if (outcomes.some((outcome) => outcome.event === 'not_authenticated')) return 'signed_out';
  }
  const isSettled = await settleAcked(ports);
  return isSettled && (await pendingMutations(outbox)).length === 0 ? 'drained' : 'waiting';
}
