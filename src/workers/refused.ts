import { ApiError } from '#contract/errors.ts';
import type { Replica } from '#replica/open.ts';
import type { Standing } from '#replica/pulls.ts';
import { noteRefusal } from '#replica/refusals.ts';
import { type RowNoun, rowNouns } from '#replica/row-tables.ts';

interface RefusalPorts {
  replica: Replica;
  now: () => number;
  /** Null where no feed is followed. */
  pageLimit: number | null;
}

/** By these all else is found; that the places themselves were lost the feed tells. */
const places: ReadonlySet<RowNoun> = new Set(['organizations', 'clients', 'entities']);

/**
 * Does work that asks for a list. One that is refused is left alone for a while. Where a feed is followed it is our server that refused,
 * for want of a right, and what is held of the list goes. Elsewhere nobody knows who refused, and why: a proxy, or a server that lets
 * nobody in from where one is, takes nothing from this device.
 * @param askedAt where its pull stood before.
 * @returns null where it was refused.
 */
export async function unlessRefused<T>(
  { replica, now, pageLimit }: RefusalPorts,
  askedAt: Standing,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 'permission_denied' && error.code !== 'not_found')) throw error;
    const isOurs = pageLimit !== null && error.code === 'permission_denied' && error.isSaid;
    // that transactions may no longer be seen is told by the loss of their scope
    const noun = rowNouns.find((each) => each === askedAt.pull.noun && !places.has(each));
    await noteRefusal(replica, { askedAt, drops: isOurs ? (noun ?? null) : null, now: now() });
    return null;
  }
}
