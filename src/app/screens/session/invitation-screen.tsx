import { zodResolver } from '@hookform/resolvers/zod';
import { Link, useRouter } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import { useForm } from 'react-hook-form';
import { acceptInvitation, newPasswordSchema } from '#contract/invitations.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { NewSecretFields, noSecret, saidTwice } from '#app/session/new-secret.tsx';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field.tsx';
import { enter } from './enter.ts';
import { SessionPage } from './session-page.tsx';
import { SharedChoice } from './shared-choice.tsx';
import { useInvitation } from './use-invitation.ts';

const schema = saidTwice(newPasswordSchema);

function PasswordForm({ token, email }: { token: string; email: string }) {
  const services = useServices();
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: noSecret });
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ secret: password }) => {
    setRefusal(null);
    try {
      const ask = () => services.call(acceptInvitation, { token, password, shared_computer: services.session.sharedChoice() });
      await enter(services, router, { ask, email, password });
    } catch (error) {
      setRefusal(textOfError(error));
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4">
      <TextField label="Email" type="email" autoComplete="username" readOnly value={email} />
      <NewSecretFields form={form} label="New password" />
      {refusal ? (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-grid">
          {refusal}
        </p>
      ) : null}
      <SharedChoice />
      <Button type="submit" look="primary" disabled={isSubmitting}>
        {isSubmitting ? 'One moment' : 'Set password and sign in'}
      </Button>
    </form>
  );
}

function Invitation() {
  const invitation = useInvitation();
  if (invitation.step === 'looking')
    return (
      <SessionPage title="Choose a password">
        <p role="status" className="text-soft">
          One moment.
        </p>
      </SessionPage>
    );
  if (invitation.step === 'refused')
    return (
      <SessionPage title="This link does not work">
        <p role="alert" className="mb-4 rounded bg-bad-soft px-3 py-2 text-grid">
          {invitation.text}
        </p>
        <Link
          to="/login"
          className="inline-flex h-9 w-full items-center justify-center rounded bg-primary font-semibold text-on-primary hover:brightness-95"
        >
          Go to sign-in
        </Link>
      </SessionPage>
    );
  return (
    <SessionPage title="Choose a password">
      <PasswordForm token={invitation.token} email={invitation.email} />
    </SessionPage>
  );
}

/** Where somebody with an invitation chooses their password. Whoever is signed in here first signs out, so that two people never mix. */
export function InvitationScreen() {
  const { session } = useServices();
  const signedIn = useSyncExternalStore(session.subscribe, session.user);
  const [isFree, setFree] = useState(signedIn === null);
  // once nobody is signed in the link is taken up, and whoever is signed in by it is no other
  if (!isFree && signedIn === null) setFree(true);
  if (isFree || signedIn === null) return <Invitation />;
  return (
    <SessionPage title="Somebody is signed in">
      <p className="mb-4 text-grid text-soft">
        <bdi className="font-semibold break-words">{signedIn.email}</bdi> is signed in on this browser. Sign out first, then open the link
        again.
      </p>
      <Link to="/home" className="font-medium text-link underline">
        Back to Tieout
      </Link>
    </SessionPage>
  );
}
