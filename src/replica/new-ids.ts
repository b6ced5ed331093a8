import { isMaking } from './conflicts.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { OutboxRow, OutboxTables } from './outbox-tables.ts';
import type { StoreWriting } from './store.ts';

/** A value with an id in place of another one wherever it is said. No text says it but where it means it. */
function renamed<T>(value: T, was: string, is: string): T {
  if (typeof value === 'string') return value.replaceAll(was, is) as T & string;
  if (Array.isArray(value)) return value.map((each: unknown) => renamed(each, was, is)) as T;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renamed<unknown>(each, was, is)])) as T;
}

/** What an accepted edit made, by the id it was to have, and the one it was given; null where these are the same. */
function newIdOf({ name, input, answer }: OutboxRow): { was: string; is: string } | null {
  const [was, is] = [(input as { id?: unknown }).id, (answer as { id?: unknown } | null | undefined)?.id];
  return isMaking(name) && typeof was === 'string' && typeof is === 'string' && was !== is ? { was, is } : null;
}

/**
 * A server may give what was made another id than it was to have: from now on edits that wait, and what is typed and not saved, are about
 * that.
 * @param made just accepted, with its answer.
 */
export async function followNewId(tx: StoreWriting<OutboxTables>, made: OutboxRow): Promise<void> {
  const given = newIdOf(made);
  if (!given) return;
  const { was, is } = given;
  const says = (row: object): boolean => JSON.stringify(row).includes(was);
  const edits = (await tx.list('mutations')).filter((edit) => !isOfNewerBuild(edit) && says(edit));
  await tx.putMany(
    'mutations',
    edits.map((edit) => renamed(edit, was, is)),
  );
  const drafts = (await tx.list('drafts')).filter(says);
  await tx.removeMany(
    'drafts',
    drafts.map(({ form_key }) => form_key),
  );
  await tx.putMany(
    'drafts',
    drafts.map((draft) => renamed(draft, was, is)),
  );
}
