import { useId } from 'react';
import { formatDate } from '#domain/dates.ts';
import { Button } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { inputLook } from '#app/ui/field.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import type { SignInLink } from './use-user-edits.ts';

/** Shows the link somebody chooses a password with, the one time it is told. */
export function LinkDialog({ link, onClose }: { link: SignInLink; onClose: () => void }) {
  const { zone } = usePreferences();
  const id = useId();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Sign-in link"
      actions={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-3 py-2">
        <p>
          Send this link to <bdi className="font-semibold break-words">{link.email}</bdi> by a way you trust. Whoever has it can choose the
          password.
        </p>
        <div className="flex items-center gap-2">
          <label htmlFor={id} className="sr-only">
            Link
          </label>
          <input
            id={id}
            readOnly
            value={link.href}
            onFocus={(event) => event.target.select()}
            className={`${inputLook} font-mono text-small`}
          />
          <CopyButton text={link.href} label="link" />
        </div>
        <p className="text-grid text-muted">
          It is good for one time, until {formatDate(Date.parse(link.expires_at), zone)} {zone}, and is shown only here: copy it now. A new
          link takes the place of this one.
        </p>
      </div>
    </Dialog>
  );
}
