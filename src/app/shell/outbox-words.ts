import { formatTime, type TimeZone } from '#domain/dates.ts';
import { type MutationState, needsPerson } from '#replica/mutation-states.ts';

const words: Record<MutationState, string> = {
  queued: 'waits for the network',
  sending: 'is being sent',
  uncertain: 'waits for the network; it may have been sent already',
  acked: 'accepted, being confirmed',
  refused: 'refused by the server',
  parked: 'set aside after failing again and again',
  paused_auth: 'waits for you to sign in',
  paused_permission: 'you are not allowed to do this',
};

/** What a waiting edit waits for, in words. */
export function stateWords(state: MutationState): string {
  return words[state];
}

/** The line of a pending mark: `queued 14:02, waits for the network`, or why the edit was refused. */
export function markWords(mark: { state: MutationState; since: number; detail: string | null }, zone: TimeZone): string {
  const line = `queued ${formatTime(mark.since, zone)}, ${words[mark.state]}`;
  return needsPerson(mark.state) && mark.detail ? `${line}: ${mark.detail}` : line;
}
