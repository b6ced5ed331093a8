import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { type GuardedRow, pathParts } from '#contract/endpoint.ts';
import { rowReads } from '#contract/mutation-calls.ts';
import type { ServerRow } from '#replica/rebase.ts';
import type { AttemptPorts } from './attempt-outcome.ts';

/** Answers of the reading after which the edit is sent as it is: this server cannot be asked for the row. */
export const cannotBeRead: ReadonlySet<ErrorCode> = new Set(['not_found', 'invalid', 'unsupported', 'permission_denied']);

/** Whether the API itself says that there is no such thing: what is in between may say so of everything. */
export function isSaidGone(cause: unknown): boolean {
  return cause instanceof ApiError && cause.code === 'not_found' && cause.isSaid;
}

/** A row as it is now; null where there is none, undefined where that cannot be told. */
export async function currentRow({ call }: AttemptPorts, about: GuardedRow): Promise<ServerRow | null | undefined> {
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
