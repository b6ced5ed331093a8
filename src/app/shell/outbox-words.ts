import { countWords } from '#domain/count-words.ts';
import { formatTime, type TimeZone } from '#domain/dates.ts';
import { isOnItsWay, hasPerhapsArrived, type MutationState, needsPerson } from '#replica/mutation-states.ts';
import { isOfNewerBuild } from '#replica/newer-builds.ts';
import type { OutboxRow, Receipt } from '#replica/outbox-tables.ts';
import { needlessText } from '#replica/receipts.ts';
import { stands } from '#replica/restating.ts';
import type { EngineStatus } from '#workers/start.ts';

const words: Record<MutationState, string> = {
  queued: 'Waiting to be sent',
  sending: 'On its way',
  uncertain: 'Sent, no answer yet - it is sent again and counts once',
  acked: 'Accepted, being read back',
  refused: 'Refused',
  parked: 'Set aside',
  paused_auth: 'Waiting for you to sign in',
  paused_permission: 'You may not do this any more',
  paused_update: 'Waiting for an update - reload to get the newest version of the app, and it is sent by itself',
  paused_dependency: 'It follows an edit that was let go',
  conflict: 'Somebody else changed this meanwhile - choose what holds',
};

/** Where an edit stands, in the words used for it everywhere. */
export function stateWords(state: MutationState, hasNetwork: boolean): string {
  return state === 'queued' && !hasNetwork ? 'Waiting for the network' : words[state];
}

/** The same with the server's reason, where it waits for the person and there is one. */
export function stateLine(state: MutationState, detail: string | null, hasNetwork: boolean): string {
  const line = stateWords(state, hasNetwork);
  return needsPerson(state) && detail ? `${line}: ${detail}` : line;
}

const newerWords = 'Made by a newer version of the app - reload to update the app; until then it is kept as it is';

/** The line of an edit in the outbox, also of one this build does not know. */
export function editLine(edit: OutboxRow, hasNetwork: boolean): string {
  return isOfNewerBuild(edit) ? newerWords : stateLine(edit.state, edit.error?.detail ?? null, hasNetwork);
}

/** What becomes of an edit that is said otherwise, before it is; null where that is plain. */
export function formNote(edit: OutboxRow): string | null {
  if (stands(edit)) return 'It may have reached the server already, so what you change is sent after it.';
  const { theirs } = edit;
  if (theirs === undefined) return null;
  return theirs.fields === null
    ? 'Somebody deleted this meanwhile. It is made again as you save it.'
    : 'What you save is sent over what somebody else changed. What only they changed is in this form already.';
}

/** What an edit waits behind. */
export function aheadWords({ state }: Pick<OutboxRow, 'state'>): string {
  return needsPerson(state) ? 'Waits for the edit above, which is for you to decide:' : 'Waits for the edit above:';
}

/** The line of a pending mark: `queued 14:02, waiting for the network`, or why the edit was refused. */
export function markWords(
  mark: { state: MutationState; since: number; detail: string | null },
  zone: TimeZone,
  hasNetwork: boolean,
): string {
  const line = stateLine(mark.state, mark.detail, hasNetwork);
  return `queued ${formatTime(mark.since, zone)}, ${line.charAt(0).toLowerCase()}${line.slice(1)}`;
}

/** What leads from a row to its edit. */
export function wayWords(state: MutationState): string {
  return state === 'conflict' ? 'Choose what holds' : 'Open the edit in Outbox';
}

/** How an edit stands, as far as counting goes. */
type Standing = Pick<OutboxRow, 'state' | 'v' | 'name'>;

/** `1 edit`, `2 edits`. */
export function editCount(count: number): string {
  return countWords(count, 'edit');
}

/** How many edits wait, and how many of them for the person or for an update of the app. */
export function waitingWords(edits: readonly Standing[]): string {
  if (edits.length === 0) return 'no edits wait';
  const stuck = edits.filter(({ state }) => needsPerson(state)).length;
  const outdated = edits.filter((edit) => edit.state === 'paused_update' || isOfNewerBuild(edit)).length;
  const of = (count: number, what: string): string => (count > 0 ? `, ${count.toLocaleString('en-US')} for ${what}` : '');
  return `${editCount(edits.length)} ${edits.length === 1 ? 'waits' : 'wait'}${of(stuck, 'you')}${of(outdated, 'an update of the app')}`;
}

/** The way to the outbox, with how many edits wait there; before they were read it says nothing of them. */
export function outboxLabel(edits: readonly Standing[] | undefined): string {
  return edits ? `Outbox, ${waitingWords(edits)}` : 'Outbox';
}

