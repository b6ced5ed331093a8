import type { z } from 'zod';
import type { ValidationIssue } from './errors.ts';
import type { PermissionKey } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How an input that is not part of the path travels. `multipart`: as fields of a form whose part `file` is a file. */
export type SendAs = 'query' | 'json' | 'form' | 'multipart';

/**
 * How a list is read to its end. See the pull strategies in `workers/`. `date_keyset`: newest first, from an `end_date` on that moves down;
 * `date` is the field of a row that it goes by.
 */
export type Paging =
  | { by: 'date_keyset'; limit: number; date: string }
  | { by: 'skip'; limit: number }
  | { by: 'offset'; limit: number }
  | { by: 'single'; limit: number };

/** The key a caller must hold, `superuser` for the flag alone, `signed_in` for any session, `anyone` for none. */
export type Permission = PermissionKey | 'superuser' | 'signed_in' | 'anyone';

/** The row whose version a change may be bound to: its noun, and the input that is its id. */
export interface GuardedRow {
  noun: 'saved_views' | 'transactions' | 'organizations' | 'clients' | 'entities' | 'users' | 'archived_assets';
  id: string;
}

/** One call of the API: everything a server route and a client call need to agree on. */
export interface Endpoint<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType, P extends Permission = Permission> {
  readonly name: string;
  readonly method: Method;
  /** Path below the API's base; `:name` parts are taken from the input. */
  readonly path: string;
  readonly permission: P;
  readonly sendAs: SendAs;
  readonly input: In;
  readonly output: Out;
  readonly paging?: Paging;
  /** A POST that changes nothing: no transaction is opened for it, and no idempotency key is kept. */
  readonly asksOnly?: true;
  /**
   * The change takes the header `If-Match: "<version>"`: it is made only where the row is in that version, `"0"` standing for no
   * row at all, and is refused with `stale_version` otherwise, the row as it is now (null for none) beside it as `current`.
   */
  readonly ifMatch?: GuardedRow;
  /**
   * The input that names another row of `ifMatch`'s noun on which the change rests, too. It takes the header `X-Rests-On: "<version>"`:
   * where that row is in another version the change is refused with `conflict`, the row as it is now beside it as `rests_on`.
   */
  readonly restsOn?: string;
  /** The largest file a `multipart` call takes, in bytes. */
  readonly fileLimitBytes?: number;
  /** One JSON text unless told: `events` is a stream of Server-Sent Events that goes on, `file` is bytes to be saved. */
  readonly answerAs?: 'events' | 'file';
}

/** Defines a call. GET and DELETE send their input as query, POST and PUT as JSON, unless `sendAs` says otherwise. */
export function defineEndpoint<In extends z.ZodType, Out extends z.ZodType, const P extends Permission, const S extends SendAs>(
  definition: Omit<Endpoint<In, Out, P>, 'sendAs'> & { sendAs?: S },
): Endpoint<In, Out, P> & { readonly sendAs: S } {
  const sendAs = definition.sendAs ?? (definition.method === 'GET' || definition.method === 'DELETE' ? 'query' : 'json');
  return { ...definition, sendAs: sendAs as S };
}

/** The names of the `:parts` of a path, in order. */
export function pathParts(path: string): string[] {
  return [...path.matchAll(/:([a-z_]+)/g)].map((match) => match[1] ?? '');
}

/** What is wrong with an input, each fault with its place: the path, the query or the body. */
export function inputIssues(endpoint: Endpoint, error: z.ZodError): ValidationIssue[] {
  const parts = new Set(pathParts(endpoint.path));
  const rest = endpoint.sendAs === 'query' ? 'query' : 'body';
  return error.issues.map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    return { loc: [parts.has(String(path[0])) ? 'path' : rest, ...path], msg: issue.message, type: issue.code };
  });
}

export type InputOf<E> = E extends Endpoint<infer In, z.ZodType> ? z.input<In> : never;
export type ParsedInputOf<E> = E extends Endpoint<infer In, z.ZodType> ? z.output<In> : never;
export type OutputOf<E> = E extends Endpoint<z.ZodType, infer Out> ? z.output<Out> : never;
