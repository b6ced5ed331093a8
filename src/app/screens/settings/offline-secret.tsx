import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { passwordLimits } from '#contract/invitations.ts';
import { countWords } from '#domain/count-words.ts';
import { formatDay } from '#domain/dates.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices, useUser } from '#app/services.tsx';
import { NewSecretFields, noSecret, saidTwice } from '#app/session/new-secret.tsx';
import type { SecretKind } from '#app/session/offline-unlock.ts';
import { Button } from '#app/ui/button.tsx';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { LeaseDays } from './lease-days.tsx';
import { useLeaseDays } from './use-lease-days.ts';
import { type OfflineSecret, useOfflineSecret } from './use-offline-secret.ts';

const { shortest, longest } = passwordLimits;
const schema = saidTwice(
  z
    .string()
    .min(shortest, `A passphrase has at least ${shortest} characters`)
    .max(longest, `A passphrase has at most ${longest} characters`),
);

interface PassphraseFormProps {
  onSet: (passphrase: string) => Promise<void>;
  onCancel: () => void;
}

function PassphraseForm({ onSet, onCancel }: PassphraseFormProps) {
  const { email } = useUser();
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: noSecret });
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ secret }) => {
    setRefusal(null);
    try {
      await onSet(secret);
    } catch (error) {
      setRefusal(textOfError(error));
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Passphrase of this device" className="flex flex-col gap-3">
      {/* tells a password manager whose it is */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <NewSecretFields form={form} label="Passphrase" hint="The server does not know it, so nobody can tell it to you again." />
      {refusal ? (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-grid">
          {refusal}
        </p>
      ) : null}
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={isSubmitting}>
          {isSubmitting ? 'One moment' : 'Set passphrase'}
        </Button>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

const locked = 'After an hour without use Tieout locks.';

/** What opens this device, in words. */
function wordsOf(secret: OfflineSecret, setOn: string | null, days: number): string {
  const atMost = `for up to ${countWords(days, 'day')} after the server last said who you are.`;
  switch (secret) {
    case 'password':
      return `${locked} Without the network it opens here with your password, ${atMost}`;
    case 'passphrase':
      return `${locked} Without the network it opens here with the passphrase you set${setOn === null ? '' : ` on ${setOn}`}, ${atMost}`;
    case 'none':
      return `${locked} Signing in needs the network. With a passphrase set here, what is on this device opens without it, too.`;
    case 'shared':
      return 'You said that others use this computer, too: nothing is kept on it after a sign-out, and signing in needs the network.';
  }
}

const setWords: Record<SecretKind | 'none', string> = {
  password: 'Use a passphrase instead',
  passphrase: 'Change passphrase',
  none: 'Set a passphrase',
};

/** What opens this device where there is no network to sign in by. */
export function OfflineSecretChoice() {
  const { notices } = useServices();
  const { zone } = usePreferences();
  const { secret, setAt, set, remove } = useOfflineSecret();
  const { days } = useLeaseDays();
  const [isSetting, setSetting] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const onFocus = useLostFocus(() => box.current?.focus());
  const keep = async (passphrase: string): Promise<void> => {
    if (!(await set(passphrase))) return;
    setSetting(false);
    notices.notice('success', 'This device opens with your passphrase');
  };
  const drop = (): void => {
    remove();
    notices.notice('success', 'Passphrase removed');
  };
  return (
    <div ref={box} tabIndex={-1} onFocus={onFocus} className="flex flex-col gap-3">
      <p className="text-grid text-muted">{wordsOf(secret, setAt === null ? null : formatDay(setAt, zone), days)}</p>
      {isSetting ? <PassphraseForm onSet={keep} onCancel={() => setSetting(false)} /> : null}
      {isSetting || secret === 'shared' ? null : (
        <div className="flex gap-2">
          <Button onClick={() => setSetting(true)}>{setWords[secret]}</Button>
          {secret === 'passphrase' ? <Button onClick={drop}>Remove passphrase</Button> : null}
        </div>
      )}
      {secret === 'shared' ? null : <LeaseDays />}
    </div>
  );
}
