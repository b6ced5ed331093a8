import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Endpoint, inputIssues, type OutputOf, type ParsedInputOf } from '#contract/endpoint.ts';
import { ApiError, feedRefusals, movedText, otherUserText } from '#contract/errors.ts';
import { deviceIdSchema } from '#contract/feed.ts';
import { isAllowed } from '#domain/permissions.ts';
import { readCookie } from './cookies.ts';
import type { Db } from './database/open.ts';
import { actAs } from './repositories/audit.ts';
import { generationOf } from './repositories/change-log.ts';
import { heldRow } from './repositories/held-rows.ts';
import { claimKey, storeAnswer, storedAnswer } from './repositories/idempotency.ts';
import { findSignedIn, type SignedIn } from './repositories/sessions.ts';
import type { Server } from './server.ts';
import { type Upload, uploadOf } from './uploads.ts';

/** What a route works with. `db` is one transaction where the call changes something. */
export interface Call {
  db: Db;
  /** UTC milliseconds, the same for the whole call. */
  now: number;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface SignedInCall extends Call {
  user: SignedIn;
}

/** A call that came with a file. */
export interface UploadCall extends SignedInCall {
  upload: Upload;
}

type ContextOf<E extends Endpoint> = E extends { permission: 'anyone' }
  ? Call
  : E extends { sendAs: 'multipart' }
    ? UploadCall
    : SignedInCall;

/** What was sent. @param fields of a form that came with a file; what a query says of it counts, too. */
function sentInput(endpoint: Endpoint, request: FastifyRequest, fields?: Upload['fields']): unknown {
  const carried = fields ? { ...(request.query as object), ...fields } : endpoint.sendAs === 'query' ? request.query : (request.body ?? {});
  const params = (request.params ?? {}) as object;
  return typeof carried === 'object' && carried !== null && !Array.isArray(carried) ? { ...carried, ...params } : carried;
}

function parseInput(endpoint: Endpoint, sent: unknown): unknown {
  const parsed = endpoint.input.safeParse(sent);
  if (!parsed.success) throw new ApiError({ code: 'invalid', detail: inputIssues(endpoint, parsed.error) });
  return parsed.data;
}

/** Who is asking; refuses with the catalogue's texts when nobody is, or when the session is over. */
async function signedInUser(server: Server, request: FastifyRequest, now: number): Promise<SignedIn> {
  const token = readCookie(request, 'access', server.config.isSecure);
  if (!token) throw new ApiError({ code: 'not_authenticated', detail: 'Not authenticated' });
  const user = await findSignedIn(server.database.db, token, now);
  if (!user) throw new ApiError({ code: 'not_authenticated', detail: 'Invalid token' });
  // whoever asks works for one person: with the cookie of another they would read, or change, what is not theirs
  const whose = request.headers['x-user-id'];
  if (whose !== undefined && whose !== user.id) throw new ApiError({ code: 'other_user', detail: otherUserText });
  return user;
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length === 0 || key.length > 200) {
    throw new ApiError({
      code: 'invalid',
      detail: [{ loc: ['header', 'Idempotency-Key'], msg: 'Give one key of 1 to 200 characters', type: 'invalid_key' }],
    });
  }
  return key;
}

/** The device a change comes from, where it says so. */
function deviceOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-device-id'];
  if (header === undefined) return undefined;
  const parsed = deviceIdSchema.safeParse(header);
  if (parsed.success) return parsed.data;
  throw new ApiError({
    code: 'invalid',
    detail: [{ loc: ['header', 'X-Device-Id'], msg: 'Give one name of 1 to 200 characters', type: 'invalid_device' }],
  });
}

