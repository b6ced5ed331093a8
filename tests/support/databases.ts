import type { JSHandle, Page } from 'playwright';

interface Buckets {
  storageBuckets: { open: (name: string) => Promise<{ indexedDB: IDBFactory }> };
}

/** Where a page's browser keeps what cannot be had from the server again: edits, and what it knows of itself. */
export function apartIn(page: Page): Promise<JSHandle<IDBFactory>> {
  return page.evaluateHandle(async () => (await (navigator as unknown as Buckets).storageBuckets.open('apart')).indexedDB);
}

/** Where it keeps everything else: the copies of the server's rows. What a crash damaged is gone, as it is once the app opens one. */
export function copiesIn(page: Page): Promise<JSHandle<IDBFactory>> {
  return page.evaluateHandle(async () => {
    const isSound = await indexedDB.databases().then(
      () => true,
      () => false,
    );
    if (!isSound)
      await new Promise((resolve) => {
        const opening = indexedDB.open('damaged');
        opening.onerror = resolve;
        opening.onsuccess = () => {
          opening.result.close();
          indexedDB.deleteDatabase('damaged').onsuccess = resolve;
        };
      });
    return indexedDB;
  });
}

/** The names of all databases of the app in a page's browser. */
export async function databasesIn(page: Page): Promise<string[]> {
  const places = [await copiesIn(page), await apartIn(page)];
  const named = places.map((place) => page.evaluate(async (factory) => (await factory.databases()).map(({ name = '' }) => name), place));
  return (await Promise.all(named)).flat();
}
