import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Endpoint, type OutputOf, type ParsedInputOf, pathParts } from '#contract/endpoint.ts';
import { ApiError, type ValidationIssue } from '#contract/errors.ts';
import { isAllowed } from '#domain/permissions.ts';
import { readCookie } from './cookies.ts';
import type { Db } from './database/open.ts';
import { claimKey, storeAnswer } from './repositories/idempotency.ts';
import { findSignedIn, type SignedIn } from './repositories/sessions.ts';
import type { Server } from './server.ts';

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

type ContextOf<E extends Endpoint> = E extends { permission: 'anyone' } ? Call : SignedInCall;
type Run<E extends Endpoint, C> = (input: ParsedInputOf<E>, call: C) => Promise<OutputOf<E>>;

function issuesOf(error: z.ZodError, endpoint: Endpoint): ValidationIssue[] {
  const parts = new Set(pathParts(endpoint.path));
  const rest = endpoint.sendAs === 'query' ? 'query' : 'body';
  return error.issues.map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    return { loc: [parts.has(String(path[0])) ? 'path' : rest, ...path], msg: issue.message, type: issue.code };
  });
}

function parseInput(endpoint: Endpoint, request: FastifyRequest): unknown {
  const carried = endpoint.sendAs === 'query' || endpoint.sendAs === 'multipart' ? request.query : (request.body ?? {});
  const params = (request.params ?? {}) as object;
  const given = typeof carried === 'object' && carried !== null && !Array.isArray(carried) ? { ...carried, ...params } : carried;
  const parsed = endpoint.input.safeParse(given);
  if (!parsed.success) throw new ApiError({ code: 'invalid', detail: issuesOf(parsed.error, endpoint) });
  return parsed.data;
}

/** Who is asking; refuses with the catalogue's texts when nobody is, or when the session is over. */
export async function signedInUser(server: Server, request: FastifyRequest, now: number): Promise<SignedIn> {
  const token = readCookie(request, 'access', server.config.isSecure);
  if (!token) throw new ApiError({ code: 'not_authenticated', detail: 'Not authenticated' });
  const user = await findSignedIn(server.database.db, token, now);
  if (!user) throw new ApiError({ code: 'not_authenticated', detail: 'Invalid token' });
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

/** Makes a change and stores its answer under its key, all in one transaction; a repeated key gets the stored answer. */
async function change(
  server: Server,
  endpoint: Endpoint,
  input: unknown,
  call: SignedInCall,
  run: Run<Endpoint, SignedInCall>,
): Promise<unknown> {
  const key = keyOf(call.request);
  const requestHash = createHash('sha256')
    .update(JSON.stringify([endpoint.method, call.request.url, input]))
    .digest('hex');
  return server.database.db.transaction(async (db) => {
    const keyed = key === undefined ? undefined : { userId: call.user.id, key, requestHash };
    const stored = keyed && (await claimKey(db, keyed));
    if (stored) {
      void call.reply.header('idempotent-replayed', 'true');
      return stored.body;
    }
    const answer = await run(input, { ...call, db });
    if (keyed) await storeAnswer(db, keyed, 200, answer);
    return answer;
  });
}

/**
 * Serves one call of the contract: session, permission, input, and for changes one transaction with its idempotency key.
 * Whether the rows may be touched is decided in the queries `run` makes, by the user it is given.
 */
export function route<E extends Endpoint>(server: Server, endpoint: E, run: Run<E, ContextOf<E>>): void {
  const { permission } = endpoint;
  const perform = run as Run<Endpoint, Call>;
  server.app.route({
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request, reply) => {
      const now = server.clock();
      void reply.header('cache-control', 'no-store');
      const call: Call = { db: server.database.db, now, request, reply };
      if (permission === 'anyone') return perform(parseInput(endpoint, request), call);
      const user = await signedInUser(server, request, now);
      if (permission !== 'signed_in' && !isAllowed(user, { anyOf: [permission] })) {
        throw new ApiError({ code: 'permission_denied', detail: 'Permission denied' });
      }
      const input = parseInput(endpoint, request);
      if (endpoint.method === 'GET') return perform(input, { ...call, user } as SignedInCall);
      return change(server, endpoint, input, { ...call, user }, run as Run<Endpoint, SignedInCall>);
    },
  });
}
