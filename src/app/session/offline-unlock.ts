import { z } from 'zod';
import { type Me, meSchema } from '#contract/session.ts';
import { createListeners } from '#app/listeners.ts';
import { keptKeys, keyOfUser, type LocalStorage } from '#app/kept-keys.ts';
import { type Lease, leaseOverText, lookAtLease, renewLease } from './lease.ts';

// Who signed in on a trusted device with a password can open what is kept there without the network, by that password; who signed in
// otherwise, by a passphrase they set there. Kept for it is a key derived from it, never itself. @source sync design 3.12

/** Rounds of PBKDF2-SHA256. */
const iterations = 600_000;
const keyBits = 256;
const mostFailures = 5;

const keyOf = (email: string) => keyOfUser(keptKeys.offlineUnlock, email.trim().toLowerCase());

/** What a device opens with: what the server takes, too, or what only this device knows. */
const kindSchema = z.enum(['password', 'passphrase']);
export type SecretKind = z.infer<typeof kindSchema>;

const verifierSchema = z.object({
  me: meSchema,
  kind: kindSchema.default('password'),
  salt: z.string(),
  iterations: z.literal(iterations),
  key: z.string(),
  /** When the secret was set, UTC milliseconds; absent in what older builds kept. */
  set_at: z.number().optional(),
  /** When the server last said who they are, UTC milliseconds. */
  confirmed_at: z.number(),
  /** The server ended the session since: it opens nothing until they signed in again. */
  is_suspended: z.boolean().optional(),
  failures: z.number().int().nonnegative(),
});
type Verifier = z.infer<typeof verifierSchema>;

function readVerifier(local: LocalStorage, email: string): Verifier | null {
  try {
    return verifierSchema.safeParse(JSON.parse(local.getItem(keyOf(email)) ?? '')).data ?? null;
  } catch {
    return null;
  }
}

const listeners = createListeners();
/** Tells of changes that this tab makes. */
export const onUnlockChange = listeners.subscribe;

function write(local: LocalStorage, verifier: Verifier): void {
  local.setItem(keyOf(verifier.me.email), JSON.stringify(verifier));
  listeners.tell();
}

const textOf = (bytes: Uint8Array): string => btoa(String.fromCodePoint(...bytes));
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0);

async function derive(secret: string, salt: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = new TextEncoder().encode(secret.normalize('NFKC'));
  const key = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, keyBits);
  return textOf(new Uint8Array(bits));
}

/**
 * Lets a person whom the server says to be this one open the device without a network.
 * @param mayKeep asked once the key is made, which takes a while: they may have left meanwhile.
 * @returns whether it was kept.
 */
export async function keepUnlock(
  local: LocalStorage,
  me: Me,
  secret: { kind: SecretKind; text: string },
  { now, mayKeep }: { now: number; mayKeep: () => boolean | Promise<boolean> },
): Promise<boolean> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const key = await derive(secret.text, salt);
  if (!(await mayKeep())) return false;
  renewLease(local, me.id, now);
  write(local, { me, kind: secret.kind, salt: textOf(salt), iterations, key, set_at: now, confirmed_at: now, failures: 0 });
  return true;
}

/** What the device opens with for an e-mail; null where nothing does. */
export function unlockKind(local: LocalStorage, email: string): SecretKind | null {
  return readVerifier(local, email)?.kind ?? null;
}

/** When that was set, UTC milliseconds; null where nobody knows. */
export function unlockSetAt(local: LocalStorage, email: string): number | null {
  return readVerifier(local, email)?.set_at ?? null;
}

/** The server has said again who the person is; what it suspended since stays so. */
export function renewUnlock(local: LocalStorage, me: Me, now: number): void {
  renewLease(local, me.id, now);
  const verifier = readVerifier(local, me.email);
  if (verifier?.me.id === me.id) write(local, { ...verifier, me, confirmed_at: now });
}

/** The person has signed in again: what opened the device opens it, and wrong tries are forgiven. */
export function reviveUnlock(local: LocalStorage, me: Me, now: number): void {
  renewLease(local, me.id, now);
  const verifier = readVerifier(local, me.email);
  if (verifier?.me.id !== me.id) return;
  const { is_suspended: _over, ...revived } = verifier;
  write(local, { ...revived, me, confirmed_at: now, failures: 0 });
}

/** The server ended the session: they may have been disabled, so nothing opens until it takes them again. */
export function suspendUnlock(local: LocalStorage, email: string): void {
  const verifier = readVerifier(local, email);
  if (verifier) write(local, { ...verifier, is_suspended: true });
}

export function forgetUnlock(local: LocalStorage, email: string): void {
  local.removeItem(keyOf(email));
  listeners.tell();
}

/** `none`: nothing is kept for that e-mail; `ended`: the server ended the session; `stale`: it was not asked for too long. */
export type UnlockOutcome =
  | { ok: true; me: Me }
  | { ok: false; reason: 'none' | 'ended' }
  | ({ ok: false; reason: 'stale' } & Pick<Lease, 'days' | 'wasSetBack'>)
  | { ok: false; reason: 'too_many'; kind: SecretKind }
  | { ok: false; reason: 'wrong'; kind: SecretKind; left: number };

/** Opens the device for who knows what it opens with for an e-mail; the fifth wrong try takes the way away. */
export async function unlock(
  local: LocalStorage,
  { email, secret }: { email: string; secret: string },
  now: number,
): Promise<UnlockOutcome> {
  const verifier = readVerifier(local, email);
  if (!verifier) return { ok: false, reason: 'none' };
  if (verifier.is_suspended) return { ok: false, reason: 'ended' };
  const { isOver, days, wasSetBack } = lookAtLease(local, verifier.me.id, now, verifier.confirmed_at);
  if (isOver) return { ok: false, reason: 'stale', days, wasSetBack };
  // counted before the answer is known: a page closed in between does not give another try
  const failures = verifier.failures + 1;
  // tries of other tabs may be under way
  if (failures > mostFailures) return { ok: false, reason: 'too_many', kind: verifier.kind };
  write(local, { ...verifier, failures });
  if ((await derive(secret, bytesOf(verifier.salt))) === verifier.key) {
    const left = readVerifier(local, email);
    // another tab's last try may have taken the way away, or the server ended the session, while the key was being made
    if (left?.key !== verifier.key) return { ok: false, reason: 'none' };
    if (left.is_suspended) return { ok: false, reason: 'ended' };
    write(local, { ...left, failures: 0 });
    return { ok: true, me: verifier.me };
  }
  if (failures < mostFailures) return { ok: false, reason: 'wrong', kind: verifier.kind, left: mostFailures - failures };
  forgetUnlock(local, email);
  return { ok: false, reason: 'too_many', kind: verifier.kind };
}

/** Why a device does not open, in words. */
export function unlockRefusal(outcome: Exclude<UnlockOutcome, { ok: true }>): string {
  switch (outcome.reason) {
    case 'none':
      return 'There is no network, and this device keeps nothing that opens for this email without it.';
    case 'ended':
      return 'The server ended your session. Signing in needs the network once.';
    case 'stale':
      return leaseOverText(outcome);
    case 'too_many':
      return outcome.kind === 'password'
        ? 'Too many wrong passwords. Signing in needs the network now.'
        : 'Too many wrong passphrases. Signing in needs the network now, and then a passphrase is to be set again.';
    case 'wrong':
      return `Wrong ${outcome.kind}. ${outcome.left === 1 ? 'One more try' : `${outcome.left} more tries`} without the network.`;
  }
}
