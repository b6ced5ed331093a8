import { expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { OwnRights } from '#workers/own-rights.ts';

/** A server that says of the person what `says` holds. */
function aPerson(says: { id?: string; is_superuser?: boolean; permissions?: Record<string, boolean>; fault?: ErrorCode }) {
  let [asked, now] = [0, 1_000];
  const call = (async () => {
    asked += 1;
    if (says.fault) throw new ApiError({ code: says.fault, detail: says.fault });
    return { id: 'me', is_superuser: false, permissions: {}, ...says };
  }) as unknown as ApiCall;
  const rights = new OwnRights({ call, now: () => now, userId: 'me' });
  return {
    rights,
    asked: () => asked,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const right = 'transaction_read';

test('[SY32] a right is gone where the server says so of this person, and not where it says nothing of it', async () => {
  const lacks = (says: Parameters<typeof aPerson>[0]): Promise<boolean> => aPerson(says).rights.lacks(right);
  expect(await lacks({ permissions: { [right]: false } })).toBe(true);
  expect(await lacks({ permissions: { [right]: true } })).toBe(false);
  expect(await lacks({ permissions: { client_read: false } })).toBe(false);
  expect(await lacks({ permissions: { [right]: false }, is_superuser: true })).toBe(false);
  expect(await lacks({ permissions: { [right]: false }, id: 'somebody else' })).toBe(false);
});

test('[SY32] of many lists that are refused at once for want of a right the server is asked once; that it is there is asked each time', async () => {
  const says = { permissions: { [right]: false } };
  const { rights, asked, pass } = aPerson(says);
  for (let list = 0; list < 300; list += 1) expect(await rights.lacks(right)).toBe(true);
  expect(asked()).toBe(1);
  says.permissions[right] = true;
  pass(6_000);
  expect([await rights.lacks(right), await rights.lacks(right), asked()]).toEqual([false, false, 3]);
  says.permissions[right] = false;
  expect(await rights.lacks(right)).toBe(true);
});

test.each(['throttled', 'unavailable', 'timeout', 'not_found', 'bad_answer', 'internal', 'permission_denied'] as const)(
  '[SY32] a server that cannot say it (%s) leaves all as it is, and the pulls go on',
  async (fault) => {
    expect(await aPerson({ fault }).rights.lacks(right)).toBe(false);
  },
);

test.each(['network', 'not_authenticated', 'other_user'] as const)('[SY32] what all requests meet (%s) is no answer', async (fault) => {
  await expect(aPerson({ fault }).rights.lacks(right)).rejects.toMatchObject({ code: fault });
});

test('[SE67] whose the session is, is asked until the server says it, and anew once it may be another one', async () => {
  const says: { id?: string; fault?: ErrorCode } = { fault: 'internal' };
  const { rights, asked } = aPerson(says);
  await rights.beTheirs();
  delete says.fault;
  await rights.beTheirs();
  await rights.beTheirs();
  expect(asked()).toBe(2);
  says.id = 'somebody else';
  await rights.beTheirs();
  rights.forget();
  for (let time = 0; time < 2; time += 1) await expect(rights.beTheirs()).rejects.toMatchObject({ code: 'other_user' });
});
