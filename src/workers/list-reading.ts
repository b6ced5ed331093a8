import type { ApiCall } from '#api-client/call.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { type Absence, absenceOf } from '#replica/pulls.ts';
import { readBySkipping } from './paging.ts';
import { type Stream, streams } from './streams.ts';

interface ListPorts {
  call: ApiCall;
  /** The most rows the server puts in one page, where it says so: then a shorter page is all there is. Null at any other. */
  pageLimit: number | null;
}

type Row = { id: string };
type Input = Readonly<Record<string, unknown>>;

/** What a list was answered, and what that says of rows that are not in it. */
export interface ReadList {
  rows: readonly Row[];
  absence: Absence;
}

/** Answers of a server that takes no `skip` here, or cannot make anything of it. */
const takesNoSkip: ReadonlySet<ErrorCode> = new Set(['invalid', 'unsupported', 'not_found', 'internal', 'bad_answer']);

/** Reads a stream's whole list: all that its questions are answered. */
export async function readStream(ports: ListPorts, stream: Stream, id: string): Promise<ReadList> {
  const read: ReadList[] = [];
  for (const input of stream.inputs(id)) read.push(await readList(ports, stream, input));
  return together(read);
}

function together(lists: readonly ReadList[]): ReadList {
  const rows = new Map(lists.flatMap((list) => list.rows.map((row) => [row.id, row])));
  return { rows: [...rows.values()], absence: absenceOf(lists.map(({ absence }) => absence)) };
}

/** Reads a whole list. */
export async function readList(ports: ListPorts, stream: Pick<Stream, 'endpoint' | 'parts'>, input: Input): Promise<ReadList> {
  const { call, pageLimit } = ports;
  const { paging } = stream.endpoint;
  const ask = async (more: Input): Promise<Row[]> => (await call(stream.endpoint, { ...input, ...more })) as Row[];
  if (!paging) return { rows: await ask({}), absence: 'gone' };
  const limit = pageLimit ?? paging.limit;
  const by = paging.by === 'offset' ? 'offset' : 'skip';
  /** @param first what was read of it already. */
  const skipping = (first: Row[] | null) => {
    let read = first;
    return readBySkipping(async (skip) => {
      const page = skip === 0 ? read : null;
      read = null;
      return page ?? ask({ [by]: skip, limit });
    });
  };
  if (paging.by !== 'single' && pageLimit === null) return whole(await skipping(null), limit);
  const rows = await ask({ limit });
  if (rows.length < limit) return { rows, absence: 'gone' };
  if (paging.by !== 'single') return whole(await skipping(rows), limit);
  // a list that knows no next page, and one that is full: the server may know one all the same
  const beyond = await skipping(rows).catch((cause: unknown) => {
    if (cause instanceof ApiError && takesNoSkip.has(cause.code)) return null;
    throw cause;
  });
  const read: ReadList = beyond ? whole(beyond, limit) : { rows, absence: 'nothing' };
  return read.absence === 'nothing' && stream.parts ? readInParts(ports, { ...stream, parts: stream.parts }, { input, cut: read }) : read;
}

/** A server that gives the same page again, whatever is skipped, gave all there is only where that page is not full. */
function whole({ rows, isRepeating }: { rows: Row[]; isRepeating: boolean }, limit: number): ReadList {
  return { rows, absence: !isRepeating ? 'missed' : rows.length < limit ? 'gone' : 'nothing' };
}

/** Reads a list that is cut in the parts that are those of the rows of another list. */
async function readInParts(
  ports: ListPorts,
  { endpoint, parts }: Required<Pick<Stream, 'endpoint' | 'parts'>>,
  { input, cut }: { input: Input; cut: ReadList },
): Promise<ReadList> {
  const [owning] = streams.filter(({ noun }) => noun === parts.of);
  if (!owning) return cut;
  const owners = await readStream(ports, owning, '');
  const read: ReadList[] = [];
  for (const { id } of owners.rows) read.push(await readList(ports, { endpoint }, { ...input, [parts.by]: id }));
  const held = new Set(read.flatMap(({ rows }) => rows.map(({ id }) => id)));
  // a row that is of none of them says that there may be more of its kind
  const isCovered = owners.absence !== 'nothing' && cut.rows.every(({ id }) => held.has(id));
  const all = together([cut, ...read]);
  return { rows: all.rows, absence: isCovered && read.every(({ absence }) => absence !== 'nothing') ? 'missed' : 'nothing' };
}
