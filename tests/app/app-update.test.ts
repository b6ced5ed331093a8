import { expect, test } from 'vitest';
import { createAppUpdate, lookEveryMs, onceWithinMs, readyWithinMs, takeOverWithinMs } from '#app/app-update.ts';
import { browserLocks } from '#tests/support/locks.ts';
import { aStorage } from '#tests/support/storage.ts';

/** Lets everything happen that waits for nothing but its turn. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

/** A browser whose tabs hear each other, and in which time passes when told. */
function aBrowser() {
  const hearing = new Map<object, (message: unknown) => void>();
  const locks = browserLocks();
  let now = 1_000_000;
  const timers = new Set<{ at: number; run: () => void }>();
  const happened: string[] = [];
  const aTab = (name: string, { tab = aStorage(), flush = async (): Promise<void> => void happened.push(`${name} kept`) } = {}) => {
    const self = {};
    const shown = { hasUnkept: false };
    const update = createAppUpdate({
      channel: {
        post: (message) => {
          for (const [other, heard] of hearing) if (other !== self) queueMicrotask(() => heard(message));
        },
        hear: (heard) => hearing.set(self, heard),
      },
      locks: locks.aTab().locks,
      drafts: { flush, hasUnkept: () => shown.hasUnkept },
      tab,
      clock: () => now,
      after: (run, ms) => void timers.add({ at: now + ms, run }),
      reload: () => void happened.push(`${name} read anew`),
    });
    return { update, shown, tab };
  };
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const timer of timers)
      if (timer.at <= now) {
        timers.delete(timer);
        timer.run();
      }
    await settled();
  };
  const say = (message: unknown): void => {
    for (const heard of hearing.values()) heard(message);
  };
  const takeOver = (): void => void happened.push('taken over');
  return { aTab, pass, say, takeOver, happened };
}

test('[PW4] before a new build takes over, every tab has kept what is typed', async () => {
  const { aTab, takeOver, happened } = aBrowser();
  const [one, other] = [aTab('one'), aTab('other')];
  for (const { update } of [one, other]) update.offer(takeOver);
  one.update.accept();
  await settled();
  expect(happened.toSorted()).toEqual(['one kept', 'other kept', 'taken over']);
  expect(happened.at(-1)).toBe('taken over');
  expect([one.update.isWaiting(), other.update.isWaiting()]).toEqual([false, false]);
});

test('[PW5] one that does not answer is waited for two seconds, and no longer', async () => {
  const { aTab, pass, takeOver, happened } = aBrowser();
  const one = aTab('one');
  aTab('asleep', { flush: () => new Promise<void>(() => undefined) });
  one.update.offer(takeOver);
  one.update.accept();
  await settled();
  await pass(readyWithinMs - 1);
  expect(happened).toEqual(['one kept']);
  await pass(1);
  expect(happened).toEqual(['one kept', 'taken over']);
});

test('[PW6] each tab is read anew once the new build took over and what is typed is kept, or five seconds after it should have', async () => {
  const { aTab, pass, takeOver, happened } = aBrowser();
  const [one, other] = [aTab('one'), aTab('other')];
  one.update.offer(takeOver);
  one.update.accept();
  await settled();
  happened.length = 0;
  other.update.tookOver(true);
  await settled();
  expect(happened).toEqual(['other kept', 'other read anew']);
  await pass(takeOverWithinMs - 1);
  expect(happened).toHaveLength(2);
  await pass(1);
  expect(happened.filter((what) => what.endsWith('anew'))).toEqual(['other read anew', 'one read anew']);
  expect([one.update.isWaiting(), other.update.isWaiting()]).toEqual([false, false]);
});

test('[PW6] the first build a page has takes over without that, and any after it is an update', async () => {
  const { aTab, happened } = aBrowser();
  const { update } = aTab('one');
  update.tookOver(true);
  await settled();
  expect(happened).toEqual([]);
  update.tookOver(false);
  await settled();
  expect(happened).toEqual(['one kept', 'one read anew']);
});

