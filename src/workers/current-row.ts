import type { ApiCall } from '#api-client/call.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { type Endpoint, type GuardedRow, pathParts } from '#contract/endpoint.ts';
import { rowReads } from '#contract/mutation-calls.ts';
import { missesToGo } from '#replica/pulls.ts';
import type { ServerRow } from '#replica/rebase.ts';
import type { AttemptPorts } from './attempt-outcome.ts';
import { unreadAmong } from './given-rows.ts';
import { askListPage, isWhole, readAll, readBehind } from './list-reading.ts';
import { isSaidGone } from './server-faults.ts';

/** Answers of the reading after which the edit is sent as it is: this server cannot be asked for the row. */
export const cannotBeRead: ReadonlySet<ErrorCode> = new Set(['not_found', 'invalid', 'unsupported', 'permission_denied']);

/**
 * A row as it is now; null where there is none, undefined where that cannot be told.
 * @throws UnreadRowError where it is among others and cannot be read.
 * @param misses how many answers must lack it, one after another, where it is read among rows: one may lack a row that is there.
 */
export async function currentRow(
  { call }: AttemptPorts,
  { noun, id }: GuardedRow,
  misses = missesToGo,
): Promise<ServerRow | null | undefined> {
  const { endpoint, input } = rowReads[noun];
  const rows = { call, endpoint, input: input(id), id };
  if (pathParts(endpoint.path).length > 0) return rowAtAddress(rows);
  for (let miss = 0; miss < misses; miss += 1) {
    const row = await (endpoint.paging ? rowInList(rows) : rowAskedFor(rows));
    if (row !== null) return row;
  }
  return null;
}

/** Where a row is read, and which. */
interface RowReading {
  call: ApiCall;
  endpoint: Endpoint;
  input: Readonly<Record<string, unknown>>;
  id: string;
}

/** The row at its own address: not found there it is gone, where the API says so. A list that is not found says nothing of its rows. */
async function rowAtAddress({ call, endpoint, input, id }: RowReading): Promise<ServerRow | null> {
  const row = (await call(endpoint, input).catch((cause: unknown) => {
    if (isSaidGone(cause)) return null;
    throw cause;
  })) as ServerRow | null;
  return row?.id === id ? row : null;
}

/** A row is there, and nothing but its id can be read: it is neither gone nor known, and is not written over unseen. */
export class UnreadRowError extends ApiError {
  constructor() {
    super({ code: 'bad_answer', isSaid: true, detail: 'The server gives the row in another shape than expected' });
  }
}

function requireRead(unread: readonly string[], id: string): void {
  if (unread.includes(id)) throw new UnreadRowError();
}

/** The row by a call that is asked for it alone. */
async function rowAskedFor({ call, endpoint, input, id }: RowReading): Promise<ServerRow | null> {
  const { rows, unread } = await readAll(call, endpoint, input);
  requireRead(unread, id);
  return (rows.find((row) => row.id === id) as ServerRow | undefined) ?? null;
}

/** The row by one list, which may have pages: a server may not know the id in it, and give others. That pages lack a row does not say that it is gone. */
async function rowInList({ call, endpoint, input, id }: RowReading): Promise<ServerRow | null | undefined> {
  const ports = { call, pageLimit: null };
  const first = await askListPage(ports, endpoint, input);
  const found = first.rows.find((row) => row.id === id);
  if (found) return found as ServerRow;
  requireRead(unreadAmong(first.given, first.rows), id);
  if (await isWhole(ports, endpoint, input, first)) return null;
  const behind = await readBehind(ports, endpoint, input, first);
  requireRead(behind?.unread ?? [], id);
  return behind?.rows.find((row) => row.id === id) as ServerRow | undefined;
}
