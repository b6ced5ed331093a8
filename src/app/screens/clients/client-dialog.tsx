import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ShownClient } from '#replica/places.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { FormDialog } from '#app/form-dialog.tsx';
import { SelectField, TextField } from '#app/ui/field.tsx';
import type { WaitingWords } from '#app/waiting-form.ts';
import { useDraft } from '#app/drafts/use-draft.ts';
import { clientFormSchema, organizationOfNew } from './client-form.ts';

interface ClientDialogProps {
  /** The client to change; null to make one. */
  client: Pick<ShownClient, 'id' | 'organization_id' | 'client_name'> | null;
  /** It is still to be made. */
  isNew?: boolean;
  /** Of the edit that makes or changes it, where that one waits. */
  waiting?: WaitingWords;
  clients: readonly ShownClient[];
  organizations: readonly { id: string; name: string }[];
  /** The one that was being looked at. */
  organizationId?: string | undefined;
  onSave: (organizationId: string, name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for what there is to say of a client. @source specification section 3, for the labels */
export function ClientDialog({
  client,
  isNew = client === null,
  waiting,
  clients,
  organizations,
  organizationId,
  onSave,
  onClose,
}: ClientDialogProps) {
  // what comes while the form is open chooses nothing
  const [begun] = useState(() => client?.organization_id ?? organizationOfNew(organizations, organizationId));
  const schema = useMemo(
    () => clientFormSchema({ others: clients.filter(({ id }) => id !== client?.id), isNew }),
    [clients, client, isNew],
  );
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { client_name: client?.client_name ?? '', organization_id: begun },
    ...(waiting ? { errors: waiting.errors } : {}),
  });
  const { register, handleSubmit, formState } = form;
  const draft = useDraft(form, {
    // of the organization it began with: what was typed for this one makes no client in another
    key: waiting?.draftKey ?? `client:${client?.id ?? `new:${begun}`}`,
    schema,
    clientId: client?.id,
  });
  const close = (): void => {
    draft.end();
    onClose();
  };
  const save = handleSubmit(async ({ organization_id, client_name }) => {
    await onSave(organization_id, client_name);
    close();
  });
  return (
    <FormDialog
      title={isNew ? 'Create Client' : 'Update Client'}
      waiting={waiting}
      fields={isNew ? ['client_name', 'organization_id'] : ['client_name']}
      onSubmit={save}
      onClose={close}
    >
      <DraftLine draft={draft} />
      <TextField
        label="Client Name"
        autoFocus
        autoComplete="off"
        dir="auto"
        error={formState.errors.client_name?.message}
        {...register('client_name')}
      />
      {isNew ? (
        <SelectField
          label="Organization ID"
          options={[
            ...(begun === '' ? [{ value: '', label: 'Choose an organization' }] : []),
            ...organizations.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          error={formState.errors.organization_id?.message}
          {...register('organization_id')}
        />
      ) : null}
    </FormDialog>
  );
}
