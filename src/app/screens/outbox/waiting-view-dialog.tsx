import { type FormEvent, useState } from 'react';
import { savedViewMessages, savedViewNameSchema } from '#contract/saved-views.ts';
import { nameKey } from '#domain/name-key.ts';
import { savedViewsOf } from '#replica/saved-views.ts';
import { FormDialog } from '#app/form-dialog.tsx';
import { TextField } from '#app/ui/field.tsx';
import { useReplica } from '#app/use-replica.ts';
import type { WaitingForm } from '#app/waiting-form.ts';

/** Changes the name of a view that waits to be saved. */
export function WaitingViewDialog({ words, input, onSave, onClose }: WaitingForm<'saveView'>) {
  const replica = useReplica();
  const [name, setName] = useState(input.name);
  const [problem, setProblem] = useState(words.errors.name?.message);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const parsed = savedViewNameSchema.safeParse(name);
    // as they are now: one may be in a hurry, and another device quicker
    const views = await savedViewsOf(replica, input.list);
    const isTaken = views.some((view) => view.id !== input.id && nameKey(view.name) === nameKey(name));
    setProblem(parsed.success ? (isTaken ? savedViewMessages.taken : undefined) : parsed.error.issues[0]?.message);
    if (!parsed.success || isTaken) return;
    await onSave({ name: parsed.data });
    onClose();
  };
  return (
    <FormDialog title="Edit before it is sent" waiting={words} fields={['name']} onSubmit={save} onClose={onClose}>
      <TextField
        label="Name of the view"
        autoFocus
        autoComplete="off"
        value={name}
        error={problem}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
