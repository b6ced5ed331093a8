import { expect, test } from 'vitest';
import type { Me } from '#contract/session.ts';
import {
  forgetUnlock,
  keepUnlock,
  onUnlockChange,
  renewUnlock,
  reviveUnlock,
  type SecretKind,
  suspendUnlock,
  unlock,
  unlockKind,
  unlockRefusal,
  unlockSetAt,
} from '#app/session/offline-unlock.ts';
import { chooseLeaseDays } from '#app/session/lease.ts';
import { aStorage } from '#tests/support/storage.ts';

const me: Me = { id: 'u', email: 'Ada@example.org', name: null, is_superuser: false, permissions: { client_read: true } };
const password = 'a pass phrase – ünïcode';
const right = { email: ' ada@EXAMPLE.org', secret: password };
const wrong = { email: me.email, secret: 'a pass phrase' };
const day = 24 * 3_600_000;

const stays = { now: 0, mayKeep: () => true };

const unlockKey = 'offline_unlock ada@example.org';

async function aDevice(kind: SecretKind = 'password') {
  const local = aStorage();
  await keepUnlock(local, me, { kind, text: password }, stays);
  return local;
}

test('[SE33] the password that was good at the server opens the device without it, for as many days from when the server last said so as were chosen', async () => {
  const local = await aDevice();
  expect(await unlock(local, right, 7 * day)).toEqual({ ok: true, me });
  const stale = { ok: false, reason: 'stale', days: 7, wasSetBack: false } as const;
  expect(await unlock(local, right, 7 * day + 1)).toEqual(stale);
  // it is a right answer that is refused, and no try
  expect(await unlock(local, wrong, 7 * day + 1)).toEqual(stale);
  expect(unlockRefusal(stale)).toBe('This device has not met the server for 7 days. Signing in needs the network once.');
  const now = { ...me, permissions: {} };
  renewUnlock(local, now, 3 * day);
  expect(await unlock(local, right, 9 * day)).toEqual({ ok: true, me: now });
  chooseLeaseDays(local, me.id, 5);
  expect(await unlock(local, right, 9 * day)).toMatchObject({ reason: 'stale', days: 5 });
  renewUnlock(local, now, 9 * day);
  expect(await unlock(local, right, 10 * day)).toEqual({ ok: true, me: now });
  expect(await unlock(local, { ...right, email: 'bob@example.org' }, day)).toEqual({ ok: false, reason: 'none' });
  forgetUnlock(local, 'ADA@example.org');
  expect(await unlock(local, right, day)).toEqual({ ok: false, reason: 'none' });
});

test('[SE34] the fifth wrong password takes the way away, also from who knows it; a right one in between begins the count anew', async () => {
  const local = await aDevice();
  const left: unknown[] = [];
  for (let failed = 0; failed < 4; failed += 1) left.push(await unlock(local, wrong, 1));
  expect(left).toEqual([4, 3, 2, 1].map((more) => ({ ok: false, reason: 'wrong', kind: 'password', left: more })));
  expect(await unlock(local, right, 1)).toEqual({ ok: true, me });
  for (let failed = 0; failed < 4; failed += 1) await unlock(local, wrong, 1);
  expect(await unlock(local, wrong, 1)).toEqual({ ok: false, reason: 'too_many', kind: 'password' });
  expect(await unlock(local, right, 1)).toEqual({ ok: false, reason: 'none' });
  expect(unlockRefusal({ ok: false, reason: 'wrong', kind: 'password', left: 1 })).toBe(
    'Wrong password. One more try without the network.',
  );
});

