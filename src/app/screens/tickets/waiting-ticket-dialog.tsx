import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { ticketFieldsSchema } from '#contract/tickets.ts';
import { FormDialog } from '#app/form-dialog.tsx';
import type { WaitingForm } from '#app/waiting-form.ts';
import { describedOn, partsOfDescription } from './ticket-edits.ts';
import { TicketFields } from './ticket-fields.tsx';

/** Changes a ticket that waits to be submitted; its screenshot waits as an edit of its own. */
export function WaitingTicketDialog({ words, input, onSave, onClose }: WaitingForm<'submitTicket'>) {
  const { headline, priority, reporter } = input;
  const { pageUrl, text } = partsOfDescription(input.description);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(ticketFieldsSchema),
    defaultValues: { headline, description: text, priority, reporter },
    errors: words.errors,
  });
  const save = handleSubmit(async (fields) => {
    await onSave({ ...fields, description: describedOn(pageUrl, fields.description) });
    onClose();
  });
  return (
    <FormDialog title="Report an issue" waiting={words} fields={Object.keys(ticketFieldsSchema.shape)} onSubmit={save} onClose={onClose}>
      <TicketFields register={register} errors={formState.errors} hint="The address of the page it was reported on is sent with it." />
    </FormDialog>
  );
}
