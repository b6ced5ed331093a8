import type { BrowserContext, Page } from 'playwright';
import type { MutationState } from '#replica/mutation-states.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { apartIn } from './databases.ts';

const errors: Partial<Record<MutationState, OutboxRow['error']>> = {
  refused: { code: 'invalid', detail: 'Another of your views already has this name' },
  parked: { code: 'internal', detail: 'Internal server error' },
  paused_permission: { code: 'permission_denied', detail: 'You are not allowed to change matches' },
  paused_dependency: { code: 'conflict', detail: 'Mark transfer: 2 ETH Kraken -> Ledger' },
};
const states: readonly MutationState[] = [
  'queued',
  'sending',
  'uncertain',
  'acked',
  'refused',
  'parked',
  'paused_auth',
  'paused_permission',
  'paused_update',
  'paused_dependency',
  'conflict',
];

/** A view both changed: its name to be chosen, its filter kept. */
const conflict = {
  name: 'saveView',
  input: { id: 'view-1', name: 'Quarter end', list: 'transactions', search: 'unpriced=only' },
  base: { version: 3, fields: { name: 'Q3', list: 'transactions', search: '' } },
  theirs: { version: 4, fields: { name: 'Third quarter', list: 'transactions', search: 'type=13&dates=all' } },
} as const;

function anEdit(state: MutationState, index: number): Omit<OutboxRow, 'seq'> {
  const error = errors[state];
  const attempts = state === 'queued' || state === 'paused_auth' ? 0 : state === 'parked' ? 8 : 1;
  return {
    id: `00000000-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`,
    v: 1,
    name: 'markTransfer',
    input: { trx_id: `trx-${index}`, counterpart_id: null, is_transfer: true },
    lane: `trx:${state}`,
    state,
    attempts,
    next_attempt_at: 0,
    created_at: Date.now() - (12 - index) * 60_000,
    title: `the ${state} edit`,
    client_id: null,
    entity_id: demoIdOf.entity('Meridian Master Fund LP'),
    ...(state === 'parked' ? { may_have_arrived: true } : {}),
    ...(error ? { error } : {}),
    ...(state === 'conflict' ? conflict : {}),
  };
}

/** Writes an edit of every state, and one behind the refused one, into the outbox of whoever is signed in. @param titles by state, where they matter. */
export async function plantEdits(page: Page, titles: Partial<Record<MutationState, string>> = {}): Promise<void> {
  const edits = states.map((state, index) => ({ ...anEdit(state, index), title: titles[state] ?? `the ${state} edit` }));
  const behind = { ...anEdit('queued', states.length), lane: 'trx:refused', title: 'the edit behind' };
  await writeEdits(page, [...edits, behind]);
}

/** What a planted edit says, and where it stands. */
type Planted = Pick<OutboxRow, 'name' | 'input' | 'state' | 'title'>;

/** Writes edits of rows that are there. @returns their ids. */
export async function plantEditsOf(page: Page, planted: readonly Planted[]): Promise<string[]> {
  const edits = planted.map(({ state, ...rest }, index) => ({
    ...anEdit('queued', index + 50),
    ...rest,
    state,
    lane: `planted:${index}`,
    ...(errors[state] ? { error: errors[state] } : {}),
  }));
  await writeEdits(page, edits);
  return edits.map(({ id }) => id);
}

async function writeEdits(page: Page, edits: readonly Omit<OutboxRow, 'seq'>[]): Promise<void> {
  await page.evaluate(
    async ([factory, rows]) => {
      const name = (await factory.databases()).map((one) => one.name ?? '').find((one) => one.startsWith('tieout-outbox-')) ?? '';
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = factory.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('not opened'));
      });
      const transaction = database.transaction('mutations', 'readwrite');
      for (const row of rows) transaction.objectStore('mutations').add(row);
      await new Promise((resolve) => transaction.addEventListener('complete', resolve));
      database.close();
    },
    [await apartIn(page), edits] as const,
  );
}

/**
 * Has a tab of its own send in the place of this browser's sender, and send nothing while it is open: it holds what the sender held,
 * and begins a term as another sender would, so that what is still under way there is refused. @returns the tab.
 */
export async function takeTheLead(context: BrowserContext, url: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(`${url}/config.json`);
  await tab.evaluate(
    async (factory) => {
      const lock = 'tieout-engine:';
      const users = async (): Promise<string[]> =>
        ((await navigator.locks.query()).held ?? []).flatMap(({ name = '' }) => (name.startsWith(lock) ? [name.slice(lock.length)] : []));
      const answered = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error ?? new Error('not answered'));
        });
      let sending = await users();
      // a worker that has just been started holds nothing yet
      for (; sending.length === 0; sending = await users()) await new Promise(requestAnimationFrame);
      for (const user of sending) {
        await new Promise<void>((resolve) => {
          void navigator.locks.request(lock + user, { steal: true }, () => {
            resolve();
            return new Promise(() => undefined);
          });
        });
        const database = await answered(factory.open(`tieout-outbox-${user}`));
        const terms = database.transaction('term', 'readwrite').objectStore('term');
        const last: { epoch: number } | undefined = await answered(terms.get('writer'));
        await answered(terms.put({ k: 'writer', epoch: (last?.epoch ?? 0) + 1 }));
        database.close();
      }
    },
    await apartIn(tab),
  );
  return tab;
}
