import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { userFieldsSchema } from '#contract/users.ts';
import type { ShownUser } from '#replica/users.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { FormDialog } from '#app/form-dialog.tsx';
import { TextField } from '#app/ui/field.tsx';
import type { WaitingWords } from '#app/waiting-form.ts';
import { useDraft } from '#app/drafts/use-draft.ts';

const schema = userFieldsSchema.pick({ name: true });

interface UpdateUserDialogProps<Person> {
  user: Person;
  /** Of the edit that changes the person, where that one waits. */
  waiting?: WaitingWords;
  /** @param seen the person as the form began with them. */
  onSave: (seen: Person, name: string | null) => Promise<void>;
  onClose: () => void;
}

/** Asks what a person is called. */
export function UpdateUserDialog<Person extends Pick<ShownUser, 'id' | 'name'>>({
  user,
  waiting,
  onSave,
  onClose,
}: UpdateUserDialogProps<Person>) {
  const [seen] = useState(user);
  const form = useForm<z.input<typeof schema>, unknown, z.output<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { name: seen.name ?? '' },
    ...(waiting ? { errors: waiting.errors } : {}),
  });
  const { register, handleSubmit, formState } = form;
  const draft = useDraft(form, { key: waiting?.draftKey ?? `user:${seen.id}`, schema });
  const close = (): void => {
    draft.end();
    onClose();
  };
  const save = handleSubmit(async ({ name }) => {
    await onSave(seen, name);
    close();
  });
  return (
    <FormDialog title="Update User" waiting={waiting} fields={['name']} onSubmit={save} onClose={close}>
      <DraftLine draft={draft} />
      <TextField label="Name" autoFocus autoComplete="off" dir="auto" error={formState.errors.name?.message} {...register('name')} />
    </FormDialog>
  );
}