/** The version a header names; none without it. */
function versionIn(request: FastifyRequest, name: 'If-Match' | 'X-Rests-On'): number | undefined {
  const header = request.headers[name.toLowerCase()];
  if (header === undefined) return undefined;
  const [, digits] = /^"(\d{1,15})"$/.exec(String(header)) ?? [];
  if (digits !== undefined) return Number(digits);
  throw new ApiError({
    code: 'invalid',
    detail: [{ loc: ['header', name], msg: 'Give one version of the row, such as "3"', type: 'invalid_version' }],
  });
}

/**
 * Holds the rows a change is bound to until the change is made.
 * @throws ApiError `stale_version` where its own is in another version, `conflict` where another one is that it rests on,
 *   `generation_changed` where the version is one of another database.
 */
async function requireVersion(tx: Db, endpoint: Endpoint, { call, input }: { call: SignedInCall; input: unknown }): Promise<void> {
  if (endpoint.ifMatch === undefined) return;
  const version = versionIn(call.request, 'If-Match');
  if (version === undefined) return;
  const generation = call.request.headers['x-server-gen'];
  if (generation !== undefined && generation !== (await generationOf(tx))) {
    throw new ApiError({ code: 'generation_changed', detail: feedRefusals.generationChanged });
  }
  const { noun, id } = endpoint.ifMatch;
  const held = (name: string): ReturnType<typeof heldRow> => heldRow(tx, call.user, noun, String((input as Record<string, unknown>)[name]));
  const current = await held(id);
  if ((current?.version ?? 0) !== version) {
    throw new ApiError({ code: 'stale_version', detail: 'The row was changed meanwhile', beside: { current } });
  }
  if (endpoint.restsOn === undefined) return;
  const other = versionIn(call.request, 'X-Rests-On');
  if (other === undefined) return;
  const rests_on = await held(endpoint.restsOn);
  if ((rests_on?.version ?? 0) !== other) throw new ApiError({ code: 'conflict', detail: movedText, beside: { rests_on } });
}

/** Makes ready what a call needs before its transaction begins. */
type Prepare<E extends Endpoint, P> = (input: ParsedInputOf<E>, call: ContextOf<E>) => Promise<P>;

/** PostgreSQL's words for "two changes crossed, this one was undone: try again". */
const crossed: ReadonlySet<string> = new Set(['40P01', '40001']);
const mostTries = 4;

/** Runs a change in a transaction, again where it crossed another one; nothing of a failed try is left. */
async function transact<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      const { code } = ((error as Error).cause ?? error) as { code?: string };
      if (tries === mostTries || code === undefined || !crossed.has(code)) throw error;
    }
  }
}

/** A change as it was sent. */
interface SentChange {
  call: SignedInCall;
  sent: unknown;
  upload: Upload | undefined;
}

function hashOf(endpoint: Endpoint, { call, upload }: SentChange, input: unknown): string {
  const said = JSON.stringify([endpoint.method, call.request.url, input, upload?.fingerprint ?? '']);
  return createHash('sha256').update(said).digest('hex');
}

/** The stored answer of a change, said to be one. */
function repeated({ reply }: Call, { body }: { body: unknown }): unknown {
  void reply.header('idempotent-replayed', 'true');
  return body;
}

/** The answer that a change was given before. @param inputs what it says, as it was sent and as it is read. */
function answerBefore(
  server: Server,
  endpoint: Endpoint,
  change: SentChange,
  ...inputs: [unknown, ...unknown[]]
): ReturnType<typeof storedAnswer> {
  const key = keyOf(change.call.request);
  if (key === undefined) return Promise.resolve(undefined);
  const [sent, ...read] = inputs.map((input) => hashOf(endpoint, change, input)) as [string, ...string[]];
  return storedAnswer(server.database.db, { userId: change.call.user.id, key, requestHashes: [sent, ...read] });
}

/**
 * A change that this version of the server does not take, and that may have been made before it was updated.
 * @throws why it is not taken, where it was not made.
 */
async function repeatedOr(refusal: unknown, server: Server, endpoint: Endpoint, change: SentChange): Promise<unknown> {
  const stored = await answerBefore(server, endpoint, change, change.sent);
  if (!stored) throw refusal;
  return repeated(change.call, stored);
}

