import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { passwordLimits } from '#contract/invitations.ts';
import { TextField } from '#app/ui/field.tsx';

interface NewSecret {
  secret: string;
  again: string;
}

export const noSecret: NewSecret = { secret: '', again: '' };

/** What somebody chooses to keep others out by, said twice, since nobody sees it. */
export function saidTwice(secret: z.ZodType<string, string>) {
  return z
    .object({ secret, again: z.string() })
    .refine((said) => said.secret === said.again, { error: 'The two are not the same', path: ['again'] });
}

interface NewSecretFieldsProps {
  form: UseFormReturn<NewSecret>;
  label: string;
  /** What else there is to say of it. */
  hint?: string;
}

export function NewSecretFields({ form: { register, formState }, label, hint }: NewSecretFieldsProps) {
  const { errors } = formState;
  const length = `At least ${passwordLimits.shortest} characters. A few words in a row are easy to remember.`;
  return (
    <>
      <TextField
        label={label}
        type="password"
        autoComplete="new-password"
        autoFocus
        hint={hint === undefined ? length : `${length} ${hint}`}
        error={errors.secret?.message}
        {...register('secret')}
      />
      <TextField label="The same again" type="password" autoComplete="new-password" error={errors.again?.message} {...register('again')} />
    </>
  );
}
