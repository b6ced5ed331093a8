import type { WaitingForm } from '#app/waiting-form.ts';
import { UpdateUserDialog } from './update-user-dialog.tsx';

/** Changes the edit that is to change a person's account. */
export function WaitingUserDialog({ words, input, onSave, onClose }: WaitingForm<'updateUser'>) {
  return <UpdateUserDialog user={input} waiting={words} onSave={(_, name) => onSave({ name })} onClose={onClose} />;
}
