import type { Replica } from './open.ts';
import type { Draft, OutboxRow, OutboxStore, OutboxTables } from './outbox-tables.ts';
import type { RowStore } from './row-tables.ts';
import { scopeKey } from './scopes.ts';
import type { StoreWriting } from './store.ts';

// What is typed into a form lies in the outbox: only this browser knows it, and no copy of the server's rows brings it back.

/** No id has it: it stands between a form and what tells two drafts of it apart. */
const between = ' ';

/** The key of a draft. @param form `client:new`, `client:<id>` and the like, without a blank. @param id of this draft alone. */
export function draftKey(form: string, id: string): string {
  return `${form}${between}${id}`;
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
  const range = { from: draftKey(form, ''), to: draftKey(form, '\uffff') };
  const drafts = await outbox.read(['drafts'], (tx) => tx.list('drafts', range));
  return drafts.filter(isReadable).sort((a, b) => b.kept_at - a.kept_at);
}

/** Keeps a draft that is new. When the promise resolves it is on disk. */
export function keepDraft(outbox: OutboxStore, draft: Draft): Promise<void> {
  return outbox.write(['drafts'], (tx) => tx.put('drafts', draft));
}

/** Keeps more of a draft. @returns false where it was taken away meanwhile, for what it is about may no longer be seen: it stays away. */
export function keepMoreOf(outbox: OutboxStore, draft: Draft): Promise<boolean> {
  return outbox.write(['drafts'], async (tx) => {
    if (!(await tx.get('drafts', draft.form_key))) return false;
    await tx.put('drafts', draft);
    return true;
  });
}

/** The form was saved or cancelled. */
export function dropDraft(outbox: OutboxStore, key: string): Promise<void> {
  return outbox.write(['drafts'], (tx) => tx.remove('drafts', key));
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

/**
 * Drops what was typed about clients and entities that may no longer be seen. To be done before their rows go, for that is what is done
 * again where it was cut short.
 * @param lost scopes. @param held scopes that may still be seen, be it without the client they lie in.
 */
export async function dropDraftsOf({ rows, outbox }: Replica, lost: readonly string[], held: readonly string[] = []): Promise<void> {
  if (lost.length === 0) return;
  await expectOwnTerm(rows);
  const goes = (draft: Draft): boolean => {
    const { client, entity } = scopesOf(draft);
    if (entity !== null && lost.includes(entity)) return true;
    return client !== null && lost.includes(client) && !(entity !== null && held.includes(entity));
  };
  await outbox.write(['drafts'], (tx) => dropWhere(tx, goes));
}

/**
 * Asks that the term of the worker goes on, which its copy refuses otherwise: drafts are kept by any tab, in no term. A moment later
 * another's may begin, but not a sleep.
 */
function expectOwnTerm(rows: RowStore): Promise<void> {
  return rows.write(['meta'], () => Promise.resolve());
}

/** The same where all scopes are known that may be seen; what was made here and waits is not known to the server, and stays. */
export async function dropUnseenDrafts({ rows, outbox }: Replica, seen: readonly string[]): Promise<void> {
  await expectOwnTerm(rows);
  await outbox.write(['drafts', 'mutations'], async (tx) => {
    if ((await tx.count('drafts')) === 0) return;
    const edits = await tx.list('mutations');
    await dropWhere(tx, (draft) => {
      const { client, entity } = scopesOf(draft);
      const innermost = entity ?? client;
      return innermost !== null && !seen.includes(innermost) && !edits.some((edit) => makesItsPlace(edit, draft));
    });
  });
}

/** Another build may have kept it without them. */
function scopesOf({ client_id: client, entity_id: entity }: Partial<Draft>): { client: string | null; entity: string | null } {
  return { client: client ? scopeKey('client', client) : null, entity: entity ? scopeKey('entity', entity) : null };
}

/** Whether an edit makes the client or the entity a draft is about. */
function makesItsPlace({ name, client_id: client, entity_id: entity }: OutboxRow, draft: Draft): boolean {
  return (name === 'createClient' && client === draft.client_id) || (name === 'createEntity' && entity === draft.entity_id);
}

async function dropWhere(tx: StoreWriting<OutboxTables>, goes: (draft: Draft) => boolean): Promise<void> {
  const gone = (await tx.list('drafts')).filter(goes);
  await tx.removeMany(
    'drafts',
    gone.map(({ form_key }) => form_key),
  );
}
