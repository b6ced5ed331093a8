import { ApiError, type ErrorCode } from '#contract/errors.ts';
import type { PullRow } from '#replica/pulls.ts';
import { asksForQuiet } from './quiet.ts';
import type { EngineStatus } from './start.ts';

/** Failures that concern the server or the network as a whole, and say nothing of what was asked for. */
export const serverFaults: readonly ErrorCode[] = [
  'network',
  'timeout',
  'not_authenticated',
  'other_user',
  'throttled',
  'blocked',
  'unavailable',
  'too_early',
];

/** What somebody on the way said in the server's place says nothing of what was asked: nobody answered. */
export function asNoAnswer({ detail, retryAfterMs }: ApiError): ApiError {
  return new ApiError({ code: 'bad_answer', detail, retryAfterMs });
}

/** Whether the API itself says that there is no such thing, a row or the question: what is in between may say so of everything. */
export function isSaidGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found' && error.isSaid;
}

/** Whether there was nobody to ask. A server that only takes too long, or cannot, for one question may answer another. */
function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'network';
}

/** Failures that are told of the person or the app, whatever was asked. */
const isOfAll: ReadonlySet<ErrorCode> = new Set(['not_authenticated', 'other_user', 'client_too_old']);

/** Whether it may be that the server, or what stands before it, has no answer to what was asked alone, or asks to wait with that alone. */
export function mayBeOfThisAlone(error: unknown): error is ApiError {
  return error instanceof ApiError && !isOfAll.has(error.code);
}

/** Whether others were answered says nothing of what comes next: the network may be gone since, or too much was asked by now. */
export function mayBeOfAllSince(error: ApiError): boolean {
  return isUnreachable(error) || asksForQuiet(error);
}

/** Whether the server, which answers, only refuses or fails at what was asked: of anything else it may be asked all the same. */
export function isOfThisAlone(error: unknown): boolean {
  return error instanceof ApiError && error.isSaid && !serverFaults.includes(error.code) && error.code !== 'client_too_old';
}

const elsewhereText =
  'Somebody else is signed in on this browser: nothing is read or sent for you until you sign in again. Your edits are kept';

const tooOldText =
  'This version of the app is too old for the server: nothing is read or sent until the new one is here. Reload to get it; what you edited is kept.';

/** What the person is told of lists that the server gives a part of alone; null where it gives all. */
export function cutText(pulls: readonly PullRow[]): string | null {
  const cut = [...new Set(pulls.flatMap(({ noun, is_cut: isCut }) => (isCut ? [noun.replaceAll('_', ' ')] : [])))];
  if (cut.length === 0) return null;
  return `The server gives no more than the first page of its ${cut.join(' and ')}, and it is full: others may be missing here.`;
}

/** What the person is told of what could not be read, while all else was. */
export function notFetchedText({ message }: Error): string {
  return `Some of it could not be fetched: ${message}. It is tried again.`;
}

/** What the person is told of a round that ended by a fault. */
export function toldOf(error: unknown): Pick<EngineStatus, 'phase' | 'problem'> {
  if (!(error instanceof ApiError)) {
    const reason = error instanceof Error ? error.message : String(error);
    return { phase: 'idle', problem: `Syncing stopped: ${reason}. It is tried again; nothing is lost.` };
  }
  if (error.code === 'other_user') return { phase: 'idle', problem: elsewhereText };
  if (error.code === 'not_authenticated') return { phase: 'signed_out', problem: error.message };
  if (error.code === 'network' || error.code === 'timeout') return { phase: 'offline', problem: null };
  if (error.code === 'client_too_old') return { phase: 'outdated', problem: tooOldText };
  return { phase: 'idle', problem: `The server could not answer: ${error.message}. It is tried again.` };
}
