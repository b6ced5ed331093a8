import { z } from 'zod';
import type { Me } from '#contract/session.ts';
import { keptKeys, type LocalStorage } from '#app/kept-keys.ts';

const personSchema = z.object({ id: z.string(), email: z.string() });
/** Somebody of whom something is kept on this device. */
export type KeptPerson = z.infer<typeof personSchema>;

const { key } = keptKeys.copiesHere;

/** Everybody of whom something may be kept here, signed in or not: who was signed in on it while it was trusted. */
export function copiesHere(local: LocalStorage): KeptPerson[] {
  try {
    return z.array(personSchema).safeParse(JSON.parse(local.getItem(key) ?? '')).data ?? [];
  } catch {
    return [];
  }
}

function keep(local: LocalStorage, people: readonly KeptPerson[]): void {
  if (people.length === 0) local.removeItem(key);
  else local.setItem(key, JSON.stringify(people));
}

/** Notes that something of a person is kept here from now on. */
export function noteCopy(local: LocalStorage, { id, email }: Pick<Me, 'id' | 'email'>): void {
  keep(local, [...copiesHere(local).filter((person) => person.id !== id), { id, email }]);
}

/** Nothing of them is kept here any more. */
export function forgetCopy(local: LocalStorage, userId: string): void {
  keep(
    local,
    copiesHere(local).filter(({ id }) => id !== userId),
  );
}
