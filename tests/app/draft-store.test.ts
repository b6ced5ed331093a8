import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { createDraftStore } from '#app/drafts/draft-store.ts';
import { keepWithinMs, type Typed } from '#app/drafts/open-draft.ts';
import { openSession } from '#app/session/session.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { dropAllDrafts } from '#replica/drafts.ts';
import { openReplica, type Replica } from '#replica/open.ts';
import { enqueue } from '#replica/outbox.ts';
import { startTerm } from '#replica/sending.ts';
import { browserLocks } from '#tests/support/locks.ts';
import { claimHeads, settleAttempt } from '#tests/support/outbox.ts';
import { aStorage } from '#tests/support/storage.ts';
import { listed } from '#tests/support/stored.ts';

const answer = { refresh_token: 'r', expires_at: '2026-09-14T00:00:00.000' };
const typed = (name: string): Typed => ({ client_id: null, entity_id: null, fields: { name }, before: { name: '' } });

/** A browser with somebody signed in, and its tabs, whose timers run when told. */
async function aBrowser({ isShared = false } = {}) {
  const me = { id: uuidv7(), email: 'a@example.org', name: null, is_superuser: false, permissions: {} };
  const replica = await openReplica(browserStores, me.id, 0);
  const session = openSession(aStorage(), aStorage(), () => undefined);
  session.setShared(isShared);
  session.signIn(answer, me);
  const locks = browserLocks();
  let now = 0;
  const logged: string[] = [];
  const aTab = ({ outbox = replica.outbox, storage = aStorage() }: { outbox?: Replica['outbox']; storage?: Storage } = {}) => {
    const timers: { run: () => void; ms: number }[] = [];
    const tab = locks.aTab();
    const store = createDraftStore({
      session,
      tab: storage,
      replica: { open: async () => ({ ...replica, outbox }), close: async () => undefined },
      locks: tab.locks,
      clock: () => (now += 1),
      log: (text) => logged.push(text),
      after: (run, ms) => void timers.push({ run, ms }),
    });
    return { ...store, open: (form = 'client:new') => store.open(me.id, form), timers, storage, die: tab.die };
  };
  const onDisk = async () => (await listed(replica.outbox, 'drafts')).map(({ fields }) => fields.name).sort();
  return { aTab, onDisk, session, me, replica, logged };
}

/** A form that was open in a tab whose browser was killed. */
async function leftByDeadTab(tab: ReturnType<Awaited<ReturnType<typeof aBrowser>>['aTab']>): Promise<void> {
  tab.open().note(typed('Larch'));
  await tab.flush();
  tab.die();
}

test('[DR6] what is typed is on the disk a moment later, or at once where the page is left, and found by the next tab', async () => {
  const { aTab, onDisk } = await aBrowser();
  const tab = aTab();
  const form = tab.open();
  expect(await form.found).toBe(null);
  form.note(typed('La'));
  form.note(typed('Larch'));
  expect([await onDisk(), tab.timers.map(({ ms }) => ms)]).toEqual([[], [keepWithinMs]]);
  tab.timers[0]?.run();
  await expect.poll(onDisk).toEqual(['Larch']);
  form.note(typed('Larch Partners'));
  await tab.flush();
  expect([await onDisk(), tab.hasUnkept()]).toEqual([['Larch Partners'], false]);
  tab.die();
  expect(await aTab().open().found).toMatchObject({ fields: { name: 'Larch Partners' }, kept_at: 3 });
});

test('[DR6] a form that goes from the screen unsaved leaves what was typed, and opened again has it', async () => {
  const { aTab, onDisk } = await aBrowser();
  const tab = aTab();
  const form = tab.open();
  form.note(typed('Larch'));
  form.close();
  const again = tab.open();
  expect(await again.found).toMatchObject({ fields: { name: 'Larch' } });
  again.note(typed('Larch Partners'));
  await tab.flush();
  expect(await onDisk()).toEqual(['Larch Partners']);
});

test('[DR6] what was found stays on the disk where the form says that it is as it began, which it may before it is filled', async () => {
  const { aTab, onDisk } = await aBrowser();
  await leftByDeadTab(aTab());
  const tab = aTab();
  const form = tab.open();
  form.note(null);
  expect(await form.found).toMatchObject({ fields: { name: 'Larch' } });
  for (const { run } of tab.timers) run();
  await tab.flush();
  expect(await onDisk()).toEqual(['Larch']);
});

