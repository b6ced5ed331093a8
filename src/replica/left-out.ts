import { dropColumns, purgedTables, resetPulls } from './purge.ts';
import { type DeviceTables, deviceSchema } from './device-tables.ts';
import { feedStateIn, putFeedState } from './feed-state.ts';
import type { Replica } from './open.ts';
import { countReset } from './pulls.ts';
import { rowNouns } from './row-tables.ts';
import { idOfScope, scopeKey } from './scopes.ts';

// A person may leave clients out of the copy on a device: their names, entities and accounts stay, their transactions and matches are
// not kept. What the person chose outlives the copy; what the copy has let go of is noted in it, with its rows.

const chosenName = ({ userKey }: Pick<Replica, 'userKey'>): string => `left_out ${userKey}`;
const leftOutName = 'left_out';

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []);

/** The clients a person chose to leave out on this device, followed until it is closed. */
export interface LeftOutChoice {
  /** As it is now; read again only after something changed. */
  clients: () => Promise<readonly string[]>;
  close: () => void;
}

/** @param onChange told when it is another one. */
export async function followChoice(replica: Pick<Replica, 'host' | 'userKey'>, onChange: () => void): Promise<LeftOutChoice> {
  const device = await replica.host.open<DeviceTables>(deviceSchema);
  let reading: Promise<string[]> | null = null;
  let last = '';
  const stop = device.watch(['device'], () => {
    reading = null;
    const before = last;
    clients().then(
      (now) => now.join() !== before && onChange(),
      () => undefined,
    );
  });
  const read = async (): Promise<string[]> => {
    try {
      const chosen = idsIn((await device.read(['device'], (tx) => tx.get('device', chosenName(replica))))?.value);
      last = chosen.join();
      return chosen;
    } catch (error) {
      reading = null;
      throw error;
    }
  };
  const clients = (): Promise<string[]> => (reading ??= read());
  return {
    clients,
    close: () => {
      stop();
      device.close();
    },
  };
}

/** The person's choice to leave a client out, or to keep it again; the writer does it with its next round. */
export async function chooseToLeaveOut(replica: Pick<Replica, 'host' | 'userKey'>, clientId: string, isLeftOut: boolean): Promise<void> {
  const device = await replica.host.open<DeviceTables>(deviceSchema);
  try {
    await device.write(['device'], async (tx) => {
      const others = idsIn((await tx.get('device', chosenName(replica)))?.value).filter((id) => id !== clientId);
      await tx.put('device', { k: chosenName(replica), value: isLeftOut ? [...others, clientId] : others });
    });
  } finally {
    device.close();
  }
}

/** The clients the copy holds no transactions of, and asks for none. */
export async function leftOutOf({ rows }: Replica): Promise<string[]> {
  return idsIn((await rows.read(['meta'], (tx) => tx.get('meta', leftOutName)))?.value);
}

/**
 * From now on the copy leaves out these clients and no others. Of those it did not leave out so far it lets go, and their columns are
 * to be closed meanwhile; what it takes in again is pulled from the beginning.
 */
export async function leaveOut({ rows }: Replica, clients: readonly string[], newly: readonly string[]): Promise<void> {
  await rows.write(purgedTables, async (tx) => {
    await tx.put('meta', { k: leftOutName, value: clients });
    if (newly.length === 0) return;
    await countReset(tx);
    const feed = await feedStateIn(tx);
    const scopes: string[] = [];
    for (const client of newly) {
      await dropColumns(tx, client);
      const entities = await tx.keys('entities', { index: 'client_id', is: client });
      scopes.push(...entities.map((id) => scopeKey('entity', id)));
      // the feed may have told of entities that are in no list yet
      for (const { key, parent } of feed?.scopes ?? []) if (parent === scopeKey('client', client)) scopes.push(key);
    }
    for (const is of scopes) for (const noun of rowNouns) await tx.removeAll(noun, { index: '_scope', is });
    // whose the rows of an entity are that is in no list is not known: its list brings them back. That its columns were pulled is
    // not forgotten: it is how they are found, should they have to go
    const known = new Set((await tx.keys('entities')).map((id) => scopeKey('entity', id)));
    for (const noun of rowNouns) {
      const held: { id: string; _scope: string }[] = await tx.list(noun);
      const unknown = held.filter(({ _scope }) => idOfScope('entity', _scope) !== null && !known.has(_scope));
      await tx.removeMany(
        noun,
        unknown.map(({ id }) => id),
      );
      await tx.removeMany(
        'pulls',
        unknown.map(({ _scope }): [string, string] => [_scope, noun]),
      );
    }
    await resetPulls(tx, scopes);
    if (feed) await putFeedState(tx, { ...feed, scopes: feed.scopes.filter(({ key }) => !scopes.includes(key)) });
  });
}
