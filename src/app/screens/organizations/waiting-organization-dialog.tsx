import type { WaitingForm } from '#app/waiting-form.ts';
import { OrganizationDialog } from './organization-dialog.tsx';
import { useOrganizations } from './use-organizations.ts';

/** Changes the edit that is to make or change an organization. */
export function WaitingOrganizationDialog({
  words,
  input,
  isNew,
  onSave,
  onClose,
}: WaitingForm<'createOrganization'> | WaitingForm<'updateOrganization'>) {
  const rows = useOrganizations();
  if (rows === undefined) return null;
  return (
    <OrganizationDialog
      organization={input}
      isNew={isNew}
      waiting={words}
      otherNames={rows.filter(({ organization }) => organization.id !== input.id).map(({ organization }) => organization.name)}
      onSave={(name) => onSave({ name })}
      onClose={onClose}
    />
  );
}