/** Makes a change and stores its answer under its key, all in one transaction; a repeated key gets the stored answer. */
async function change(
  server: Server,
  endpoint: Endpoint,
  { input, ...sentChange }: SentChange & { input: unknown },
  run: (tx: Db) => Promise<unknown>,
): Promise<unknown> {
  const { call, sent } = sentChange;
  const key = keyOf(call.request);
  return transact(server.database.db, async (tx) => {
    await actAs(tx, call.user.id);
    const requestHashes = [hashOf(endpoint, sentChange, sent), hashOf(endpoint, sentChange, input)] as const;
    const keyed = key === undefined ? undefined : { userId: call.user.id, key, requestHashes, deviceId: deviceOf(call.request) };
    const stored = keyed && (await claimKey(tx, keyed));
    if (stored) return repeated(call, stored);
    await requireVersion(tx, endpoint, { call, input });
    const answer = await run(tx);
    if (keyed) await storeAnswer(tx, keyed, 200, answer);
    return answer;
  });
}

/**
 * Serves one call of the contract: session, permission, input, and for changes one transaction with its idempotency key.
 * Whether the rows may be touched is decided in the queries `run` makes, by the user it is given. What takes long and needs
 * no transaction is done by `prepare`, before it; an upload has been read by then. A call whose answer is events or a file gives a
 * stream, which is sent as it comes.
 */
export function route<E extends Endpoint, P = undefined>(
  server: Server,
  endpoint: E,
  run: (input: ParsedInputOf<E>, call: ContextOf<E>, prepared: P) => Promise<OutputOf<E> | Readable>,
  prepare?: Prepare<E, P>,
): void {
  const { permission } = endpoint;
  const perform = run as (input: unknown, call: Call, prepared: unknown) => Promise<unknown>;
  server.app.route({
    method: endpoint.method,
    url: endpoint.path,
    // nobody takes what a stream without a body would go on telling
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const now = server.clock();
      void reply.header('cache-control', 'no-store');
      const call: Call = { db: server.database.db, now, request, reply };
      if (permission === 'anyone') return perform(parseInput(endpoint, sentInput(endpoint, request)), call, undefined);
      const user = await signedInUser(server, request, now);
      void reply.header('x-perm-version', user.perm_version);
      // whoever reads for somebody else, whose session was another's a moment ago, is to see it
      void reply.header('x-user-id', user.id);
      if (permission !== 'signed_in' && !isAllowed(user, permission === 'superuser' ? { superuserOnly: true } : { anyOf: [permission] })) {
        throw new ApiError({ code: 'permission_denied', detail: 'Permission denied' });
      }
      const upload = endpoint.fileLimitBytes === undefined ? undefined : await uploadOf(request, endpoint.fileLimitBytes);
      const signedIn: SignedInCall = { ...call, user, ...(upload ? { upload } : {}) };
      const sent = sentInput(endpoint, request, upload?.fields);
      const isChange = endpoint.method !== 'GET' && !endpoint.asksOnly;
      let input: ParsedInputOf<E>;
      try {
        input = parseInput(endpoint, sent) as ParsedInputOf<E>;
      } catch (refusal) {
        if (!isChange) throw refusal;
        return repeatedOr(refusal, server, endpoint, { call: signedIn, sent, upload });
      }
      if (!isChange) return perform(input, signedIn, undefined);
      // what was done needs nothing made ready, and what it was made of may be out of sight by now
      const before = prepare && (await answerBefore(server, endpoint, { call: signedIn, sent, upload }, sent, input));
      if (before) return repeated(signedIn, before);
      const prepared = await prepare?.(input, signedIn as ContextOf<E>);
      return change(server, endpoint, { call: signedIn, sent, input, upload }, (db) =>
        perform(input, { ...signedIn, db } as SignedInCall, prepared),
      );
    },
  });
}
