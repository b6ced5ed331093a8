import type { ApiCall, CallOptions } from '#api-client/call.ts';
import { ApiError, type ErrorCode, movedBodySchema, movedText, staleBodySchema } from '#contract/errors.ts';
import { type GuardedRow, pathParts } from '#contract/endpoint.ts';
import { callOf, type MadeRow, rowReads } from '#contract/mutation-calls.ts';
import { mutationNamed } from '#contract/mutations.ts';
import { type Fields, isSameValue } from '#replica/merge.ts';
import type { Outcome } from '#replica/sending.ts';
import type { EditBase, OutboxRow } from '#replica/outbox-tables.ts';
import { readList } from './list-reading.ts';
import { asNoAnswer } from './server-faults.ts';
import { isAsLeft, mineOf, rebase, rowOfEdit, type ServerRow } from '#replica/rebase.ts';

const longestWaitMs = 60_000;
/** A version that no row is ever in: sent on it, an edit is answered where its key had its effect before, and else has none. */
const noVersion = 999_999_999_999_999;

/** What an attempt needs. */
export interface AttemptPorts {
  call: ApiCall;
  now: () => number;
  /** 0 to 1, for the jitter of waits. */
  random: () => number;
  /** The build of the app: what the server would not take of another one is tried anew. */
  build: string;
  /** Whether the server remembers the keys of changes: one that comes again under its key has its effect once. */
  keepsKeys: boolean;
  /** Which database the server has, where it compares versions itself; null where it does not: a row is read before it is written over. */
  generation: string | null;
}

function backoffMs(attempts: number, random: () => number): number {
  return Math.round(random() * Math.min(longestWaitMs, 1000 * 2 ** Math.min(attempts, 10)));
}

function eventOf(error: ApiError): Outcome['event'] {
  switch (error.code) {
    case 'network':
    case 'timeout':
    case 'bad_answer':
      return 'no_answer';
    // nothing is done in the name of somebody else
    case 'other_user':
    case 'too_early':
    case 'throttled':
    case 'blocked':
    case 'unavailable':
    case 'provider_unavailable':
    case 'generation_changed':
      return 'try_later';
    case 'internal':
      return 'fault';
    case 'not_authenticated':
      return 'not_authenticated';
    case 'permission_denied':
      return 'permission_denied';
    case 'client_too_old':
      return 'outdated';
    case 'not_found':
    case 'conflict':
    case 'stale_version':
    case 'too_large':
    case 'unsupported':
    case 'cursor_too_old':
    case 'invalid':
      return 'refuse';
  }
}

/** After these no answer came at all. */
const wasLost: ReadonlySet<ErrorCode> = new Set(['network', 'timeout', 'bad_answer']);

/** After these nobody knows whether the change was made: a gateway, too, may say that the server failed when only its answer did. */
const isOpen: ReadonlySet<ErrorCode> = new Set(['network', 'timeout', 'bad_answer', 'internal', 'unavailable']);

function failed({ now, random, build }: AttemptPorts, edit: OutboxRow, cause: unknown): Outcome & { error: ApiError } {
  const error = cause instanceof ApiError ? cause : new ApiError({ code: 'internal', detail: String(cause) });
  const nextAttemptAt = now() + (error.retryAfterMs ?? backoffMs(edit.attempts, random));
  const event = eventOf(error);
  return { event, error, nextAttemptAt, ...(event === 'outdated' ? { changes: { paused_build: build } } : {}) };
}

/** The same of what had no effect, whatever became of it: where no answer came it is not uncertain. */
function withoutEffect(outcome: Outcome): Outcome {
  return outcome.event === 'no_answer' ? { ...outcome, event: 'try_later' } : outcome;
}

/** Of these it matters who refuses: where the API does not say so itself, somebody on the way put a page in the place of its answer. */
const isOfApi: ReadonlySet<ErrorCode> = new Set([
  'permission_denied',
  'not_found',
  'conflict',
  'stale_version',
  'unsupported',
  'cursor_too_old',
  'invalid',
  'client_too_old',
]);

/** A refusal of what was asked or sent, if it is one: else nobody answered. */
function asRefusal(cause: unknown): unknown {
  return cause instanceof ApiError && !cause.isSaid && isOfApi.has(cause.code) ? asNoAnswer(cause) : cause;
}

/** The version to send an edit on. Where that is not known, or of another database, the server is to say how the row is now. */
function versionOf({ version, generation: of }: EditBase, generation: string): number {
  // that there was no row is said of any database
  const isKnown = version === 0 || of === generation;
  return isKnown && version !== null ? version : noVersion;
}