test('[DR6] what is typed before it is known what was found takes no place of that: both are kept', async () => {
  const { aTab, onDisk } = await aBrowser();
  await leftByDeadTab(aTab());
  const tab = aTab();
  const form = tab.open();
  form.note(typed('A'));
  expect(await form.found).toBe(null);
  await tab.flush();
  expect(await onDisk()).toEqual(['A', 'Larch']);
});

test('[DR7] a form that is open in two tabs has a draft in each; what a dead tab left is found, what a living one has is not', async () => {
  const { aTab, onDisk } = await aBrowser();
  const [one, other] = [aTab(), aTab()];
  const mine = one.open();
  mine.note(typed('mine'));
  await one.flush();
  const others = other.open();
  expect(await others.found).toBe(null);
  others.note(typed('others'));
  await other.flush();
  expect(await onDisk()).toEqual(['mine', 'others']);
  one.die();
  const third = aTab().open();
  expect(await third.found).toMatchObject({ fields: { name: 'mine' } });
  expect(await aTab().open().found).toBe(null);
  third.drop();
  await expect.poll(onDisk).toEqual(['others']);
});

/** A client that was made on the device is sent, and the server gives it another id. */
async function giveClientAnotherId({ outbox }: Replica, was: string, is: string): Promise<void> {
  const input = { id: was, organization_id: 'o', client_name: 'Made' };
  await enqueue(outbox, { id: uuidv7(), name: 'createClient', input, title: 'Create', now: 1, clientId: was, entityId: null, seen: null });
  const epoch = await startTerm(outbox);
  for (const { seq } of await claimHeads(outbox, epoch, 2, 1)) {
    await settleAttempt(outbox, epoch, seq, { event: 'accepted', answer: { ...input, id: is } }, 2);
  }
}

test('[DR32] a form that is open while what it is about is given another id has its draft still: no other tab finds it, and more is kept', async () => {
  const { aTab, onDisk, replica } = await aBrowser();
  const [one, other] = [aTab(), aTab()];
  const [was, is] = [uuidv7(), uuidv7()];
  const mine = one.open(`client:${was}`);
  mine.note(typed('Larch'));
  await one.flush();
  await giveClientAnotherId(replica, was, is);
  const others = other.open(`client:${is}`);
  expect(await others.found).toBe(null);
  others.drop();
  await other.flush();
  mine.note(typed('Larch Partners'));
  await one.flush();
  expect([await onDisk(), one.hasUnkept()]).toEqual([['Larch Partners'], false]);
  one.die();
  const next = aTab();
  const form = next.open(`client:${is}`);
  expect(await form.found).toMatchObject({ fields: { name: 'Larch Partners' } });
  form.drop();
  await next.flush();
  expect(await onDisk()).toEqual([]);
});

test('[DR32] so has one that found what was typed before, and one in which nothing was typed yet', async () => {
  const { aTab, onDisk, replica } = await aBrowser();
  const [dead, one, other] = [aTab(), aTab(), aTab()];
  const [was, is] = [uuidv7(), uuidv7()];
  dead.open(`client:${was}`).note(typed('Larch'));
  await dead.flush();
  dead.die();
  const [filled, empty] = [one.open(`client:${was}`), other.open(`client:${was}`)];
  expect([(await filled.found)?.fields, await empty.found]).toEqual([{ name: 'Larch' }, null]);
  await giveClientAnotherId(replica, was, is);
  empty.note(typed('Alder'));
  await other.flush();
  expect(await onDisk()).toEqual(['Alder', 'Larch']);
  for (const id of [was, is]) expect(await aTab().open(`client:${id}`).found).toBe(null);
  for (const form of [filled, empty]) form.drop();
  await Promise.all([one.flush(), other.flush()]);
  expect(await onDisk()).toEqual([]);
});

test('[DR8] on a shared computer nothing is written: the page keeps it while the session lasts', async () => {
  const { aTab, onDisk, session } = await aBrowser({ isShared: true });
  const tab = aTab();
  const form = tab.open();
  form.note(typed('Larch'));
  await tab.flush();
  expect([await onDisk(), tab.hasUnkept()]).toEqual([[], true]);
  form.close();
  const again = tab.open();
  expect(await again.found).toMatchObject({ fields: { name: 'Larch' } });
  again.close();
  expect(await aTab().open().found).toBe(null);
  await tab.flush();
  session.clear();
  expect(await tab.open().found).toBe(null);
});

