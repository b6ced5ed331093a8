import { type FormEvent, useId, useState } from 'react';
import { type SaveViewInput, savedViewMessages, savedViewNameSchema } from '#contract/saved-views.ts';
import { nameKey } from '#domain/name-key.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { savedViewsOf } from '#replica/saved-views.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextField } from '#app/ui/field.tsx';
import { useReplica } from '#app/use-replica.ts';
import { useAtEnd } from './use-edit-focus.ts';

interface RenameDialogProps {
  edit: OutboxRow;
  onRename: (name: string) => Promise<void>;
  onClose: () => void;
  onGone: () => void;
}

/** Asks for another name of a view that was not saved yet. */
export function RenameDialog({ edit, onRename, onClose, onGone }: RenameDialogProps) {
  const { id, list, name: former } = edit.input as SaveViewInput;
  const replica = useReplica();
  const [name, setName] = useState(former);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const form = useId();
  useAtEnd(onGone);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const parsed = savedViewNameSchema.safeParse(name);
    // as they are now: one may be in a hurry, and another device quicker
    const views = await savedViewsOf(replica, list);
    const isTaken = views.some((view) => view.id !== id && nameKey(view.name) === nameKey(name));
    if (!parsed.success) setProblem(parsed.error.issues[0]?.message);
    else if (isTaken) setProblem(savedViewMessages.taken);
    else {
      await onRename(parsed.data);
      onClose();
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Edit before it is sent"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={form}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void save(event)}>
        <TextField
          label="Name of the view"
          autoFocus
          autoComplete="off"
          value={name}
          error={problem}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
