import { useHasNetwork } from '#app/engine-status.tsx';
import { FormDialog } from '#app/form-dialog.tsx';

interface DisableUserDialogProps {
  email: string;
  onDisable: () => Promise<void>;
  onClose: () => void;
}

/** Says what disabling comes to before it is done. */
export function DisableUserDialog({ email, onDisable, onClose }: DisableUserDialogProps) {
  const hasNetwork = useHasNetwork();
  return (
    <FormDialog title="Disable User" look="danger" onSubmit={() => onDisable().then(onClose)} onClose={onClose}>
      <p>
        <bdi className="font-semibold break-words">{email}</bdi> is signed out everywhere at once and cannot sign in. Roles and assignments
        are kept for when the account is enabled again.
      </p>
      <p>
        What Tieout keeps on their devices is removed when these next reach the server. Edits that wait there unsent are lost then; how many
        is noted in the audit trail. Enabling the account again stops what was not done yet.
      </p>
      {hasNetwork ? null : (
        <p role="status" className="rounded bg-warn-soft px-3 py-2 text-grid">
          There is no network: it is done as soon as there is one. Until then the person goes on.
        </p>
      )}
    </FormDialog>
  );
}
