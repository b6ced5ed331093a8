/** Where an edit stands on its way to the server. */
export type MutationState =
  | 'queued'
  | 'sending'
  | 'uncertain'
  | 'acked'
  | 'refused'
  | 'parked'
  | 'paused_auth'
  | 'paused_permission'
  | 'paused_update'
  | 'paused_dependency'
  | 'conflict';

/** What can happen to it. */
export type MutationEvent =
  | 'claim'
  | 'accepted'
  | 'no_answer'
  | 'try_later'
  | 'refuse'
  | 'poison'
  | 'not_authenticated'
  | 'permission_denied'
  | 'signed_in'
  /** The server takes no edit of this build any more, and then: another build is here. */
  | 'outdated'
  | 'updated'
  /** An edit that it follows was let go of. */
  | 'dependency_lost'
  /** Somebody else changed the row: brought together with that, or not, and then decided by the person. */
  | 'rebase'
  | 'conflict'
  | 'decide'
  | 'retry';

type Next = MutationState | null;

/** The next state for each state and event; null where the event cannot happen. Total, so that a missing case does not compile. */
export const nextMutationState: Record<MutationState, Record<MutationEvent, Next>> = {
  queued: row({ claim: 'sending', dependency_lost: 'paused_dependency' }),
  // an answer may have been lost: asked again with the same key, which the server answers once
  uncertain: row({ claim: 'sending' }),
  sending: row({
    accepted: 'acked',
    no_answer: 'uncertain',
    try_later: 'queued',
    refuse: 'refused',
    poison: 'parked',
    not_authenticated: 'paused_auth',
    permission_denied: 'paused_permission',
    outdated: 'paused_update',
    rebase: 'queued',
    conflict: 'conflict',
  }),
  acked: row({}),
  refused: row({ retry: 'queued' }),
  parked: row({ retry: 'queued' }),
  paused_auth: row({ signed_in: 'queued', retry: 'queued' }),
  paused_permission: row({ retry: 'queued' }),
  paused_update: row({ updated: 'queued', retry: 'queued' }),
  paused_dependency: row({ retry: 'queued' }),
  // what is sent next is the person's to say
  conflict: row({ decide: 'queued' }),
};

function row(known: Partial<Record<MutationEvent, Next>>): Record<MutationEvent, Next> {
  return {
    claim: null,
    accepted: null,
    no_answer: null,
    try_later: null,
    refuse: null,
    poison: null,
    not_authenticated: null,
    permission_denied: null,
    signed_in: null,
    outdated: null,
    updated: null,
    dependency_lost: null,
    rebase: null,
    conflict: null,
    decide: null,
    retry: null,
    ...known,
  };
}

/** Whether this build knows the state: an outbox outlives builds, also newer ones. */
export function isState(state: string): state is MutationState {
  return Object.hasOwn(nextMutationState, state);
}

/** Whether the view shows the edit as made: all but those the server or the rights refused. */
export function isShown(state: MutationState): boolean {
  return state !== 'refused' && state !== 'paused_permission';
}

const forThePerson: ReadonlySet<MutationState> = new Set(['refused', 'parked', 'paused_permission', 'paused_dependency', 'conflict']);

/** Whether the edit needs the person: it will not go on by itself. */
export function needsPerson(state: MutationState): boolean {
  return forThePerson.has(state);
}

/** Whether nobody can say at this moment what the server does with the edit, so that it cannot be taken back. */
export function isOnItsWay(state: MutationState): boolean {
  return state === 'sending' || state === 'acked';
}

/** Whether the person may have it tried again. */
export function isRetriable(state: MutationState): boolean {
  return isState(state) && nextMutationState[state].retry !== null;
}

/** Whether an edit that is not settled may have had its effect at the server already. */
export function mayHaveArrived({ state, may_have_arrived }: { state: MutationState; may_have_arrived?: boolean }): boolean {
  return may_have_arrived === true || state === 'uncertain';
}

/** The same, be it in what the person had it say before: that was sent as another change. */
export function hasPerhapsArrived(edit: { state: MutationState; may_have_arrived?: boolean; again?: number }): boolean {
  return mayHaveArrived(edit) || edit.again !== undefined;
}