/** How often an edit was tried, and when it is next, where that is known. Null where there is nothing to say. */
export function attemptWords(edit: OutboxRow, now: number, zone: TimeZone): string | null {
  const tried = edit.attempts === 0 ? null : `tried ${edit.attempts === 1 ? 'once' : `${edit.attempts.toLocaleString('en-US')} times`}`;
  const waits = (edit.state === 'queued' || edit.state === 'uncertain') && edit.next_attempt_at > now;
  const next = waits ? `next at ${formatTime(edit.next_attempt_at, zone)}` : null;
  return [tried, next].filter((part) => part !== null).join(', ') || null;
}

/** Why an edit cannot be discarded at this moment; null where it can. */
export function noDiscardWords(state: MutationState): string | null {
  if (!isOnItsWay(state)) return null;
  return state === 'acked' ? 'The server has accepted it already' : 'It cannot be discarded while it is on its way';
}

/** What is lost when edits are discarded, and what may not be undone by it. */
export function lossWords(edits: readonly OutboxRow[]): string[] {
  const arrived = edits.filter(hasPerhapsArrived).length;
  const isOne = edits.length === 1;
  const saves = edits.reduce((sum, edit) => sum + (edit.saves ?? 1), 0);
  return [
    `${isOne ? 'This edit is' : `These ${editCount(edits.length)} are`} gone for good: the rows go back to what the server has.`,
    ...(saves > edits.length ? [`${isOne ? 'It holds' : 'They hold'} what you saved ${saves} times, one change after another.`] : []),
    ...(arrived === 0
      ? []
      : [
          isOne
            ? 'It may have reached the server already. If it has, it stays there, and the next sync shows it.'
            : `${arrived.toLocaleString('en-US')} of them may have reached the server already. What has stays there, and the next sync shows it.`,
        ]),
  ];
}

const outcomes: Record<Receipt['outcome'], string> = {
  accepted: 'Accepted',
  discarded: 'Discarded by you',
  replaced: 'Replaced by a later edit',
  theirs: 'Let go by you: theirs holds',
};

/** What became of a settled edit. */
export function outcomeWords({ outcome, detail, is_met: isMet }: Pick<Receipt, 'outcome' | 'detail' | 'is_met'>): string {
  if (isMet) return 'Accepted: the server had it so already';
  if (detail === needlessText) return needlessText;
  return outcome === 'discarded' && detail ? `${outcomes.discarded}. ${detail}` : outcomes[outcome];
}

/** What is said of an edit one came for that waits no longer. @param receipt absent where none is kept of it. */
export function goneWords(receipt: Pick<Receipt, 'title' | 'outcome' | 'detail' | 'is_met'> | undefined): string {
  return receipt
    ? `The edit you came for waits no longer. ${receipt.title}: ${outcomeWords(receipt)}`
    : 'The edit you came for waits no longer: it was settled meanwhile. What became of your latest edits is listed below.';
}

/** What keeps the outbox from being sent just now; null where nothing does. */
export function holdWords({ phase, problem }: Pick<EngineStatus, 'phase' | 'problem'>, hasNetwork: boolean): string | null {
  if (!hasNetwork) return 'There is no network. Edits stay on this device and are sent by themselves when it is back.';
  switch (phase) {
    case 'starting':
      return 'Syncing is starting.';
    case 'waiting':
      return 'Another tab or window of this browser sends the edits.';
    case 'signed_out':
      return 'Your session has ended. Sign in again; the edits are kept.';
    case 'stopped':
      return 'Syncing has stopped. Reload the page to go on; the edits are kept.';
    case 'offline':
    case 'syncing':
    case 'outdated':
    case 'idle':
      return problem;
  }
}

/** What an app that is too old for the server says above every screen. @param waiting edits that were not accepted. */
export function outdatedWords(waiting: number): string {
  const edits = waiting === 0 ? 'What you edit' : `What you edited (${editCount(waiting)})`;
  return `The server wants a newer version of this app, and nothing is read or sent before you have it. ${edits} is kept and sent after it.`;
}

type States = readonly (Standing & Pick<OutboxRow, 'id' | 'lane'>)[];

/** What changed between two looks at the outbox, for who cannot see it: only what is settled or now needs the person. Null where nothing is. */
export function newsWords(before: States, after: States): string | null {
  const stood = new Map(before.map(({ id, state }) => [id, state]));
  const left = new Set(after.map(({ id }) => id));
  // one whose words a new edit of its row says is not settled
  const saidAnew = new Set(after.flatMap(({ id, lane }) => (stood.has(id) ? [] : lane)));
  const settled = before.filter(({ id, lane }) => !left.has(id) && !saidAnew.has(lane)).length;
  const stuck = after.filter(({ id, state }) => {
    const was = stood.get(id);
    return was !== undefined && needsPerson(state) && !needsPerson(was);
  }).length;
  if (settled === 0 && stuck === 0) return null;
  const parts = [settled > 0 ? `${editCount(settled)} settled` : null, stuck > 0 ? `${editCount(stuck)} now for you to decide` : null];
  return `${parts.filter((part) => part !== null).join(', ')}; ${waitingWords(after)}`;
}
