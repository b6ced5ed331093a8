import { useNavigate } from '@tanstack/react-router';
import type { ShownEntity } from '#replica/places.ts';
import { FormDialog } from '#app/form-dialog.tsx';
import { useEntityEdits } from './use-entity-edits.ts';

/** Asks whether an entity is to be deleted. */
export function DeleteEntityDialog({ entity, onClose }: { entity: ShownEntity; onClose: () => void }) {
  const edits = useEntityEdits();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await edits.remove(entity);
    await navigate({ to: '/entities', search: { client: entity.client_id } });
  };
  return (
    <FormDialog title="Delete Entity" look="danger" onSubmit={remove} onClose={onClose}>
      <p>Are you sure you want to delete the entity below, with its accounts and transactions?</p>
      <p className="rounded bg-subtle px-3 py-2 font-semibold break-words">
        <bdi>{entity.entity_name}</bdi>
      </p>
    </FormDialog>
  );
}
