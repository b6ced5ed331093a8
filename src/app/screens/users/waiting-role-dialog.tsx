import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { useDraft } from '#app/drafts/use-draft.ts';
import { roleTitle } from '#app/edit-titles.ts';
import { FormDialog } from '#app/form-dialog.tsx';
import { SelectField } from '#app/ui/field.tsx';
import type { WaitingForm } from '#app/waiting-form.ts';
import { useRoles } from './use-roles.ts';
import { usePerson, useUsers } from './use-users.ts';
import { roleOptions, takenOutWords } from './user-words.ts';

const schema = z.object({ role_id: z.string() });

/** Changes the edit that is to give a person a role in an organization, or to take them out of it. */
export function WaitingRoleDialog({ words, input, onSave, onClose }: WaitingForm<'setUserRole'>) {
  const person = usePerson(input.id);
  const people = useUsers();
  const { roles } = useRoles();
  const said = input.role_id ?? '';
  const form = useForm({ defaultValues: { role_id: said }, errors: words.errors });
  const draft = useDraft(form, { key: words.draftKey, schema });
  const chosen = useWatch({ control: form.control, name: 'role_id' });
  if (person === undefined || people === undefined) return null;
  const email = person?.email ?? input.id;
  const organization = people.organizations.find(({ id }) => id === input.organization_id)?.name ?? input.organization_id;
  const close = (): void => {
    draft.end();
    onClose();
  };
  const save = form.handleSubmit(async ({ role_id }) => {
    const role = roles.find(({ id }) => id === role_id)?.name ?? role_id;
    await onSave({ role_id: role_id || null }, { title: roleTitle(email, organization, role_id === '' ? null : role) });
    close();
  });
  return (
    <FormDialog
      title="Update Role"
      waiting={words}
      fields={['role_id']}
      look={chosen === '' ? 'danger' : 'primary'}
      submitWords={chosen === '' ? 'Take out' : 'Save role'}
      onSubmit={save}
      onClose={close}
    >
      <DraftLine draft={draft} />
      <p className="break-words">
        <bdi>{email}</bdi>
      </p>
      <SelectField
        label={`Role in ${organization}`}
        autoFocus
        options={roleOptions(roles, said)}
        error={form.formState.errors.role_id?.message}
        {...form.register('role_id')}
      />
      <p role="status" className="text-small text-muted">
        {chosen === '' ? takenOutWords : ''}
      </p>
    </FormDialog>
  );
}
