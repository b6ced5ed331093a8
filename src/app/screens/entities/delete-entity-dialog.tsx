import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ShownEntity } from '#replica/places.ts';
import { textOfError } from '#app/notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FormProblem } from '#app/ui/form-problem.tsx';
import { useEntityEdits } from './use-entity-edits.ts';

/** Asks whether an entity is to be deleted. */
export function DeleteEntityDialog({ entity, onClose }: { entity: ShownEntity; onClose: () => void }) {
  const edits = useEntityEdits();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async (): Promise<void> => {
    try {
      await edits.remove(entity);
      await navigate({ to: '/entities', search: { client: entity.client_id } });
    } catch (error) {
      setProblem(textOfError(error));
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Delete Entity"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" onClick={() => void remove()}>
            Delete Entity
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 py-2">
        <p>Are you sure you want to delete the entity below, with its accounts and transactions?</p>
        <p className="rounded bg-subtle px-3 py-2 font-semibold break-words">
          <bdi>{entity.entity_name}</bdi>
        </p>
        <FormProblem text={problem} />
      </div>
    </Dialog>
  );
}