test('[DR8] nor does whoever is signed in next, in another tab that signed nobody out, find what is on the page', async () => {
  const { aTab, session, me } = await aBrowser({ isShared: true });
  const tab = aTab();
  const form = tab.open();
  form.note(typed('Larch'));
  await tab.flush();
  form.close();
  session.signIn(answer, { ...me, id: uuidv7() });
  expect([await tab.open().found, tab.hasUnkept()]).toEqual([null, false]);
});

test('[DR8] what was kept before others used the computer, too, is found once more', async () => {
  const { aTab, onDisk, session } = await aBrowser();
  const tab = aTab();
  tab.open().note(typed('Larch'));
  await tab.flush();
  tab.die();
  session.setShared(true);
  const form = aTab().open();
  expect(await form.found).toMatchObject({ fields: { name: 'Larch' } });
  form.drop();
  await expect.poll(onDisk).toEqual([]);
});

test('[DR9] nothing stays of a form that was saved or cancelled, nor of one put back to what it began with', async () => {
  const { aTab, onDisk } = await aBrowser();
  const tab = aTab();
  const form = tab.open();
  for (const end of [form.drop, () => tab.end('client:new'), () => form.note(null)]) {
    form.note(typed('Larch'));
    await tab.flush();
    expect(await onDisk()).toEqual(['Larch']);
    form.note(typed('Larch Partners'));
    end();
    await tab.flush();
    expect([await onDisk(), tab.hasUnkept()]).toEqual([[], false]);
  }
  form.note(typed('Larch'));
  form.close();
  // saved, and off the screen before that was said
  form.drop();
  await tab.flush();
  expect(await onDisk()).toEqual([]);
});

test('[DR9] nor of what was found where the form is cancelled before it is known', async () => {
  const { aTab, onDisk } = await aBrowser();
  const tab = aTab();
  tab.open().note(typed('Larch'));
  await tab.flush();
  tab.die();
  const next = aTab();
  next.open().drop();
  await next.flush();
  expect(await onDisk()).toEqual([]);
});

test('[DR4] what was taken away while its form is open is not written again', async () => {
  const { aTab, onDisk, replica } = await aBrowser();
  const tab = aTab();
  const form = tab.open();
  form.note(typed('Larch'));
  await tab.flush();
  await dropAllDrafts(replica.outbox);
  for (const name of ['Larch P', 'Larch Partners']) {
    form.note(typed(name));
    await tab.flush();
  }
  expect([await onDisk(), tab.hasUnkept()]).toEqual([[], false]);
});

test('[DR10] what the disk does not take is known to be on the page alone, and is written as soon as there is room', async () => {
  const { aTab, onDisk, replica, logged } = await aBrowser();
  let isFull = true;
  const outbox: Replica['outbox'] = {
    ...replica.outbox,
    write: (tables, work) => (isFull ? Promise.reject(new Error('There is no room')) : replica.outbox.write(tables, work)),
  };
  const tab = aTab({ outbox });
  tab.open().note(typed('Larch'));
  await tab.flush();
  expect([tab.hasUnkept(), logged.length]).toEqual([true, 1]);
  isFull = false;
  await tab.flush();
  expect([tab.hasUnkept(), await onDisk()]).toEqual([false, ['Larch']]);
});

test('[DR20] what was typed the moment before the page was left is with the tab, and among the drafts with its next page', async () => {
  const { aTab, onDisk, replica } = await aBrowser();
  const cut: Replica['outbox'] = { ...replica.outbox, write: () => new Promise(() => undefined) };
  const before = aTab({ outbox: cut });
  const form = before.open();
  await form.found;
  form.note(typed('Larch'));
  before.leave();
  before.die();
  expect([await onDisk(), before.storage.length]).toEqual([[], 1]);
  // one that goes as soon as it came
  aTab({ storage: before.storage, outbox: cut }).leave();
  expect(before.storage.length).toBe(1);
  const next = aTab({ storage: before.storage });
  expect(await next.open().found).toMatchObject({ fields: { name: 'Larch' } });
  expect([await onDisk(), before.storage.length]).toEqual([['Larch'], 0]);
  // nothing is left to leave
  next.leave();
  expect(before.storage.length).toBe(0);
});

