import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { organizationFieldsSchema, organizationMessages } from '#contract/organizations.ts';
import { nameKey } from '#domain/name-key.ts';
import type { ShownOrganization } from '#replica/places.ts';
import { FormDialog } from '#app/form-dialog.tsx';
import { TextField } from '#app/ui/field.tsx';

interface OrganizationDialogProps {
  /** The organization to change; null to make one. */
  organization: ShownOrganization | null;
  otherNames: readonly string[];
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the name of an organization. */
export function OrganizationDialog({ organization, otherNames, onSave, onClose }: OrganizationDialogProps) {
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
  });
  const save = handleSubmit(async ({ name }) => {
    await onSave(name);
    onClose();
  });
  return (
    <FormDialog title={organization ? 'Update Organization' : 'Create Organization'} onSubmit={save} onClose={onClose}>
      <TextField label="Name" autoFocus autoComplete="off" dir="auto" error={formState.errors.name?.message} {...register('name')} />
    </FormDialog>
  );
}
