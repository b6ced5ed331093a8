import { useId, useState } from 'react';
import { type EntityFields, entityFieldsSchema } from '#contract/entities.ts';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import type { WaitingWords } from '#app/waiting-form.ts';
import { WaitingNote } from '#app/waiting-note.tsx';
import { EntityForm } from './entity-form.tsx';
import { useEntities } from './use-entities.ts';

interface EntityDialogProps<Row> {
  entity: Row;
  clientId: string | undefined;
  /** It is still to be made. */
  isNew?: boolean;
  /** Of the edit that makes or changes it, where that one waits. */
  waiting?: WaitingWords;
  /** @param seen the entity as the form began with it. */
  onSave: (seen: Row, fields: EntityFields) => Promise<void>;
  onClose: () => void;
}

/** Asks for what there is to say of an entity. */
export function EntityDialog<Row extends { id: string }>({
  entity: shown,
  clientId,
  isNew = false,
  waiting,
  onSave,
  onClose,
}: EntityDialogProps<Row>) {
  // what comes while the form is open is not in it: the edit is made on the row the form began with
  const [entity] = useState(shown);
  const [isBusy, setBusy] = useState(false);
  const others = useEntities(clientId);
  const form = useId();
  const { drafts } = useServices();
  const draft = { key: waiting?.draftKey ?? `entity:${entity.id}`, clientId, entityId: entity.id };
  const cancel = (): void => {
    drafts.end(draft.key);
    onClose();
  };
  const otherNames = others?.rows.filter((row) => row.entity.id !== entity.id).map((row) => row.entity.entity_name);
  const title = isNew ? 'Create Entity' : 'Update Entity';
  return (
    <Dialog
      isOpen
      onClose={cancel}
      title={title}
      width="wide"
      actions={
        <>
          <Button onClick={cancel}>Cancel</Button>
          <Button look="primary" type="submit" form={form} disabled={isBusy}>
            {waiting ? 'Save' : title}
          </Button>
        </>
      }
    >
      <WaitingNote words={waiting} />
      {otherNames ? (
        <EntityForm
          id={form}
          usual={entityFieldsSchema.parse(entity)}
          otherNames={otherNames}
          waiting={waiting}
          draft={draft}
          onBusy={setBusy}
          onSave={async (fields) => {
            await onSave(entity, fields);
            onClose();
          }}
        />
      ) : null}
    </Dialog>
  );
}