test('[DR31] what was saved or cancelled the moment before the page was left is found by no form of its next page', async () => {
  const { aTab, onDisk, replica } = await aBrowser();
  let isCut = false;
  const cut: Replica['outbox'] = {
    ...replica.outbox,
    write: (tables, work) => (isCut ? new Promise(() => undefined) : replica.outbox.write(tables, work)),
  };
  const before = aTab({ outbox: cut });
  const names = ['cancelled', 'saved', 'unsaved'];
  const forms = names.map((name) => before.open(`client:${name}`));
  for (const [i, form] of forms.entries()) form.note(typed(names[i] ?? ''));
  await before.flush();
  isCut = true;
  forms[0]?.drop();
  forms[1]?.close();
  forms[1]?.drop();
  before.leave();
  before.die();
  expect(await onDisk()).toEqual(['cancelled', 'saved', 'unsaved']);
  // one that goes as soon as it came
  aTab({ storage: before.storage, outbox: cut }).leave();
  const next = aTab({ storage: before.storage });
  const found = names.map(async (name) => (await next.open(`client:${name}`).found)?.fields.name);
  expect(await Promise.all(found)).toEqual([undefined, undefined, 'unsaved']);
  expect([await onDisk(), before.storage.length]).toEqual([['unsaved'], 0]);
});

test('[DR31] nor what was just being written when it was dropped', async () => {
  const { aTab, onDisk, replica } = await aBrowser();
  const slow: Replica['outbox'] = {
    ...replica.outbox,
    write: (tables, work) => replica.outbox.write(tables, work).then(() => new Promise(() => undefined)),
  };
  const before = aTab({ outbox: slow });
  const form = before.open();
  form.note(typed('Larch'));
  for (const { run } of before.timers) run();
  await expect.poll(onDisk).toEqual(['Larch']);
  form.drop();
  before.leave();
  const killed = aStorage();
  killed.setItem('drafts_left', before.storage.getItem('drafts_left') ?? '');
  await aTab({ storage: killed }).open('client:other').found;
  expect(await onDisk()).toEqual([]);
});

test('[DR31] nothing is left to drop of what the disk never took, or was taken away', async () => {
  const { aTab, replica } = await aBrowser();
  let isFull = true;
  const outbox: Replica['outbox'] = {
    ...replica.outbox,
    write: (tables, work) => (isFull ? Promise.reject(new Error('There is no room')) : replica.outbox.write(tables, work)),
  };
  const tab = aTab({ outbox });
  const form = tab.open();
  form.note(typed('Larch'));
  await tab.flush();
  isFull = false;
  form.drop();
  await tab.flush();
  const taken = tab.open('client:taken');
  taken.note(typed('Alder'));
  await tab.flush();
  await dropAllDrafts(replica.outbox);
  taken.note(typed('Alder Trust'));
  await tab.flush();
  taken.drop();
  tab.leave();
  expect(tab.storage.length).toBe(0);
});

test('[DR31] what is typed into the same form of a page that came back stays', async () => {
  const { aTab, onDisk } = await aBrowser();
  const tab = aTab();
  const form = tab.open();
  form.note(typed('Larch'));
  await tab.flush();
  form.drop();
  tab.leave();
  form.note(typed('Larch Partners'));
  await tab.flush();
  tab.die();
  expect(await aTab({ storage: tab.storage }).open().found).toMatchObject({ fields: { name: 'Larch Partners' } });
  expect(await onDisk()).toEqual(['Larch Partners']);
});

test('[DR20] nothing is left with the tab on a shared computer, or read that another build or person left', async () => {
  const { aTab, onDisk } = await aBrowser({ isShared: true });
  const tab = aTab();
  tab.open().note(typed('Larch'));
  tab.leave();
  expect(tab.storage.length).toBe(0);
  for (const text of ['no json', '{"userId":"somebody","drafts":[]}', '{"drafts":"other"}']) {
    const storage = aStorage();
    storage.setItem('drafts_left', text);
    expect(await aTab({ storage }).open().found).toBe(null);
  }
  expect(await onDisk()).toEqual([]);
});
