import type { ApiCall } from '#api-client/call.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { type Endpoint, type GuardedRow, pathParts } from '#contract/endpoint.ts';
import { rowReads } from '#contract/mutation-calls.ts';
import { missesToGo } from '#replica/pulls.ts';
import type { ServerRow } from '#replica/rebase.ts';
import type { AttemptPorts } from './attempt-outcome.ts';
import { askListPage, isWhole, rowBehind } from './list-reading.ts';
import { isSaidGone } from './server-faults.ts';

/** Answers of the reading after which the edit is sent as it is: this server cannot be asked for the row. */
export const cannotBeRead: ReadonlySet<ErrorCode> = new Set(['not_found', 'invalid', 'unsupported', 'permission_denied']);

/**
 * A row as it is now; null where there is none, undefined where that cannot be told.
 * @param misses how many lists must lack it, one after another, where it is read in a list: one answer may lack a row that is there.
 */
export async function currentRow({ call }: AttemptPorts, about: GuardedRow, misses = missesToGo): Promise<ServerRow | null | undefined> {
  const { endpoint, input } = rowReads[about.noun];
  if (endpoint.paging) return rowInLists(call, endpoint, input(about.id), { id: about.id, misses });
  const answer = (await call(endpoint, input(about.id)).catch((cause: unknown) => {
    // asked for by its address it is what is not found, where the API says so; a list that is not found says nothing of its rows
    if (pathParts(endpoint.path).length > 0 && isSaidGone(cause)) return [];
    throw cause;
  })) as ServerRow | ServerRow[];
  return [answer].flat().find(({ id }) => id === about.id) ?? null;
}

async function rowInLists(
  call: ApiCall,
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  { id, misses }: { id: string; misses: number },
): Promise<ServerRow | null | undefined> {
  for (let miss = 0; miss < misses; miss += 1) {
    const row = await rowInList(call, endpoint, input, id);
    if (row !== null) return row;
  }
  return null;
}

/** The same by one list, which may have pages: a server may not know the id in it, and give others. That pages lack a row does not say that it is gone. */
async function rowInList(
  call: ApiCall,
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  id: string,
): Promise<ServerRow | null | undefined> {
  const ports = { call, pageLimit: null };
  const first = await askListPage(ports, endpoint, input);
  const found = first.rows.find((row) => row.id === id);
  if (found || first.given.some((row) => row.id === id)) return found as ServerRow | undefined;
  if (await isWhole(ports, endpoint, input, first)) return null;
  return (await rowBehind(ports, endpoint, input, first, id)) as ServerRow | undefined;
}
