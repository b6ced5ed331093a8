import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { ticketFieldsSchema } from '#contract/tickets.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { useDraft } from '#app/drafts/use-draft.ts';
import { FormDialog } from '#app/form-dialog.tsx';
import type { WaitingForm } from '#app/waiting-form.ts';
import { describedOn, partsOfDescription } from './ticket-edits.ts';
import { TicketFields } from './ticket-fields.tsx';

/** Changes a ticket that waits to be submitted; its screenshot waits as an edit of its own. */
export function WaitingTicketDialog({ words, input, onSave, onClose }: WaitingForm<'submitTicket'>) {
  const { headline, priority, reporter } = input;
  const { pageUrl, text } = partsOfDescription(input.description);
  const form = useForm({
    resolver: zodResolver(ticketFieldsSchema),
    defaultValues: { headline, description: text, priority, reporter },
    errors: words.errors,
  });
  const { register, handleSubmit, formState } = form;
  const draft = useDraft(form, { key: words.draftKey, schema: ticketFieldsSchema });
  const close = (): void => {
    draft.end();
    onClose();
  };
  const save = handleSubmit(async (fields) => {
    await onSave({ ...fields, description: describedOn(pageUrl, fields.description) });
    close();
  });
  return (
    <FormDialog title="Report an issue" waiting={words} fields={Object.keys(ticketFieldsSchema.shape)} onSubmit={save} onClose={close}>
      <DraftLine draft={draft} />
      <TicketFields register={register} errors={formState.errors} hint="The address of the page it was reported on is sent with it." />
    </FormDialog>
  );
}
