import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { passwordLimits } from '#contract/invitations.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices, useUser } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field.tsx';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { type OfflineSecret, useOfflineSecret } from './use-offline-secret.ts';

const { shortest, longest } = passwordLimits;
const schema = z
  .object({
    passphrase: z
      .string()
      .min(shortest, `A passphrase has at least ${shortest} characters`)
      .max(longest, `A passphrase has at most ${longest} characters`),
    again: z.string(),
  })
  .refine(({ passphrase, again }) => passphrase === again, { error: 'The two are not the same', path: ['again'] });

interface PassphraseFormProps {
  onSet: (passphrase: string) => Promise<void>;
  onCancel: () => void;
}

function PassphraseForm({ onSet, onCancel }: PassphraseFormProps) {
  const { email } = useUser();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(schema), defaultValues: { passphrase: '', again: '' } });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ passphrase }) => {
    setRefusal(null);
    try {
      await onSet(passphrase);
    } catch (error) {
      setRefusal(textOfError(error));
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Passphrase of this device" className="flex flex-col gap-3">
      {/* tells a password manager whose it is */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="Passphrase"
        type="password"
        autoComplete="new-password"
        autoFocus
        error={errors.passphrase?.message}
        {...register('passphrase')}
      />
      <TextField label="The same again" type="password" autoComplete="new-password" error={errors.again?.message} {...register('again')} />
      <p className="text-grid text-muted">
        At least {shortest} characters. A few words in a row are easy to remember. It never leaves this device, so nobody can tell it to you
        again.
      </p>
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

const words: Record<OfflineSecret, string> = {
  password:
    'After an hour without use Tieout locks. Without the network it opens here with your password, for up to seven days after it last reached the server.',
  passphrase:
    'After an hour without use Tieout locks. Without the network it opens here with the passphrase you set, for up to seven days after it last reached the server.',
  none: 'After an hour without use Tieout locks, and signing in needs the network. With a passphrase set here, what is on this device opens without it, too.',
  shared: 'You said that others use this computer, too: nothing is kept on it after a sign-out, and signing in needs the network.',
};

/** What opens this device where there is no network to sign in by. */
export function OfflineSecretChoice() {
  const { notices } = useServices();
  const { secret, set, remove } = useOfflineSecret();
  const [isSetting, setSetting] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const onFocus = useLostFocus(() => box.current?.focus());
  const keep = async (passphrase: string): Promise<void> => {
    await set(passphrase);
    setSetting(false);
    notices.notice('success', 'This device opens with your passphrase');
  };
  const drop = (): void => {
    remove();
    notices.notice('success', 'Passphrase removed');
  };
  return (
    <div ref={box} tabIndex={-1} onFocus={onFocus} className="flex flex-col gap-3">
      <p className="text-grid text-muted">{words[secret]}</p>
      {isSetting ? <PassphraseForm onSet={keep} onCancel={() => setSetting(false)} /> : null}
      {isSetting || secret === 'password' || secret === 'shared' ? null : (
        <div className="flex gap-2">
          <Button onClick={() => setSetting(true)}>{secret === 'none' ? 'Set a passphrase' : 'Change passphrase'}</Button>
          {secret === 'passphrase' ? <Button onClick={drop}>Remove</Button> : null}
        </div>
      )}
    </div>
  );
}
