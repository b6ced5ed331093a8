import { browserStores } from '#replica/dexie-store.ts';
import { madeSchema, storeCases } from './store-cases.ts';

// Runs in a page: the cases that every store must pass, on the browser's own database.

declare global {
  interface Window {
    runStoreCase: (index: number) => Promise<void>;
  }
}

window.runStoreCase = async (index) => {
  const found = storeCases[index];
  if (!found) throw new Error(`There is no case ${index}`);
  await found.run(browserStores, madeSchema(`case ${index}`));
};
