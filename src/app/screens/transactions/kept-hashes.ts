import { v7 as uuid } from 'uuid';
import { readKept, removeKept, writeKept } from '#replica/kept.ts';
import type { Replica } from '#replica/open.ts';
import { savedViewsOf } from '#replica/saved-views.ts';
import { listText } from './list-text.ts';
import { keptHashes, type TransactionSearch } from './transaction-search.ts';

/** Longer lists of pasted hashes do not stand in an address. */
const mostInAddress = 20;
const longestInAddress = 2_000;
/** Lists kept on this device; older ones make room, but those that a saved view names. */
const mostKept = 20;

const listsName = 'hash_lists';
const nameOf = (key: string): string => `hash_list ${key}`;

async function keptKeys(replica: Replica): Promise<string[]> {
  const keys = await readKept(replica, listsName);
  return Array.isArray(keys) ? keys.filter((key): key is string => typeof key === 'string') : [];
}

/** The kept lists that saved views look for. */
async function namedInViews(replica: Replica): Promise<Set<string>> {
  const views = await savedViewsOf(replica, 'transactions');
  return new Set(views.flatMap(({ search }) => keptHashes.exec(new URLSearchParams(search).get('hashes') ?? '')?.[1] ?? []));
}

/** Says pasted hashes in an address: as they are, or where they are too many by the name of a list kept on this device. */
export async function hashesText(replica: Replica, hashes: readonly string[]): Promise<string | undefined> {
  const text = listText({ values: hashes, not: false });
  if (text === undefined || (hashes.length <= mostInAddress && text.length <= longestInAddress)) return text;
  // the last letters of such an id are random
  const key = uuid().replaceAll('-', '').slice(-12);
  await writeKept(replica, nameOf(key), hashes);
  const keys = [...(await keptKeys(replica)), key];
  const named = await namedInViews(replica);
  const gone = keys.slice(0, -mostKept).filter((old) => !named.has(old));
  await Promise.all(gone.map((old) => removeKept(replica, nameOf(old))));
  await writeKept(
    replica,
    listsName,
    keys.filter((each) => !gone.includes(each)),
  );
  return `kept:${key}`;
}

/** The kept list an address names; null where this device has none of that name. */
export async function readKeptHashes(replica: Replica, key: string): Promise<string[] | null> {
  const hashes = await readKept(replica, nameOf(key));
  return Array.isArray(hashes) ? hashes.filter((hash): hash is string => typeof hash === 'string') : null;
}

/** The name of the kept list an address points to. */
export function keptKeyOf(search: TransactionSearch): string | undefined {
  return keptHashes.exec(search.hashes ?? '')?.[1];
}
