import type { Permission } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import type { ClientSets } from '#replica/feed-page.ts';
import type { Replica } from '#replica/open.ts';
import type { Standing } from '#replica/pulls.ts';
import { dropRefusedColumns, noteRefusal } from '#replica/refusals.ts';
import { rowNouns } from '#replica/row-tables.ts';
import { idOfScope } from '#replica/scopes.ts';
import { clientsWithRowsOf } from './held-clients.ts';
import type { OwnRights } from './own-rights.ts';

interface RefusalPorts {
  replica: Replica;
  sets: ClientSets;
  now: () => number;
  rights: OwnRights;
  /** Null where no feed is followed. */
  pageLimit: number | null;
}

/** What is asked for. */
interface Question {
  /** Where its pull stood before. */
  askedAt: Standing;
  /** What one must be allowed. */
  right: Permission;
}

/**
 * Does work that asks for a list. One that is refused is left alone for a while. Where the server says that it was for want of a right,
 * what is held of the list goes. Else nobody knows why: a server that lets nobody in from where one is takes nothing from this device.
 * What somebody on the way refuses, such as a proxy, is a fault like any other: nobody is to believe that all is here.
 * @returns null where it was refused.
 */
export async function unlessRefused<T>(ports: RefusalPorts, question: Question, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || !isRefusal(ports, error)) throw error;
    await note(ports, question, error.code === 'permission_denied' && (await lacksRight(ports, question)));
    return null;
  }
}

/** Whether the server refused. One of which nobody knows how it says so may have no page at all for a list it does not know. */
function isRefusal({ pageLimit }: RefusalPorts, { code, isSaid }: ApiError): boolean {
  if (code === 'permission_denied') return isSaid;
  return code === 'not_found' && (isSaid || pageLimit === null);
}

/** Whether it is the server that refused, and for want of a right: ours says so, of another one its word about the person is asked. */
async function lacksRight({ pageLimit, rights }: RefusalPorts, { right }: Question): Promise<boolean> {
  return pageLimit !== null || rights.lacks(right);
}

async function note({ replica, sets, now, pageLimit }: RefusalPorts, { askedAt }: Question, isLacking: boolean): Promise<void> {
  const refusal = { askedAt, now: now() };
  // null where its rows are kept as columns
  const noun = rowNouns.find((each) => each === askedAt.pull.noun) ?? null;
  // of transactions a feed tells itself
  if (!isLacking || (noun === null && pageLimit !== null)) await noteRefusal(replica, { ...refusal, drops: null });
  else if (noun !== null) await noteRefusal(replica, { ...refusal, drops: noun });
  else {
    const entity = idOfScope('entity', askedAt.pull.scope);
    const clients = await clientsWithRowsOf(replica, sets, (id) => id === entity);
    await sets.without(clients, () => dropRefusedColumns(replica, clients, refusal));
  }
}
