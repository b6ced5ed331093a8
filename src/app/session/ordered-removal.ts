import { v7 as uuid } from 'uuid';
import { z } from 'zod';
import { findRemoval, lostKindSchema, type Removal, removalSchema, reportRemoval } from '#contract/devices.ts';
import type { StoreHost } from '#replica/store.ts';
import { forgetOwn, forgetPerson } from '#app/kept-keys.ts';
import type { Services } from '#app/services.tsx';
import { copiesHere, forgetCopy, type KeptPerson } from './copies-here.ts';
import { askRemoval, removeAskedCopies, removeOnceFree } from './copy-removal.ts';
import { forgetUnlock } from './offline-unlock.ts';
import { keepRemovedNote } from './removed-note.ts';
import { besideSignOuts } from './sign-out.ts';

// The server may order that what this device keeps of a person goes: their account was disabled, or they ended their sign-in here with
// that wish. Nothing else has anything removed: it must be the answer to the very question, name the person and the device, and come
// twice. Whoever is signed in is never asked about. @source sync design 3.11, 3.12

/** Longest wait for the server, in milliseconds. */
const waitMs = 5_000;

type Ports = Pick<Services, 'call' | 'session' | 'local' | 'locks' | 'clock'>;

/** On the disk from before anything goes until the server knows. */
const intentSchema = z.object({
  removal: removalSchema,
  email: z.string(),
  lost: z.array(lostKindSchema).nullable(),
  /** The server was told what goes unsent. */
  is_told: z.boolean(),
  /** Nothing of it is left. */
  is_gone: z.boolean(),
});
type Intent = z.infer<typeof intentSchema>;

const load = () => Promise.all([import('#replica/wipe-intents.ts'), import('#replica/dexie-store.ts')]);

function isHere({ session }: Ports, userId: string): boolean {
  return session.user()?.id === userId;
}

/** The server's order about a person on this device; null where there is none, and where anything is amiss with the answer. */
async function orderFor(ports: Ports, { id: user_id }: KeptPerson, device_id: string): Promise<Removal | null> {
  if (isHere(ports, user_id)) return null;
  const asked = { question: uuid(), user_id, device_id };
  try {
    const { question, removal } = await ports.call(findRemoval, asked, { signal: AbortSignal.timeout(waitMs) });
    const isOurs = question === asked.question && removal?.user_id === user_id && removal.device_id === device_id;
    return isOurs && !isHere(ports, user_id) ? removal : null;
  } catch {
    // no network, another server, something on the way there
    return null;
  }
}

async function unsent(host: StoreHost, userId: string): Promise<Intent['lost']> {
  try {
    const { unsentOf } = await import('#replica/unsent.ts');
    return await unsentOf(host, userId);
  } catch {
    return null;
  }
}

/** @returns whether the server knows. */
async function tell({ call }: Ports, { removal, lost }: Intent): Promise<boolean> {
  const { id, user_id, device_id } = removal;
  try {
    await call(reportRemoval, { id, user_id, device_id, lost }, { signal: AbortSignal.timeout(waitMs) });
    return true;
  } catch {
    return false;
  }
}

/** Goes on with what was noted, as far as it can: the server is told first, where it can be, and what is here goes in any case. */
async function goOn(ports: Ports, host: StoreHost, noted: Intent): Promise<void> {
  const { keepIntent, dropIntent } = await import('#replica/wipe-intents.ts');
  const { local, locks, clock } = ports;
  const { user_id: userId, reason } = noted.removal;
  const is_told = noted.is_told || (await tell(ports, noted));
  const intent = { ...noted, is_told };
  if (!intent.is_gone) {
    askRemoval(local, userId, ['copy', 'edits']);
    forgetUnlock(local, intent.email);
    const isAlone = ports.session.user() === null && copiesHere(local).every(({ id }) => id === userId);
    if (isAlone) forgetPerson(local, userId);
    else forgetOwn(local, userId);
    // where they were is no place to lead the next person to
    if (ports.session.user() === null) ports.session.takePlace();
    const note = { email: intent.email, reason, lost: intent.lost };
    keepRemovedNote(local, { ...note, at: clock(), is_gone: false });
    // something holds on to it: it is done once that lets go, or at the next start
    if (!(await removeAskedCopies(local, locks))) return keepIntent(host, userId, intent);
    keepRemovedNote(local, { ...note, at: clock(), is_gone: true });
    forgetCopy(local, userId);
  }
  await (is_told ? dropIntent(host, userId) : keepIntent(host, userId, { ...intent, is_gone: true }));
}

/** Whether something that was noted is still here. */
async function isLeft(host: StoreHost): Promise<boolean> {
  const { intentsIn } = await import('#replica/wipe-intents.ts');
  return (await intentsIn(host)).some((value) => intentSchema.safeParse(value).data?.is_gone === false);
}

/** Goes on with what was cut short; whoever signed in since has begun anew. */
async function resume(ports: Ports, host: StoreHost): Promise<void> {
  const { intentsIn, dropIntent } = await import('#replica/wipe-intents.ts');
  for (const value of await intentsIn(host)) {
    const intent = intentSchema.safeParse(value).data;
    if (!intent) continue;
    const { user_id: userId } = intent.removal;
    if (isHere(ports, userId) && !intent.is_gone) await dropIntent(host, userId);
    else await goOn(ports, host, intent);
  }
}

/**
 * Asks the server of everybody of whom something is kept here, and who is not signed in, whether it is to go, and sees to that, as long
 * as it takes. Never fails.
 * @param hear called whenever the person may be told something else of it.
 */
export async function followRemovals(ports: Ports, hear: () => void = () => undefined): Promise<void> {
  const { local, locks } = ports;
  try {
    const [{ keepIntent }, { browserStores: host }] = await load();
    const { heldDeviceId } = await import('#replica/device-tables.ts');
    // nobody signs in while something goes
    await besideSignOuts(locks, () => resume(ports, host));
    const device = await heldDeviceId(host);
    if (device === null) return;
    for (const person of copiesHere(local)) {
      if (!(await orderFor(ports, person, device))) continue;
      await besideSignOuts(locks, async () => {
        const removal = await orderFor(ports, person, device);
        if (!removal) return;
        const intent = { removal, email: person.email, lost: await unsent(host, person.id), is_told: false, is_gone: false };
        await keepIntent(host, person.id, intent);
        await goOn(ports, host, intent);
      });
    }
    if (!(await isLeft(host))) return;
    hear();
    // without the lock of those who sign in: this may take until another tab is closed
    await removeOnceFree(local, locks);
    await besideSignOuts(locks, () => resume(ports, host));
  } catch {
    // a browser that opens no database says so elsewhere; asked again with the next start
  } finally {
    hear();
  }
}
