import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { savedViewMessages, savedViewNameSchema } from '#contract/saved-views.ts';
import { nameKey } from '#domain/name-key.ts';
import { savedViewsOf } from '#replica/saved-views.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { useDraft } from '#app/drafts/use-draft.ts';
import { FormDialog } from '#app/form-dialog.tsx';
import { TextField } from '#app/ui/field.tsx';
import { useReplica } from '#app/use-replica.ts';
import type { WaitingForm } from '#app/waiting-form.ts';

const schema = z.object({ name: savedViewNameSchema });

/** Changes the name of a view that waits to be saved. */
export function WaitingViewDialog({ words, input, onSave, onClose }: WaitingForm<'saveView'>) {
  const replica = useReplica();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { name: input.name }, errors: words.errors });
  const draft = useDraft(form, { key: words.draftKey, schema });
  const close = (): void => {
    draft.end();
    onClose();
  };
  const save = form.handleSubmit(async ({ name }) => {
    // as they are now: one may be in a hurry, and another device quicker
    const views = await savedViewsOf(replica, input.list);
    if (views.some((view) => view.id !== input.id && nameKey(view.name) === nameKey(name))) {
      form.setError('name', { message: savedViewMessages.taken }, { shouldFocus: true });
      return;
    }
    await onSave({ name });
    close();
  });
  return (
    <FormDialog title="Edit before it is sent" waiting={words} fields={['name']} onSubmit={save} onClose={close}>
      <DraftLine draft={draft} />
      <TextField
        label="Name of the view"
        autoFocus
        autoComplete="off"
        error={form.formState.errors.name?.message}
        {...form.register('name')}
      />
    </FormDialog>
  );
}
