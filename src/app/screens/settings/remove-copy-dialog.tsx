import { FormDialog } from '#app/form-dialog.tsx';

interface RemoveCopyDialogProps {
  /** When the sign-in began. */
  began: string;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks whether what another device keeps is to go with its sign-in. */
export function RemoveCopyDialog({ began, onRemove, onClose }: RemoveCopyDialogProps) {
  const remove = async (): Promise<void> => {
    onRemove();
    onClose();
  };
  return (
    <FormDialog title="Remove copy" submitWords="Revoke and remove" look="danger" onSubmit={remove} onClose={onClose}>
      <p>
        The sign-in of <span className="figures font-semibold">{began}</span> ends now. When its device next reaches the server, all that
        Tieout keeps there for you is removed.
      </p>
      <p className="rounded bg-warn-soft px-3 py-2 text-grid">
        Edits that wait there and were not sent are lost. How many they were is noted first. If you sign in there before that, everything
        stays.
      </p>
    </FormDialog>
  );
}