/** What becomes of an edit whose row somebody else changed; null where the row is as the edit was made on it. */
function outcomeOn(edit: OutboxRow, base: EditBase, current: ServerRow | null, generation: string | null): Outcome | null {
  const result = rebase(edit, base, current, generation);
  switch (result.kind) {
    case 'unchanged':
      return null;
    case 'met': {
      // the row is the answer, unless the edit answers another one, which the next pull brings
      const isAnswer = rowOfEdit(edit)?.noun === mutationNamed(edit.name).answers;
      return { event: 'accepted', answer: isAnswer ? current : null, changes: { is_met: true } };
    }
    case 'rebase':
      return { event: 'rebase', changes: { base: result.base, input: result.input } };
    case 'conflict':
      return { event: 'conflict', changes: { theirs: result.theirs } };
  }
}

/** Answers of the reading after which the edit is sent as it is: this server cannot be asked for the row. */
const cannotBeRead: ReadonlySet<ErrorCode> = new Set(['not_found', 'invalid', 'unsupported', 'permission_denied']);

/** Whether the API itself says that there is no such thing: what is in between may say so of everything. */
function isSaidGone(cause: unknown): boolean {
  return cause instanceof ApiError && cause.code === 'not_found' && cause.isSaid;
}

/** A row as it is now; null where there is none, undefined where that cannot be told. */
async function currentRow({ call }: AttemptPorts, about: GuardedRow): Promise<ServerRow | null | undefined> {
  const { endpoint, input } = rowReads[about.noun];
  const answer = (await call(endpoint, input(about.id)).catch((cause: unknown) => {
    // asked for by its address it is what is not found, where the API says so; a list that is not found says nothing of its rows
    if (pathParts(endpoint.path).length > 0 && isSaidGone(cause)) return [];
    throw cause;
  })) as ServerRow | ServerRow[];
  const rows = Array.isArray(answer) ? answer : [answer];
  // a whole page of others does not say that it is gone
  const isCut = endpoint.paging !== undefined && rows.length >= endpoint.paging.limit;
  return rows.find(({ id }) => id === about.id) ?? (isCut ? undefined : null);
}

/** Reads the row an edit is about, at a server that compares no versions. @returns null where the edit can be sent as it is. */
async function lookFirst(ports: AttemptPorts, edit: OutboxRow, base: EditBase): Promise<Outcome | null> {
  const about = rowOfEdit(edit);
  if (!about) return null;
  try {
    const current = await currentRow(ports, about);
    if (current === undefined) return null;
    // whether the row is so by an attempt of ours or by another hand, the key of the next one tells
    const isLeft = edit.may_have_arrived === true && isAsLeft(edit, base, current);
    if (isLeft && current && mutationNamed(edit.name).isMet?.(edit.input, current)) return null;
    // where that alone does not tell, both rows are so by an attempt of ours
    const own = isLeft ? null : outcomeOn(edit, base, current, null);
    return own ?? (await lookAtOther(ports, edit, { about, left: isLeft ? leftTogether(edit, base) : {} }));
  } catch (cause) {
    const outcome = failed(ports, edit, asRefusal(cause));
    if (cannotBeRead.has(outcome.error.code)) return null;
    return looked(edit, outcome);
  }
}

/** Whether another row an edit rests on is as the person saw it, in what they decided by. */
function isAsSeen({ fields }: EditBase, current: ServerRow | null): boolean {
  if (fields === null) return true;
  return current !== null && Object.entries(fields).every(([name, value]) => isSameValue(value, current[name] ?? null));
}

/** From then on the person knows that another row an edit rests on was changed. */
function toldOfOther(other: Required<OutboxRow>['rests_on']): Outcome['changes'] {
  return { rests_on: { ...other, is_told: true } };
}

/** What an edit leaves in both of its rows. */
function leftTogether(edit: OutboxRow, base: EditBase): Fields {
  const left = mineOf(edit, base.fields) ?? {};
  return Object.fromEntries((mutationNamed(edit.name).merge.together ?? []).map((name) => [name, left[name]]));
}

/** The same look at another row the edit rests on. @param left what of it is rather as an attempt left it than as the person saw it. */
async function lookAtOther(
  ports: AttemptPorts,
  { rests_on: other }: OutboxRow,
  { about, left }: { about: GuardedRow; left: Fields },
): Promise<Outcome | null> {
  if (!other) return null;
  const current = await currentRow(ports, { noun: about.noun, id: other.id });
  const expected = { ...other, fields: other.fields && { ...other.fields, ...left } };
  if (current === undefined || isAsSeen(expected, current)) return null;
  return {
    event: 'refuse',
    error: new ApiError({ code: 'conflict', detail: movedText }),
    changes: toldOfOther(other),
  };
}

