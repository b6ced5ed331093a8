import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { organizationFieldsSchema, organizationMessages } from '#contract/organizations.ts';
import { nameKey } from '#domain/name-key.ts';
import type { ShownOrganization } from '#replica/places.ts';
import { textOfError } from '#app/notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextField } from '#app/ui/field.tsx';
import { FormProblem } from '#app/ui/form-problem.tsx';

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
  const [problem, setProblem] = useState<string | null>(null);
  const form = useId();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: organization?.name ?? '' },
  });
  const submit = handleSubmit(async ({ name }) => {
    try {
      await onSave(name);
      onClose();
    } catch (error) {
      setProblem(textOfError(error));
    }
  });
  const title = organization ? 'Update Organization' : 'Create Organization';
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={form} disabled={formState.isSubmitting}>
            {title}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4 py-2">
        <TextField label="Name" autoFocus autoComplete="off" dir="auto" error={formState.errors.name?.message} {...register('name')} />
        <FormProblem text={problem} />
      </form>
    </Dialog>
  );
}
