import { z } from 'zod';
import { removalReasons } from '#contract/devices.ts';
import { countWords } from '#domain/count-words.ts';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import { keptKeys, type LocalStorage } from '#app/kept-keys.ts';

const noteSchema = z.object({
  email: z.string(),
  reason: z.enum(removalReasons),
  /** UTC milliseconds. */
  at: z.number(),
  /** What went unsent, by kind; null where nobody could tell. */
  lost: z.array(z.object({ kind: z.string(), count: z.number() })).nullable(),
  /** Nothing of it is left; builds before noted it at the latest by then. */
  is_gone: z.boolean().default(true),
});
/** What was removed from this device at the server's word, until somebody signs in. */
export type RemovedNote = z.infer<typeof noteSchema>;

const { key } = keptKeys.copyRemoved;

export function removedNote(local: LocalStorage): RemovedNote | null {
  try {
    return noteSchema.safeParse(JSON.parse(local.getItem(key) ?? '')).data ?? null;
  } catch {
    return null;
  }
}

export function keepRemovedNote(local: LocalStorage, note: RemovedNote): void {
  local.setItem(key, JSON.stringify(note));
}

export function forgetRemovedNote(local: LocalStorage): void {
  local.removeItem(key);
}

function lostText(lost: RemovedNote['lost']): string {
  if (lost === null) return 'Edits that had not reached the server, if there were any, went with it.';
  const count = lost.reduce((sum, kind) => sum + kind.count, 0);
  if (count === 0) return 'Everything done here had reached the server.';
  const kinds = lost.map((one) => `${one.kind}: ${one.count}`).join(', ');
  return `${countWords(count, 'edit')} that had not reached the server went with it (${kinds}). The server keeps a note of that.`;
}

/** Why something is no longer here, or soon will not be, in words. */
export function removedText({ email, reason, at, lost, is_gone }: RemovedNote, zone: TimeZone): string {
  const ordered = {
    disabled: `The account ${email} was disabled, so what Tieout kept here for it goes`,
    revoked: `The sign-in of ${email} on this device was revoked with the wish to remove what Tieout kept here, so that goes`,
  } as const;
  if (!is_gone)
    return `${ordered[reason]}. Some of it is still in use: it goes as soon as that ends. If this stays, close all other tabs of Tieout.`;
  const why = {
    disabled: `The account ${email} was disabled, so what Tieout kept here for it was removed`,
    revoked: `The sign-in of ${email} on this device was revoked with the wish to remove what Tieout kept here, and that was done`,
  } as const;
  return `${why[reason]} on ${formatDate(at, zone)} ${zone}. ${lostText(lost)} Whatever had reached the server is there.`;
}
