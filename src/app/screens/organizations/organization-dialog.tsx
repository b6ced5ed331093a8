import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { organizationFieldsSchema, organizationMessages } from '#contract/organizations.ts';
import { nameKey } from '#domain/name-key.ts';
import type { ShownOrganization } from '#replica/places.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { FormDialog } from '#app/form-dialog.tsx';
import { TextField } from '#app/ui/field.tsx';
import type { WaitingWords } from '#app/waiting-form.ts';
import { useDraft } from '#app/drafts/use-draft.ts';

interface OrganizationDialogProps {
  /** The organization to change; null to make one. */
  organization: Pick<ShownOrganization, 'id' | 'name'> | null;
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
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: organization?.name ?? '' },
    ...(waiting ? { errors: waiting.errors } : {}),
  });
  const { register, handleSubmit, formState } = form;
  const draft = useDraft(form, { key: waiting?.draftKey ?? `organization:${organization?.id ?? 'new'}`, schema });
  const close = (): void => {
    draft.end();
    onClose();
  };
  const save = handleSubmit(async ({ name }) => {
    await onSave(name);
    close();
  });
  return (
    <FormDialog
      title={isNew ? 'Create Organization' : 'Update Organization'}
      waiting={waiting}
      fields={['name']}
      onSubmit={save}
      onClose={close}
    >
      <DraftLine draft={draft} />
      <TextField label="Name" autoFocus autoComplete="off" dir="auto" error={formState.errors.name?.message} {...register('name')} />
    </FormDialog>
  );
}
