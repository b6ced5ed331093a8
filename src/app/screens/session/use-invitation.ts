import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { lookAtInvitation } from '#contract/invitations.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';

export type Invitation = { step: 'looking' } | { step: 'refused'; text: string } | { step: 'open'; token: string; email: string };

const noToken = 'This address has no invitation in it. Open the whole link you were sent.';

/** Whose the invitation in the address is. Its token leaves the address at once, and with it the browser's history. */
export function useInvitation(): Invitation {
  const { call } = useServices();
  const { history } = useRouter();
  const [token] = useState(() => history.location.hash.replace(/^#/, ''));
  const [invitation, setInvitation] = useState<Invitation>(() => (token === '' ? { step: 'refused', text: noToken } : { step: 'looking' }));
  useEffect(() => {
    if (history.location.hash !== '') history.replace(history.location.pathname);
  }, [history]);
  useEffect(() => {
    if (token === '') return;
    call(lookAtInvitation, { token })
      .then(({ email }) => setInvitation({ step: 'open', token, email }))
      .catch((error: unknown) => setInvitation({ step: 'refused', text: textOfError(error) }));
  }, [call, token]);
  return invitation;
}
