import type { FieldErrors, UseFormRegister } from 'react-hook-form';
import { type TicketPriority, ticketPriorities } from '#contract/tickets.ts';
import { SelectField, TextAreaField, TextField } from '#app/ui/field.tsx';
import { priorityWords } from './ticket-words.ts';

const priorities = [
  { value: '', label: 'Choose a priority' },
  ...ticketPriorities.map((value) => ({ value, label: priorityWords[value] })),
];

/** What a person types of a ticket. */
export interface TicketValues {
  headline: string;
  description: string;
  priority: TicketPriority;
  reporter: string;
}

interface TicketFieldsProps {
  register: UseFormRegister<TicketValues>;
  errors: FieldErrors<TicketValues>;
  /** Said of the description. */
  hint: string;
}

/** The fields of a ticket. @source specification section 5 */
export function TicketFields({ register, errors, hint }: TicketFieldsProps) {
  return (
    <>
      <TextField label="Headline" autoFocus autoComplete="off" dir="auto" error={errors.headline?.message} {...register('headline')} />
      <TextAreaField label="Description" rows={4} dir="auto" hint={hint} error={errors.description?.message} {...register('description')} />
      <SelectField label="Priority" options={priorities} error={errors.priority?.message} {...register('priority')} />
      <TextField label="Reporter" type="email" autoComplete="email" error={errors.reporter?.message} {...register('reporter')} />
    </>
  );
}
