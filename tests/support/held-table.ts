import type { Page } from 'playwright';
import { apartIn, copiesIn } from './databases.ts';

/** The tables a test holds, and which of a person's databases each is in. */
const tables = {
  counts: { in: copiesIn, prefix: 'tieout-replica-' },
  custodians: { in: copiesIn, prefix: 'tieout-replica-' },
  mutations: { in: apartIn, prefix: 'tieout-outbox-' },
} as const;

/** Does something while a table in a page's browser answers nobody, as on a disk that is busy. */
export async function whileHeld(page: Page, url: string, table: keyof typeof tables, during: () => Promise<void>): Promise<void> {
  const holder = await page.context().newPage();
  try {
    await holder.goto(`${url}/config.json`);
    await hold(holder, table);
    await page.bringToFront();
    await during();
  } finally {
    await holder.close();
  }
}

/** Holds a table until the page is closed. */
async function hold(page: Page, table: keyof typeof tables): Promise<void> {
  const { in: place, prefix } = tables[table];
  await page.evaluate(
    async ([factory, start, name]) => {
      const found = (await factory.databases()).find((one) => one.name?.startsWith(start))?.name ?? '';
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = factory.open(found);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('not opened'));
      });
      const held = database.transaction(name, 'readwrite').objectStore(name);
      // a transaction lasts as long as it is asked something
      await new Promise<void>((resolve) => {
        const asking = {
          again: (): void => {
            resolve();
            held.count().onsuccess = asking.again;
          },
        };
        held.count().onsuccess = asking.again;
      });
    },
    [await place(page), prefix, table] as const,
  );
}
