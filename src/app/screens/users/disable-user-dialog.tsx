import { FormDialog } from '#app/form-dialog.tsx';

interface DisableUserDialogProps {
  email: string;
  onDisable: () => Promise<void>;
  onClose: () => void;
}

/** Says what disabling comes to before it is done. */
export function DisableUserDialog({ email, onDisable, onClose }: DisableUserDialogProps) {
  return (
    <FormDialog title="Disable User" look="danger" onSubmit={() => onDisable().then(onClose)} onClose={onClose}>
      <p>
        <bdi className="font-semibold break-words">{email}</bdi> is signed out everywhere at once and cannot sign in. Roles and assignments
        are kept for when the account is enabled again.
      </p>
    </FormDialog>
  );
}
