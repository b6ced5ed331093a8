import type { Replica } from './open.ts';
import { countReset } from './pulls.ts';
import type { RowTables } from './row-tables.ts';
import type { StoreReading } from './store.ts';

const unreadName = 'unread';

/** A list of a noun for a scope. */
interface ListOf {
  scope: string;
  noun: string;
}

/** Lists with rows that a build could not read. */
interface Unread {
  build: string;
  lists: ListOf[];
}

/**
 * Notes that rows of some lists are there and cannot be read by this build. To be called before what came with them is written: a note too
 * many makes a list be read once more, one too few would leave it as it is for ever.
 */
export async function noteUnread({ rows }: Replica, build: string, lists: readonly ListOf[]): Promise<void> {
  await rows.write(['meta'], async (tx) => {
    const held = (await tx.get('meta', unreadName))?.value as Unread | undefined;
    const known = held?.build === build ? held.lists : [];
    const isKnown = ({ scope, noun }: ListOf): boolean => known.some((each) => each.scope === scope && each.noun === noun);
    const value: Unread = { build, lists: [...known, ...lists.filter((each) => !isKnown(each))] };
    await tx.put('meta', { k: unreadName, value });
  });
}

/** Whether a list has, or had, rows that are there and could not be read. Within a transaction over `meta`. */
export async function hasUnread(tx: StoreReading<RowTables>, { scope, noun }: ListOf): Promise<boolean> {
  const unread = (await tx.get('meta', unreadName))?.value as Unread | undefined;
  return unread?.lists.some((each) => each.scope === scope && each.noun === noun) ?? false;
}

/** Lists with rows that another build could not read are read from their beginning. */
export async function readUnreadAgain({ rows }: Replica, build: string): Promise<void> {
  await rows.write(['pulls', 'meta'], async (tx) => {
    const unread = (await tx.get('meta', unreadName))?.value as Unread | undefined;
    if (!unread || unread.build === build) return;
    await countReset(tx);
    await tx.removeMany(
      'pulls',
      unread.lists.map(({ scope, noun }): [string, string] => [scope, noun]),
    );
    await tx.remove('meta', unreadName);
  });
}
