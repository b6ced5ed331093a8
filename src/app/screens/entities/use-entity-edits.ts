import { v7 as uuid } from 'uuid';
import type { EntityFields } from '#contract/entities.ts';
import { makersOf, type ShownEntity } from '#replica/places.ts';
import { editTitles } from '#app/edit-titles.ts';
import { useServices } from '#app/services.tsx';
import { useEnqueue } from '#app/use-enqueue.ts';
import { useReplica } from '#app/use-replica.ts';

/** What one can do with entities. Everything shows at once and reaches the server when there is a network. */
export interface EntityEdits {
  /** @returns the id of the new one. */
  create: (clientId: string, fields: EntityFields) => Promise<string>;
  update: (entity: ShownEntity, fields: EntityFields) => Promise<void>;
  remove: (entity: ShownEntity) => Promise<void>;
}

export function useEntityEdits(): EntityEdits {
  const { clock } = useServices();
  const replica = useReplica();
  const enqueue = useEnqueue();
  return {
    create: async (client_id, fields) => {
      const id = uuid();
      const input = { id, client_id, ...fields };
      await enqueue({
        id: uuid(),
        name: 'createEntity',
        input,
        title: editTitles.createEntity(input),
        now: clock(),
        clientId: client_id,
        entityId: id,
        seen: null,
        // its client may wait to be made itself
        deps: await makersOf(replica, 'clients', client_id),
      });
      return id;
    },
    update: (entity, fields) => {
      const input = { id: entity.id, ...fields };
      return enqueue({
        id: uuid(),
        name: 'updateEntity',
        input,
        title: (_was, said) => editTitles.updateEntity(said),
        now: clock(),
        clientId: entity.client_id,
        entityId: entity.id,
        seen: entity,
      });
    },
    remove: (entity) =>
      enqueue({
        id: uuid(),
        name: 'deleteEntity',
        input: { id: entity.id },
        title: `Delete entity: ${entity.entity_name}`,
        now: clock(),
        clientId: entity.client_id,
        entityId: entity.id,
        seen: entity,
      }),
  };
}
