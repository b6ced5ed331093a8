import { expect, test } from 'vitest';
import { chooseLeaseDays, leaseDays, leaseDaysSchema, leaseOverText, lookAtLease, onLeaseChange, renewLease } from '#app/session/lease.ts';
import { aStorage } from '#tests/support/storage.ts';

const day = 24 * 3_600_000;

test('[SE56] a person chooses for how many days their device opens without the server, 1 to 30, 7 where they choose none; each for themselves', () => {
  const local = aStorage();
  let heard = 0;
  onLeaseChange(() => (heard += 1));
  const typed = (text: string) => leaseDaysSchema.safeParse(text);
  expect(['1', ' 30 ', '07'].map((text) => typed(text).data)).toEqual([1, 30, 7]);
  for (const text of ['0', '31', '', 'a week', '1.5', '-1', '1e1', '99999'])
    expect([text, typed(text).error?.issues[0]?.message]).toEqual([text, 'Choose a whole number of days from 1 to 30']);
  expect(leaseDays(local, 'u')).toBe(7);
  chooseLeaseDays(local, 'u', 30);
  expect([leaseDays(local, 'u'), leaseDays(local, 'v'), heard]).toEqual([30, 7, 1]);
  // what nobody could have chosen here counts as nothing
  local.setItem('offline_days u', '3000');
  expect(leaseDays(local, 'u')).toBe(7);
});

test('[SE57] the days count from when the server last said so, fewer of them hold at once, and once over they stay over until it says so again', () => {
  const local = aStorage();
  renewLease(local, 'u', 10 * day);
  const isOver = (now: number): boolean => lookAtLease(local, 'u', now).isOver;
  expect([isOver(17 * day), isOver(17 * day + 1)]).toEqual([false, true]);
  chooseLeaseDays(local, 'u', 30);
  expect([isOver(40 * day), isOver(40 * day + 1)]).toEqual([false, true]);
  renewLease(local, 'u', 50 * day);
  expect(isOver(53 * day)).toBe(false);
  chooseLeaseDays(local, 'u', 2);
  expect(isOver(53 * day)).toBe(true);
  expect(leaseOverText(lookAtLease(local, 'u', 53 * day))).toBe(
    'This device has not met the server for 2 days. Signing in needs the network once.',
  );
  renewLease(local, 'u', 54 * day);
  expect(isOver(55 * day)).toBe(false);
});

test('[SE58] a clock that is set back makes the days no longer: by as much as it was they are fewer, and the person is told', () => {
  const local = aStorage();
  renewLease(local, 'u', 100 * day);
  const look = (now: number) => lookAtLease(local, 'u', now);
  // as all clocks are, all the time
  expect(look(100 * day - 30_000)).toEqual({ days: 7, isOver: false, wasSetBack: false });
  expect(look(103 * day).isOver).toBe(false);
  expect(look(101 * day)).toMatchObject({ isOver: false, wasSetBack: true });
  // three days, two of setting back, and one more
  expect(look(102 * day).isOver).toBe(false);
  expect(look(102.5 * day)).toMatchObject({ isOver: false, wasSetBack: true });
  const over = look(104 * day);
  expect(over).toMatchObject({ isOver: true, wasSetBack: true });
  expect(leaseOverText(over)).toBe(
    'This device has not met the server for 7 days, counting by how much its clock was set back. Signing in needs the network once.',
  );
  // set back day after day, it is over as soon as if it had not been
  renewLease(local, 'u', 100 * day);
  for (let days = 0; days < 7; days += 1) {
    look(101 * day);
    look(100 * day);
  }
  expect(look(100 * day).isOver).toBe(true);
  // where no look was noted yet, what else is known counts both ways
  expect([lookAtLease(aStorage(), 'u', 8 * day, 0), lookAtLease(aStorage(), 'u', 0, 8 * day)].map(({ isOver }) => isOver)).toEqual([
    true,
    true,
  ]);
});