/** What becomes of an edit that was sent on a version which another row it rests on is not in; null where that is not why it was refused. */
function outcomeOfMoved({ rests_on: other }: OutboxRow, generation: string, refused: Outcome & { error: ApiError }): Outcome | null {
  const moved = movedBodySchema.safeParse({ detail: refused.error.detail, ...refused.error.beside });
  if (!other || !moved.success) return null;
  const current = moved.data.rests_on;
  if (!isAsSeen(other, current) || current?.version === other.version) return { ...refused, changes: toldOfOther(other) };
  return { event: 'rebase', changes: { rests_on: { ...other, version: current?.version ?? 0, generation } } };
}

/** What becomes of an edit that was only looked for: of one that may have arrived it stays known how that was. */
function looked(edit: OutboxRow, met: Outcome): Outcome {
  const outcome = withoutEffect(met);
  if (!edit.may_have_arrived) return outcome;
  const { error: _ofLook, ...rest } = outcome;
  return rest;
}

const unknownText =
  'The answer was lost, and this server cannot say whether it arrived. Look whether it is there; if not, try it again, else discard it';

/** What becomes of an edit that made something, or did not: nobody knows. @returns null where it is to be sent again. */
async function lookForMade(ports: AttemptPorts, edit: OutboxRow): Promise<Outcome | null> {
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
    const { rows, absence } = await readList({ call: ports.call, pageLimit: null }, finds, finds.input(edit.input));
    const input = edit.input as MadeRow;
    const named = (rows as readonly MadeRow[]).filter((row) => row.id === input.id || row[finds.name] === input[finds.name]);
    const says = (row: MadeRow): boolean => merge.merges.every((field) => !(field in input) || isSameValue(row[field], input[field]));
    const made = named.find((row) => row.id === input.id || says(row));
    if (made) return { event: 'accepted', answer: made, changes: { is_met: true } };
    // another one by that name may be somebody else's, or what became of it
    const isAbsent = named.length === 0 && absence !== 'nothing';
    return isTold || (isAbsent && edit.resent === undefined) ? null : asked;
  } catch (cause) {
    const outcome = failed(ports, edit, asRefusal(cause));
    if (cannotBeRead.has(outcome.error.code)) return isTold ? null : asked;
    return looked(edit, outcome);
  }
}

/** Whether the server knows nothing any more of what an edit deletes: an attempt before this one may have done it, or it was gone before. */
async function isGone(ports: AttemptPorts, edit: OutboxRow): Promise<boolean> {
  const isExpected = edit.may_have_arrived || edit.base?.version === 0;
  const about = callOf(edit.name).endpoint.method === 'DELETE' && isExpected ? rowOfEdit(edit) : null;
  if (!about) return false;
  try {
    return (await currentRow(ports, about)) === null;
  } catch (cause) {
    return isSaidGone(cause);
  }
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
  const isSentAgain = !found || (found.event === 'accepted' && edit.may_have_arrived === true && isAsLeft(edit, base, current));
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
  const { base } = edit;
  const { generation } = ports;
  if (base && generation === null) {
    const outcome = await lookFirst(ports, edit, base);
    if (outcome) return outcome;
  }
  // the outbox holds a name and an input; the contract gives the call
  const { endpoint } = callOf(edit.name);
  const isRepeated = endpoint.method === 'POST' && !ports.keepsKeys && edit.may_have_arrived === true;
  const found = isRepeated ? await lookForMade(ports, edit) : null;
  if (found) return found;
  const outcome = await send(ports, edit, file);
  // what the server said it failed at may be tried as often as it is not found; an answer that was lost may still be on its way
  const isLost = edit.resent === 'asked' || edit.error === undefined || wasLost.has(edit.error.code);
  return isRepeated && isLost ? { ...outcome, changes: { ...outcome.changes, resent: 'once' } } : outcome;
}

async function send(ports: AttemptPorts, edit: OutboxRow, file: CallOptions['file']): Promise<Outcome> {
  const { base } = edit;
  const { generation } = ports;
  const { endpoint } = callOf(edit.name);
  const bound = base && generation !== null && endpoint.ifMatch ? { ifVersion: versionOf(base, generation), serverGen: generation } : null;
  const rests = bound && edit.rests_on ? { restsOnVersion: versionOf(edit.rests_on, bound.serverGen) } : null;
  try {
    const sent = { idempotencyKey: keyOf(edit), ...bound, ...rests, ...(file ? { file } : {}) };
    return { event: 'accepted', answer: await ports.call(endpoint, edit.input, sent) };
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
