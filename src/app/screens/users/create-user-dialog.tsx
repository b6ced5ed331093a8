import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { Role } from '#contract/roles.ts';
import { createUserInputSchema } from '#contract/users.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { FormDialog } from '#app/form-dialog.tsx';
import { SelectField, TextField } from '#app/ui/field.tsx';
import { useDraft } from '#app/drafts/use-draft.ts';

const schema = z.object({
  ...createUserInputSchema.omit({ id: true }).shape,
  role_id: z.string().min(1, 'Choose a role'),
});
type NewUser = z.output<typeof schema>;

interface CreateUserDialogProps {
  roles: readonly Role[];
  /** Those the user administers. */
  organizations: readonly { id: string; name: string }[];
  /** The one that was being looked at. */
  organizationId: string | undefined;
  onCreate: (values: NewUser) => Promise<void>;
  onClose: () => void;
}

/** Asks who is invited, and as what. */
export function CreateUserDialog({ roles, organizations, organizationId, onCreate, onClose }: CreateUserDialogProps) {
  const hasNetwork = useHasNetwork();
  const first = organizations.find(({ id }) => id === organizationId) ?? organizations[0];
  const form = useForm<z.input<typeof schema>, unknown, NewUser>({
    resolver: zodResolver(schema),
    // nobody is an administrator by a slip
    defaultValues: {
      email: '',
      name: '',
      organization_id: first?.id ?? '',
      role_id: roles.find(({ id }) => id === 'accountant')?.id ?? '',
    },
  });
  const { register, handleSubmit, formState } = form;
  // of the organization it began with: no other is invited into by what was typed for this one
  const draft = useDraft(form, { key: `user:new:${first?.id ?? ''}`, schema });
  const close = (): void => {
    draft.end();
    onClose();
  };
  const save = handleSubmit(async (values) => {
    await onCreate(values);
    close();
  });
  const { errors } = formState;
  return (
    <FormDialog title="Invite User" isDisabled={!hasNetwork} onSubmit={save} onClose={close}>
      <DraftLine draft={draft} />
      <TextField label="Email" type="email" autoFocus autoComplete="off" error={errors.email?.message} {...register('email')} />
      <TextField label="Name" autoComplete="off" dir="auto" error={errors.name?.message} {...register('name')} />
      <SelectField
        label="Organization"
        options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
        {...register('organization_id')}
      />
      <SelectField
        label="Role"
        options={[{ value: '', label: 'Choose a role' }, ...roles.map(({ id, name }) => ({ value: id, label: name }))]}
        {...register('role_id')}
      />
      {errors.role_id ? (
        <p role="alert" className="text-grid text-bad">
          {errors.role_id.message}
        </p>
      ) : null}
      <p className="text-grid text-muted">You get a link to send to them. With it they choose a password, once, within 7 days.</p>
      {hasNetwork ? null : (
        <p role="status" className="rounded bg-warn-soft px-3 py-2 text-grid">
          There is no network. The link is made at the server, so inviting needs it.
        </p>
      )}
    </FormDialog>
  );
}
