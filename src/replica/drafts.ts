import { byGivenIds } from './new-ids.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { Replica } from './open.ts';
import type { Draft, OutboxRow, OutboxStore } from './outbox-tables.ts';
import { pullIn, type PullRow } from './pulls.ts';
import type { RowStore } from './row-tables.ts';
import { hasUnread } from './unread-rows.ts';

// What is typed into a form lies in the outbox: only this browser knows it, and no copy of the server's rows brings it back.

/** No id has it: it stands between a form and what tells two drafts of it apart. */
const between = ' ';

/** The key of a draft. @param form `client:new`, `client:<id>` and the like, without a blank. @param id of this draft alone. */
export function draftKey(form: string, id: string): string {
  return `${form}${between}${id}`;
}

/** The id of a draft alone. It stays where the form goes by another id, which what that is about may be given. */
export function draftIdIn(key: string): string {
  return key.slice(key.indexOf(between) + 1);
}

/** The form of an edit that waits. */
export function formOfEdit(id: string): string {
  return `edit:${id}`;
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What another build wrote otherwise is left alone. */
function isReadable({ fields, before, kept_at: at }: Partial<Draft>): boolean {
  return isRecord(fields) && isRecord(before) && Number.isSafeInteger(at);
}

/** What was typed into a form and neither saved nor cancelled, the latest first: it may have been open in several tabs. */
export async function draftsOf(outbox: OutboxStore, form: string): Promise<Draft[]> {
  const drafts = await outbox.read(['drafts', 'marks'], async (tx) => {
    const named = await byGivenIds(tx, form);
    return tx.list('drafts', { from: draftKey(named, ''), to: draftKey(named, '\uffff') });
  });
  return drafts.filter(isReadable).sort((a, b) => b.kept_at - a.kept_at);
}

/** Keeps a draft that is new. When the promise resolves it is on disk. */
export function keepDraft(outbox: OutboxStore, draft: Draft): Promise<void> {
  return outbox.write(['drafts', 'marks'], async (tx) => tx.put('drafts', await byGivenIds(tx, draft)));
}

/** Keeps more of a draft. @returns false where it was taken away meanwhile, for what it is about may no longer be seen: it stays away. */
export function keepMoreOf(outbox: OutboxStore, draft: Draft): Promise<boolean> {
  return outbox.write(['drafts', 'marks'], async (tx) => {
    const more = await byGivenIds(tx, draft);
    if (!(await tx.get('drafts', more.form_key))) return false;
    await tx.put('drafts', more);
    return true;
  });
}

/** The form was saved or cancelled. */
export function dropDraft(outbox: OutboxStore, key: string): Promise<void> {
  return outbox.write(['drafts', 'marks'], async (tx) => tx.remove('drafts', await byGivenIds(tx, key)));
}

/** The form was saved or cancelled at a moment, UTC milliseconds: what was kept of it later stays. */
export function dropDraftOf(outbox: OutboxStore, key: string, moment: number): Promise<void> {
  return outbox.write(['drafts', 'marks'], async (tx) => {
    const named = await byGivenIds(tx, key);
    const kept = await tx.get('drafts', named);
    if (kept && isReadable(kept) && kept.kept_at <= moment) await tx.remove('drafts', named);
  });
}

/** What was typed into forms of edits that wait no longer goes: no form is opened for them any more. */
export async function dropSettledDrafts(outbox: OutboxStore): Promise<void> {
  const range = { from: formOfEdit(''), to: formOfEdit('\uffff') };
  if ((await outbox.read(['drafts'], (tx) => tx.keys('drafts', range))).length === 0) return;
  await outbox.write(['drafts', 'mutations'], async (tx) => {
    const forms = new Set((await tx.list('mutations')).map(({ id }) => formOfEdit(id)));
    const keys = await tx.keys('drafts', range);
    await tx.removeMany(
      'drafts',
      keys.filter((key) => !forms.has(key.split(between)[0] ?? '')),
    );
  });
}

/** The person's decision to let go of all they had typed. */
export function dropAllDrafts(outbox: OutboxStore): Promise<void> {
  return outbox.write(['drafts'], (tx) => tx.removeAll('drafts'));
}

/** The lists of the places that a draft may be about. */
type PlaceNoun = 'clients' | 'entities';

interface Place {
  noun: PlaceNoun;
  id: string;
}

/** What a draft is about; null where that is no place. Another build may have kept it without. */
function placeOf({ client_id: client, entity_id: entity }: Partial<Draft>): Place | null {
  if (entity) return { noun: 'entities', id: entity };
  return client ? { noun: 'clients', id: client } : null;
}

/** Whether it is known of all rows of a list that they are here: it was read to its end, or the right to it is gone. */
function isTold({ last_complete_at: at, is_cut: isCut, is_withheld: isWithheld }: PullRow): boolean {
  return isWithheld === true || (at !== null && isCut !== true);
}

/** Tells which places may not be seen: neither here nor to come, for their list was read. */
function whichAreUnseen(rows: RowStore, places: readonly Place[]): Promise<(place: Place) => boolean> {
  return rows.read(['clients', 'entities', 'pulls', 'meta'], async (tx) => {
    const unseen: Place[] = [];
    for (const noun of ['clients', 'entities'] as const) {
      const isWhole = isTold(await pullIn(tx, 'user', noun)) && !(await hasUnread(tx, { scope: 'user', noun }));
      if (!isWhole) continue;
      for (const place of places) if (place.noun === noun && !(await tx.get(noun, place.id))) unseen.push(place);
    }
    return ({ noun, id }) => unseen.some((place) => place.noun === noun && place.id === id);
  });
}

/**
 * Drops what was typed about clients and entities that may no longer be seen. Their own lists say which these are: what lies in one may
 * go out of sight, and its scope with that, while the place itself stays. So it waits for the lists where these are to be read again. What
 * was made here and waits is not known to the server, and stays.
 */
export async function dropUnseenDrafts({ rows, outbox }: Replica): Promise<void> {
  // read before the rows: what an edit makes is among those once it waits no longer
  const { drafts, edits } = await outbox.read(['drafts', 'mutations'], async (tx) => {
    const kept = await tx.list('drafts');
    return { drafts: kept, edits: kept.length > 0 ? await tx.list('mutations') : [] };
  });
  const places = drafts.flatMap((draft) => placeOf(draft) ?? []);
  if (places.length === 0) return;
  const isUnseen = await whichAreUnseen(rows, places);
  const gone = drafts.filter((draft) => {
    const place = placeOf(draft);
    return place !== null && isUnseen(place) && !edits.some((edit) => isMaking(edit, place));
  });
  if (gone.length === 0) return;
  await expectOwnTerm(rows);
  await outbox.write(['drafts'], (tx) =>
    tx.removeMany(
      'drafts',
      gone.map(({ form_key }) => form_key),
    ),
  );
}

/**
 * Asks that the term of the worker goes on, which its copy refuses otherwise: drafts are kept by any tab, in no term. A moment later
 * another's may begin, but not a sleep.
 */
function expectOwnTerm(rows: RowStore): Promise<void> {
  return rows.write(['meta'], () => Promise.resolve());
}

/** Whether an edit makes a place, or may: of one of a newer build nobody knows what it does. */
function isMaking(edit: OutboxRow, { noun, id }: Place): boolean {
  const [named, name] = noun === 'clients' ? [edit.client_id, 'createClient'] : [edit.entity_id, 'createEntity'];
  return named === id && (edit.name === name || isOfNewerBuild(edit));
}