test('[PW7] a tab is read anew once a minute at most, by itself; sooner the person is asked', async () => {
  const { aTab, pass, happened } = aBrowser();
  const first = aTab('first');
  first.update.tookOver(false);
  await settled();
  const again = aTab('again', { tab: first.tab });
  await pass(onceWithinMs - 1);
  for (const change of [() => again.update.tookOver(false), again.update.partIsGone]) {
    change();
    await settled();
  }
  expect(happened.filter((what) => what.endsWith('anew'))).toEqual(['first read anew']);
  expect(again.update.isWaiting()).toBe(true);
  again.update.accept();
  expect(happened.at(-1)).toBe('again read anew');
  await pass(1);
  const later = aTab('later', { tab: first.tab });
  later.update.tookOver(false);
  await settled();
  expect(happened.at(-1)).toBe('later read anew');
});

test('[PW17] a build that the person accepts is taken over, though the tab was read anew just now', async () => {
  const { aTab, takeOver, pass, happened } = aBrowser();
  const first = aTab('first');
  first.update.partIsGone();
  await settled();
  const again = aTab('again', { tab: first.tab });
  again.update.offer(takeOver);
  await pass(1000);
  again.update.accept();
  await settled();
  again.update.tookOver(false);
  await settled();
  expect(happened.filter((what) => what.endsWith('anew'))).toEqual(['first read anew', 'again read anew']);
  expect(again.update.isWaiting()).toBe(false);
});

test('[PW8] a tab with something typed that cannot be kept is not read anew: the person is asked, but where they accepted there', async () => {
  const { aTab, takeOver, happened } = aBrowser();
  const [one, other] = [aTab('one'), aTab('other')];
  one.shown.hasUnkept = true;
  other.shown.hasUnkept = true;
  one.update.offer(takeOver);
  one.update.accept();
  await settled();
  for (const { update } of [one, other]) update.tookOver(false);
  await settled();
  expect(happened.filter((what) => what.endsWith('anew'))).toEqual(['one read anew']);
  expect(other.update.isWaiting()).toBe(true);
});

test('[PW9] where a part of an older build is gone the page is read anew, once what is typed is kept', async () => {
  const { aTab, happened } = aBrowser();
  const { update } = aTab('one');
  update.partIsGone();
  update.partIsGone();
  await settled();
  expect(happened).toEqual(['one kept', 'one kept', 'one read anew']);
});

test('[PW12] a tab that stays open looks for a new build now and then; who wants one is offered the one they put off again', async () => {
  const { aTab, pass, takeOver, happened } = aBrowser();
  const { update } = aTab('one');
  let asked = 0;
  update.lookBy(async () => {
    asked += 1;
    if (asked === 2) throw new Error('No network');
    return false;
  });
  update.lookNowAndThen();
  expect(asked).toBe(0);
  for (let times = 1; times <= 3; times += 1) {
    await pass(lookEveryMs);
    update.lookNowAndThen();
    update.lookNowAndThen();
    expect(asked).toBe(times);
  }
  expect(await update.look()).toBe(false);
  update.offer(takeOver);
  update.later();
  await pass(lookEveryMs);
  update.lookNowAndThen();
  expect([update.isWaiting(), asked]).toEqual([false, 5]);
  expect(await update.look()).toBe(true);
  update.accept();
  await settled();
  expect(happened).toContain('taken over');
});

test('[PW10] what tabs of another build say otherwise means nothing', async () => {
  const { aTab, pass, say, happened } = aBrowser();
  aTab('one');
  for (const message of [null, 'going', { kind: 'going' }, { kind: 'gone', round: 'r' }, { kind: 'ready', round: 'unknown' }]) say(message);
  await pass(takeOverWithinMs);
  expect(happened).toEqual([]);
});
