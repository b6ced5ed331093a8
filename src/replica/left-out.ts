import { withReserve } from './ballast.ts';
import { budgetIn, defaultBudget } from './budget.ts';
import { columnNouns } from './column-nouns.ts';
import { scopesIn, setsHolding } from './counts.ts';
import { dropColumnsToPullAnew, purgedTables, resetColumnPulls, resetPulls } from './purge.ts';
import { type DeviceTables, deviceSchema, withDevice } from './device-tables.ts';
import { looksName, noteLook } from './looked-at.ts';
import { feedStateIn, putFeedState } from './feed-state.ts';
import { placesIn } from './left-columns.ts';
import { isSameValue } from './merge.ts';
import type { Replica } from './open.ts';
import { countReset } from './pulls.ts';
import { rowNouns, type RowTables } from './row-tables.ts';
import { idOfScope, scopeKey } from './scopes.ts';
import { removeStored } from './set-storage.ts';
import type { Store, StoreReading } from './store.ts';

// A person may leave clients out of the copy on a device, and a device without room lets go of some: their names, entities and accounts
// stay, their transactions and matches are not kept. What was chosen outlives the copy; what the copy has let go of is noted in it, with
// its rows.

type Place = Pick<Replica, 'host' | 'userKey' | 'outbox'>;

const leftOutName = 'left_out';

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []);

/** The clients that are not to be kept on this device. */
export interface LeftOut {
  /** The person chose so. */
  chosen: readonly string[];
  /** There was no room for them; they come back when somebody looks at them. */
  letGo: readonly string[];
  /** When there was no room for one last, UTC milliseconds; 0 where there always was. */
  letGoAt: number;
}

const names = ({ userKey }: Pick<Replica, 'userKey'>): Record<keyof LeftOut, string> => ({
  chosen: `left_out ${userKey}`,
  letGo: `let_go ${userKey}`,
  letGoAt: `let_go_at ${userKey}`,
});

async function leftOutIn(tx: StoreReading<DeviceTables>, place: Pick<Replica, 'userKey'>): Promise<LeftOut> {
  const { chosen, letGo, letGoAt } = names(place);
  const valueOf = async (k: string): Promise<unknown> => (await tx.get('device', k))?.value;
  return { chosen: idsIn(await valueOf(chosen)), letGo: idsIn(await valueOf(letGo)), letGoAt: Number((await valueOf(letGoAt)) ?? 0) };
}

/** What was chosen of the copies on this device, followed until it is closed. Read again only after something changed. */
export interface LeftOutChoice {
  /** The clients that are left out. */
  clients: () => Promise<LeftOut>;
  /** How much the copies may take, in bytes. */
  budget: () => Promise<number>;
  /** It was just changed here. */
  forget: () => void;
  close: () => void;
}

interface Choice {
  leftOut: LeftOut;
  budget: number;
}

/** @param onChange told when it is another one. */
export async function followChoice(replica: Pick<Replica, 'host' | 'userKey'>, onChange: () => void): Promise<LeftOutChoice> {
  const device = await replica.host.open<DeviceTables>(deviceSchema);
  let reading: Promise<Choice> | null = null;
  // mostly nothing was chosen: then the first look is no news
  let last = JSON.stringify({ leftOut: { chosen: [], letGo: [], letGoAt: 0 }, budget: defaultBudget } satisfies Choice);
  const stop = device.watch(['device'], () => {
    reading = null;
    const before = last;
    choice().then(
      (now) => JSON.stringify(now) !== before && onChange(),
      () => undefined,
    );
  });
  const read = async (): Promise<Choice> => {
    try {
      const now = await device.read(['device'], async (tx) => ({ leftOut: await leftOutIn(tx, replica), budget: await budgetIn(tx) }));
      last = JSON.stringify(now);
      return now;
    } catch (error) {
      reading = null;
      throw error;
    }
  };
  const choice = (): Promise<Choice> => (reading ??= read());
  return {
    clients: async () => (await choice()).leftOut,
    budget: async () => (await choice()).budget,
    forget: () => {
      reading = null;
    },
    close: () => {
      stop();
      device.close();
    },
  };
}

/** Changes what is left out, also on a full disk. Does nothing where it stays as it is. */
function changeChoiceOn(device: Store<DeviceTables>, place: Place, changed: (now: LeftOut) => LeftOut): Promise<void> {
  return withReserve(place.outbox, () =>
    device.write(['device'], async (tx) => {
      const now = await leftOutIn(tx, place);
      const next = changed(now);
      for (const [part, k] of Object.entries(names(place)) as [keyof LeftOut, string][])
        if (!isSameValue(next[part], now[part])) await tx.put('device', { k, value: next[part] });
    }),
  );
}

function changeChoice(place: Place, changed: (now: LeftOut) => LeftOut): Promise<void> {
  return withDevice(place.host, (device) => changeChoiceOn(device, place, changed));
}

/** The person's choice to leave a client out, or to keep it again; the writer does it with its next round. */
export function chooseToLeaveOut(place: Place, clientId: string, isLeftOut: boolean): Promise<void> {
  const without = (ids: readonly string[]): string[] => ids.filter((id) => id !== clientId);
  return changeChoice(place, ({ chosen, letGo, letGoAt }) => ({
    chosen: isLeftOut ? [...without(chosen), clientId] : without(chosen),
    letGo: without(letGo),
    letGoAt,
  }));
}