test('[SE34] nor do tries at the same time in several tabs make more than five, and what is taken away meanwhile does not come back', async () => {
  const local = await aDevice();
  const tries = await Promise.all([wrong, wrong, wrong, wrong, wrong, right].map((one) => unlock(local, one, 1)));
  expect(tries.at(-1)).toEqual({ ok: false, reason: 'too_many', kind: 'password' });
  expect(await unlock(local, right, 1)).toEqual({ ok: false, reason: 'none' });

  const other = await aDevice();
  const opening = unlock(other, right, 1);
  forgetUnlock(other, me.email);
  expect([await opening, other.getItem(unlockKey)]).toEqual([{ ok: false, reason: 'none' }, null]);
});

test('[SE35] of the password only a key of 600,000 rounds of PBKDF2-SHA256 is kept, another for each sign-in', async () => {
  const kept = async (): Promise<string> => {
    const local = await aDevice();
    return local.getItem(unlockKey) ?? '';
  };
  const [one, two] = [await kept(), await kept()];
  expect(one).not.toBe(two);
  expect(one).not.toContain('phrase');
  const { iterations, salt, key } = JSON.parse(one) as { iterations: number; salt: string; key: string };
  expect(iterations).toBe(600_000);
  const { pbkdf2Sync } = await import('node:crypto');
  expect(key).toBe(pbkdf2Sync(password.normalize('NFKC'), Buffer.from(salt, 'base64'), 600_000, 32, 'sha256').toString('base64'));
});

test('[SE46] a device opens with a passphrase as with a password, and tells which of the two it is and when it was set', async () => {
  const local = await aDevice('passphrase');
  renewUnlock(local, me, day);
  expect([unlockKind(local, ' ADA@example.org '), unlockSetAt(local, me.email)]).toEqual(['passphrase', 0]);
  expect(await unlock(local, right, 8 * day)).toEqual({ ok: true, me });
  const refused = await unlock(local, wrong, 8 * day);
  expect(!refused.ok && unlockRefusal(refused)).toBe('Wrong passphrase. 4 more tries without the network.');
  // what was kept before there were passphrases
  const { kind: _none, set_at: _never, ...former } = JSON.parse(local.getItem(unlockKey) ?? '') as Record<string, unknown>;
  local.setItem(unlockKey, JSON.stringify(former));
  expect([unlockKind(local, me.email), unlockSetAt(local, me.email)]).toEqual(['password', null]);
  expect(await unlock(local, right, 8 * day)).toEqual({ ok: true, me });
});

test('[SE48] once the server ended the session nothing opens until the person signed in again, which forgives wrong tries, too', async () => {
  const local = await aDevice('passphrase');
  for (let failed = 0; failed < 4; failed += 1) await unlock(local, wrong, 1);
  suspendUnlock(local, me.email);
  expect(await unlock(local, right, 1)).toEqual({ ok: false, reason: 'ended' });
  // an answer that was on its way is no sign-in, and another person is not this one
  renewUnlock(local, me, 2);
  reviveUnlock(local, { ...me, id: 'v' }, 2);
  expect(await unlock(local, right, 2)).toEqual({ ok: false, reason: 'ended' });
  reviveUnlock(local, me, 3);
  expect(await unlock(local, wrong, 3)).toMatchObject({ reason: 'wrong', left: 4 });
  expect(await unlock(local, right, 3)).toEqual({ ok: true, me });
});

test('[SE49] nothing is kept of who left while the key was being made, and whoever shows it hears of each change', async () => {
  const local = aStorage();
  let heard = 0;
  const stop = onUnlockChange(() => (heard += 1));
  let isHere = true;
  const keeping = keepUnlock(local, me, { kind: 'passphrase', text: password }, { now: 0, mayKeep: () => isHere });
  isHere = false;
  expect([await keeping, local.length, heard]).toEqual([false, 0, 0]);
  isHere = true;
  await keepUnlock(local, me, { kind: 'passphrase', text: password }, { now: 0, mayKeep: async () => isHere });
  expect([unlockKind(local, me.email), heard]).toEqual(['passphrase', 1]);
  forgetUnlock(local, me.email);
  expect([unlockKind(local, me.email), heard]).toEqual([null, 2]);
  stop();
});
