import { type FormEvent, useId, useState } from 'react';
import type { ShownClient } from '#replica/places.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { textOfError } from '#app/notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FormProblem } from '#app/ui/form-problem.tsx';
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
  const [isDeleting, setDeleting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useId();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setDeleting(true);
    try {
      await onDelete();
      onClose();
    } catch (error) {
      setProblem(textOfError(error));
      setDeleting(false);
    }
  };
  const isSure = name.trim() === client.client_name.trim();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Delete Client"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" type="submit" form={form} disabled={!isSure || isDeleting || !hasNetwork}>
            Delete Client
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3 py-2">
        <p>Are you sure you want to delete the Client below?</p>
        <p className="rounded bg-subtle px-3 py-2 font-semibold break-words">
          <bdi>{client.client_name}</bdi>
        </p>
        <p className="rounded bg-bad-soft px-3 py-2 text-grid">
          WARNING: ALL data associated with this Client will no longer be available.
        </p>
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
        <FormProblem text={problem} />
      </form>
    </Dialog>
  );
}