/** There is no room for a client; the writer lets go of it with its next round. */
export function letGoOf(place: Place, clientId: string, now: number): Promise<void> {
  return changeChoice(place, ({ chosen, letGo }) => ({
    chosen,
    letGo: [...letGo.filter((id) => id !== clientId), clientId],
    letGoAt: now,
  }));
}

/** Somebody looks at clients: where there was no room for one, there is to be now, and that they did is noted. */
export function lookAtClients(place: Place, clientIds: readonly string[], now: number): Promise<void> {
  return withDevice(place.host, async (device) => {
    await changeChoiceOn(device, place, (now) => ({ ...now, letGo: now.letGo.filter((id) => !clientIds.includes(id)) }));
    await noteLook(device, place, clientIds, now);
  });
}

/** Forgets what there was no room for, and when clients were looked at: the copy they were about is gone. */
export function forgetKeeping({ host, userKey }: Pick<Place, 'host' | 'userKey'>): Promise<void> {
  const { letGo, letGoAt } = names({ userKey });
  return withDevice(host, (device) => device.write(['device'], (tx) => tx.removeMany('device', [letGo, letGoAt, looksName({ userKey })])));
}

/** The clients the copy holds no transactions of, and asks for none. */
export async function leftOutOf({ rows }: Replica): Promise<string[]> {
  return idsIn((await rows.read(['meta'], (tx) => tx.get('meta', leftOutName)))?.value);
}

/** Whether a client is one of them, within a transaction over `meta`. */
export async function isLeftOutIn(tx: StoreReading<RowTables>, clientId: string): Promise<boolean> {
  return idsIn((await tx.get('meta', leftOutName))?.value).includes(clientId);
}

/** The scopes of the entities of a client. */
async function entityScopesOf(tx: StoreReading<RowTables>, clientId: string): Promise<string[]> {
  return [...(await placesIn(tx))].flatMap(([scope, client]) => (client === clientId ? [scope] : []));
}

/** Those of some clients that are left out to which an entity came since, with what is here of it. */
export async function clientsCameTo({ rows }: Replica, leftOut: readonly string[]): Promise<string[]> {
  if (leftOut.length === 0) return [];
  return rows.read(['entities', 'pulls', 'meta'], async (tx) => {
    const feed = await feedStateIn(tx);
    const here = new Set([...(await tx.list('pulls')).map(({ scope }) => scope), ...(feed?.scopes ?? []).map(({ key }) => key)]);
    const cameTo = new Set([...(await placesIn(tx))].flatMap(([scope, client]) => (here.has(scope) ? [client] : [])));
    return leftOut.filter((client) => cameTo.has(client));
  });
}

/**
 * From now on the copy leaves out these clients and no others. Of those it did not leave out so far it lets go, and their columns are
 * to be closed meanwhile; what it takes in again is pulled from the beginning.
 */
export function leaveOut(replica: Replica, clients: readonly string[], newly: readonly string[]): Promise<void> {
  // what makes room takes some first
  return withReserve(replica.outbox, () => letRowsGo(replica, clients, newly));
}

/**
 * Lets go of a client's rows by removing alone, which a full disk allows however full it is; to be noted by `leaveOut` right after. Where
 * that does not come about they are pulled anew. Its columns are to be closed meanwhile.
 */
export async function freeRoomOf({ rows }: Replica, clientId: string): Promise<void> {
  await rows.write(purgedTables, async (tx) => {
    const scopes = await entityScopesOf(tx, clientId);
    await resetColumnPulls(tx, await scopesIn(tx, clientId));
    for (const { noun } of Object.values(columnNouns)) await removeStored(tx, { noun, set: clientId });
    for (const is of scopes) for (const noun of rowNouns) await tx.removeAll(noun, { index: '_scope', is });
    await resetPulls(tx, scopes);
  });
}

async function letRowsGo({ rows }: Replica, clients: readonly string[], newly: readonly string[]): Promise<void> {
  await rows.write(purgedTables, async (tx) => {
    const before = idsIn((await tx.get('meta', leftOutName))?.value);
    await tx.put('meta', { k: leftOutName, value: clients });
    const followed = await feedStateIn(tx);
    const awaited = [...new Set([...(followed?.awaited ?? []), ...before])].filter((id) => !clients.includes(id));
    const feed = followed && { ...followed, awaited };
    if (newly.length === 0) {
      if (feed) await putFeedState(tx, feed);
      return;
    }
    await countReset(tx);
    const scopes: string[] = [];
    for (const client of newly) {
      await dropColumnsToPullAnew(tx, client);
      scopes.push(...(await entityScopesOf(tx, client)));
    }
    for (const is of scopes) for (const noun of rowNouns) await tx.removeAll(noun, { index: '_scope', is });
    // whose the rows of an entity are that is in no list is not known: its list brings them back. That its columns were pulled is
    // not forgotten where they stay: it is how they are found, should they have to go
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
    if (!feed) return;
    // of what lies elsewhere still the feed says whether it may be seen: it is left out once that went
    const elsewhere = new Set((await setsHolding(tx, columnNouns.transactions.noun, scopes, 0)).flatMap((held) => held.scopes));
    const kept = feed.scopes.filter(({ key }) => !scopes.includes(key) || elsewhere.has(key));
    await putFeedState(tx, { ...feed, scopes: kept });
  });
}
