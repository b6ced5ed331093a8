import { useState } from 'react';
import type { ShownClient } from '#replica/places.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { FormDialog } from '#app/form-dialog.tsx';
import { TextField } from '#app/ui/field.tsx';

interface DeleteClientDialogProps {
  client: ShownClient;
  onDelete: () => Promise<void>;
  onClose: () => void;
}

/** Asks for the name of the client that is to be deleted. @source specification section 5, for the texts */
export function DeleteClientDialog({ client, onDelete, onClose }: DeleteClientDialogProps) {
  const hasNetwork = useHasNetwork();
  const [name, setName] = useState('');
  const isSure = name.trim() === client.client_name.trim();
  return (
    <FormDialog
      title="Delete Client"
      look="danger"
      isDisabled={!isSure || !hasNetwork}
      onSubmit={() => onDelete().then(onClose)}
      onClose={onClose}
    >
      <p>Are you sure you want to delete the Client below?</p>
      <p className="rounded bg-subtle px-3 py-2 font-semibold break-words">
        <bdi>{client.client_name}</bdi>
      </p>
      <p className="rounded bg-bad-soft px-3 py-2 text-grid">WARNING: ALL data associated with this Client will no longer be available.</p>
      <p>Please input the Client Name below to confirm deletion.</p>
      <TextField
        label="Client Name"
        autoFocus
        autoComplete="off"
        dir="auto"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {hasNetwork ? null : (
        <p role="status" className="rounded bg-warn-soft px-3 py-2 text-grid">
          There is no network. A client is deleted at the server at once, so that nobody goes on working in it.
        </p>
      )}
    </FormDialog>
  );
}
