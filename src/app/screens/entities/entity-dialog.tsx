import { useId, useState } from 'react';
import { entityFieldsSchema } from '#contract/entities.ts';
import type { ShownEntity } from '#replica/places.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { EntityForm } from './entity-form.tsx';
import { useEntities } from './use-entities.ts';
import { useEntityEdits } from './use-entity-edits.ts';

/** Changes an entity. */
export function EntityDialog({ entity: shown, onClose }: { entity: ShownEntity; onClose: () => void }) {
  // what comes while the form is open is not in it: the edit is made on the row the form began with
  const [entity] = useState(shown);
  const edits = useEntityEdits();
  const others = useEntities(entity.client_id);
  const form = useId();
  const otherNames = others?.rows.filter((row) => row.entity.id !== entity.id).map((row) => row.entity.entity_name);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Update Entity"
      width="wide"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={form}>
            Update Entity
          </Button>
        </>
      }
    >
      {otherNames ? (
        <EntityForm
          id={form}
          usual={entityFieldsSchema.parse(entity)}
          otherNames={otherNames}
          onSave={async (fields) => {
            await edits.update(entity, fields);
            onClose();
          }}
        />
      ) : null}
    </Dialog>
  );
}
