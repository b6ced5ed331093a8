import type { WaitingForm } from '#app/waiting-form.ts';
import { EntityDialog } from './entity-dialog.tsx';

/** Changes the edit that is to make or change an entity. */
export function WaitingEntityDialog({
  words,
  input,
  clientId,
  isNew,
  onSave,
  onClose,
}: WaitingForm<'createEntity'> | WaitingForm<'updateEntity'>) {
  return (
    <EntityDialog
      entity={input}
      clientId={clientId}
      isNew={isNew}
      waiting={words}
      onSave={(_, fields) => onSave(fields)}
      onClose={onClose}
    />
  );
}
