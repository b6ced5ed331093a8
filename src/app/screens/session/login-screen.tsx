import { zodResolver } from '@hookform/resolvers/zod';
import { Navigate, useRouter } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { login, signInSchema } from '#contract/session.ts';
import { useServices } from '#app/services.tsx';
import { useOwedSignOut } from '#app/session/use-owed-sign-out.ts';
import { useRemovals } from '#app/session/use-removals.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field.tsx';
import { useIsOnline } from '#app/ui/use-media-query.ts';
import { enter, enterOffline, isOutOfReach, refusalText } from './enter.ts';
import { RemovedAlert } from './removed-alert.tsx';
import { ProviderButton } from './provider-button.tsx';
import { SharedChoice } from './shared-choice.tsx';
import { SessionPage } from './session-page.tsx';

type SignIn = z.infer<typeof signInSchema>;

function SignInForm({ onSigningIn }: { onSigningIn: (isSigningIn: boolean) => void }) {
  const services = useServices();
  const { session } = services;
  const router = useRouter();
  const isOnline = useIsOnline();
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useForm({ resolver: zodResolver(signInSchema), defaultValues: { email: '', password: '' } });
  const { errors, isSubmitting } = form.formState;

  const signIn = async (values: SignIn): Promise<void> => {
    const ask = () => services.call(login, { ...values, shared_computer: session.sharedChoice() });
    await enter(services, router, { ask, email: values.email, password: values.password });
  };
  /** What keeps them out, in words; null where nothing does. */
  const tryIn = async (values: SignIn): Promise<string | null> => {
    try {
      await signIn(values);
      return null;
    } catch (error) {
      return isOutOfReach(error) ? enterOffline(services, router, values) : refusalText(error);
    }
  };
  const submit = form.handleSubmit(async (values) => {
    setRefusal(null);
    onSigningIn(true);
    const problem = await tryIn(values);
    if (problem === null) return;
    onSigningIn(false);
    setRefusal(problem);
    form.resetField('password');
    form.setFocus('password');
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4">
      <TextField label="Email" type="email" autoComplete="username" autoFocus error={errors.email?.message} {...form.register('email')} />
      <TextField
        label={isOnline ? 'Password' : 'Password or passphrase'}
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password')}
      />
      {refusal ? (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-grid">
          {refusal}
        </p>
      ) : null}
      {isOnline ? null : (
        <p role="status" className="rounded bg-warn-soft px-3 py-2 text-grid">
          There is no network. What this device keeps opens all the same with the password you signed in here with before, or with the
          passphrase you set in its place.
        </p>
      )}
      <Button type="submit" look="primary" disabled={isSubmitting}>
        {isSubmitting ? 'Signing in' : 'Sign in'}
      </Button>
    </form>
  );
}

export function LoginScreen() {
  const { session, config } = useServices();
  useOwedSignOut();
  const removed = useRemovals(true);
  // signing in here goes to the remembered place; whoever is signed in already, or since in another tab, is sent on
  const [isSigningIn, setSigningIn] = useState(false);
  const user = useSyncExternalStore(session.subscribe, session.user);
  if (user && !isSigningIn) return <Navigate to="/home" replace />;
  return (
    <SessionPage title="Sign in">
      {removed ? <RemovedAlert note={removed} /> : null}
      <SignInForm onSigningIn={setSigningIn} />
      <SharedChoice />
      {config.oauth ? <ProviderButton label={config.oauth.label} /> : null}
    </SessionPage>
  );
}
