import { v7 as uuid } from 'uuid';
import { deleteClient } from '#contract/clients.ts';
import { makersOf, type ShownClient } from '#replica/places.ts';
import { editTitles } from '#app/edit-titles.ts';
import { keptKeys } from '#app/kept-keys.ts';
import { useServices } from '#app/services.tsx';
import { useEnqueue } from '#app/use-enqueue.ts';
import { useReplica } from '#app/use-replica.ts';

/** What one can do with clients. Making and changing shows at once and reaches the server when there is a network. */
export interface ClientEdits {
  create: (organizationId: string, name: string) => Promise<void>;
  rename: (client: ShownClient, name: string) => Promise<void>;
  /** Needs the network: throws where there is none, or where the server refuses. */
  remove: (client: ShownClient) => Promise<void>;
}

export function useClientEdits(): ClientEdits {
  const { clock, call, engine, notices, local } = useServices();
  const replica = useReplica();
  const enqueue = useEnqueue();
  return {
    create: async (organization_id, client_name) => {
      const id = uuid();
      const input = { id, organization_id, client_name };
      await enqueue({
        id: uuid(),
        name: 'createClient',
        input,
        title: editTitles.createClient(input),
        now: clock(),
        clientId: id,
        entityId: null,
        seen: null,
        // its organization may wait to be made itself
        deps: await makersOf(replica, 'organizations', organization_id),
      });
    },
    rename: async (client, client_name) => {
      const { id } = client;
      const input = { id, client_name };
      await enqueue({
        id: uuid(),
        name: 'updateClient',
        input,
        title: (was, said) => editTitles.updateClient(said, was),
        now: clock(),
        clientId: id,
        entityId: null,
        seen: client,
      });
      // the selected client is cleared (specification section 4)
      local.removeItem(keptKeys.lastEntity.key);
    },
    remove: async ({ id, version, _generation: serverGen }) => {
      const bound = version > 0 ? { ifVersion: version, ...(serverGen ? { serverGen } : {}) } : {};
      await call(deleteClient, { id }, { idempotencyKey: uuid(), ...bound });
      notices.notice('success', 'Client successfully deleted');
      local.removeItem(keptKeys.lastEntity.key);
      void engine.syncNow().catch(() => undefined);
    },
  };
}
