import type { MutationName } from '#contract/mutations.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { pendingMutations } from './outbox.ts';
import { type OutboxRow, outboxSchema, type OutboxStore, type OutboxTables } from './outbox-tables.ts';
import type { StoreHost } from './store.ts';
import { userKeyOf } from './user-keys.ts';

const kinds: Record<MutationName, string> = {
  markTransfer: 'transfer mark',
  saveView: 'saved view',
  deleteView: 'deletion of a saved view',
  createOrganization: 'new organization',
  updateOrganization: 'change of an organization',
  deleteOrganization: 'deletion of an organization',
  createClient: 'new client',
  updateClient: 'change of a client',
  createEntity: 'new entity',
  updateEntity: 'change of an entity',
  deleteEntity: 'deletion of an entity',
  updateUser: 'change of a user',
  setUserRole: 'change of a role',
  assignUser: 'change of assignments',
  submitTicket: 'ticket',
  attachToTicket: 'screenshot of a ticket',
  archiveAsset: 'archived asset',
  unarchiveAsset: 'unarchived asset',
};

/** Whether the server has not accepted an edit yet: only such a one is lost with its outbox. */
export const isUnaccepted = ({ state }: Pick<OutboxRow, 'state'>): boolean => state !== 'acked';

/** The edits of an outbox that the server has not accepted. */
export async function unacceptedEdits(outbox: OutboxStore): Promise<OutboxRow[]> {
  return (await pendingMutations(outbox)).filter(isUnaccepted);
}

/** How much of a kind, the kind in words. */
export interface Unsent {
  kind: string;
  count: number;
}

/** What a user did on this browser that has not reached the server, by kind, whoever is signed in. */
export async function unsentOf(host: StoreHost, userId: string): Promise<Unsent[]> {
  const outbox = await host.open<OutboxTables>(outboxSchema(await userKeyOf(host, userId)));
  try {
    const edits = await unacceptedEdits(outbox);
    const named = edits.map((edit) => (isOfNewerBuild(edit) ? 'edit of a newer version' : kinds[edit.name]));
    const drafts = await outbox.read(['drafts'], (tx) => tx.count('drafts'));
    const counts = new Map<string, number>();
    for (const kind of named) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [...counts, ...(drafts > 0 ? [['form not saved', drafts] as const] : [])].map(([kind, count]) => ({ kind, count }));
  } finally {
    outbox.close();
  }
}
