import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { organizationFieldsSchema, organizationMessages } from '#contract/organizations.ts';
import { nameKey } from '#domain/name-key.ts';
import type { ShownOrganization } from '#replica/places.ts';
import { FormDialog } from '#app/form-dialog.tsx';
import { TextField } from '#app/ui/field.tsx';
import type { WaitingWords } from '#app/waiting-form.ts';

interface OrganizationDialogProps {
  /** The organization to change; null to make one. */
  organization: Pick<ShownOrganization, 'name'> | null;
  /** It is still to be made. */
  isNew?: boolean;
  /** Of the edit that makes or changes it, where that one waits. */
  waiting?: WaitingWords;
  otherNames: readonly string[];
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the name of an organization. */
export function OrganizationDialog({
  organization,
  isNew = organization === null,
  waiting,
  otherNames,
  onSave,
  onClose,
}: OrganizationDialogProps) {
  const schema = useMemo(() => {
    const taken = new Set(otherNames.map(nameKey));
    return organizationFieldsSchema.refine(({ name }) => !taken.has(nameKey(name)), {
      error: organizationMessages.taken,
      path: ['name'],
    });
  }, [otherNames]);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: organization?.name ?? '' },
    ...(waiting ? { errors: waiting.errors } : {}),
  });
  const save = handleSubmit(async ({ name }) => {
    await onSave(name);
    onClose();
  });
  return (
    <FormDialog
      title={isNew ? 'Create Organization' : 'Update Organization'}
      waiting={waiting}
      fields={['name']}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label="Name" autoFocus autoComplete="off" dir="auto" error={formState.errors.name?.message} {...register('name')} />
    </FormDialog>
  );
}
