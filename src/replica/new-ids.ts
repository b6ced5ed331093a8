import { isMaking } from './conflicts.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { OutboxRow, OutboxTables } from './outbox-tables.ts';
import type { StoreReading, StoreWriting } from './store.ts';

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

/** The mark of an id that is another one by now: the former follows. */
const givenMark = 'given:';
/** Ids that are another one by now, as many as are known: forms that were open are closed long before. */
const givenKept = 1_000;

/** The same about what was made by the ids that it was given since, be it that a form was opened, or read what there is, before that. */
export async function byGivenIds<T>(tx: StoreReading<OutboxTables>, value: T): Promise<T> {
  const given = await tx.list('marks', { from: givenMark, to: `${givenMark}\uffff` });
  return given.reduce((said, { k, value: is }) => (is === true ? said : renamed(said, k.slice(givenMark.length), is)), value);
}

async function noteGivenId(tx: StoreWriting<OutboxTables>, was: string, is: string): Promise<void> {
  await tx.put('marks', { k: givenMark + was, value: is });
  const keys = await tx.keys('marks', { from: givenMark, to: `${givenMark}\uffff` });
  // ids begin with the time at which they were made up
  await tx.removeMany('marks', keys.slice(0, -givenKept));
}

/**
 * A server may give what was made another id than it was to have: from now on edits that wait, and what is typed and not saved, are about
 * that, and what a form keeps that is open.
 * @param made just accepted, with its answer.
 */
export async function followNewId(tx: StoreWriting<OutboxTables>, made: OutboxRow): Promise<void> {
  const given = newIdOf(made);
  if (!given) return;
  const { was, is } = given;
  await noteGivenId(tx, was, is);
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
