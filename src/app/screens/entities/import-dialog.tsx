import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useForm } from 'react-hook-form';
import type { Account } from '#contract/accounts.ts';
import { importLimitBytes, listImportProfiles } from '#contract/raw-data.ts';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FieldError, fileLook, SelectField } from '#app/ui/field.tsx';
import { useIsOnline } from '#app/ui/use-media-query.ts';
import { referenceKey } from '#app/query-keys.ts';
import { ImportResult } from './import-result.tsx';
import { useImport } from './use-import.ts';

interface ImportValues {
  file: FileList;
  profileId: string;
}

function checkFile(files: FileList): string | true {
  const [file] = files;
  if (!file) return 'Choose a file';
  if (file.size > importLimitBytes) return 'The file is too large. The limit is 20 MB.';
  return /\.(ofx|qfx|csv)$/i.test(file.name) || 'Choose an OFX, QFX or CSV file';
}

function useProfiles(isOnline: boolean): { value: string; label: string }[] {
  const { call } = useServices();
  const { data } = useQuery({
    queryKey: [referenceKey, 'import_profiles'],
    queryFn: () => call(listImportProfiles, {}),
    staleTime: 3_600_000,
    gcTime: 24 * 3_600_000,
    enabled: isOnline,
  });
  return [{ value: '', label: 'Find it from the file' }, ...(data ?? []).map((profile) => ({ value: profile.id, label: profile.name }))];
}

function Told({ tone, children }: { tone: 'bad' | 'warn'; children: ReactNode }) {
  return (
    <p role="alert" className={`rounded px-3 py-2 text-grid ${tone === 'bad' ? 'bg-bad-soft' : 'bg-warn-soft'}`}>
      {children}
    </p>
  );
}

/** Imports a file into an account and says what became of every row. */
export function ImportDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const isOnline = useIsOnline();
  const profiles = useProfiles(isOnline);
  const { state, send, again } = useImport(account);
  const { register, handleSubmit, formState } = useForm<ImportValues>({ defaultValues: { profileId: '' } });
  const fileId = useId();
  const formId = useId();
  if (state.step === 'done') return <ImportResult account={account} answer={state.answer} onClose={onClose} onAgain={again} />;
  const isSending = state.step === 'sending';
  const submit = handleSubmit(async ({ file, profileId }) => {
    const [chosen] = file;
    if (chosen) await send(chosen, profileId);
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Import file into ${account.account_name}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} look="primary" disabled={isSending || !isOnline}>
            {isSending ? 'Importing' : 'Import'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4 py-1">
        <div className="flex flex-col gap-1">
          <label htmlFor={fileId} className="text-grid font-medium text-soft">
            File (OFX, QFX or CSV, up to 20 MB)
          </label>
          <input
            id={fileId}
            type="file"
            accept=".ofx,.qfx,.csv,text/csv,application/x-ofx"
            aria-invalid={formState.errors.file ? true : undefined}
            aria-describedby={formState.errors.file ? `${fileId}-error` : undefined}
            className={fileLook}
            {...register('file', { validate: checkFile })}
          />
          <FieldError id={`${fileId}-error`} text={formState.errors.file?.message} />
        </div>
        <SelectField label="Columns of a CSV" options={profiles} {...register('profileId')} />
        {isOnline ? null : (
          <Told tone="warn">
            There is no network. A file is read by the server, so importing needs it; choose the file again when you are back online.
          </Told>
        )}
        {state.step === 'choose' && state.problem ? <Told tone="bad">{state.problem}</Told> : null}
        <p className="text-grid text-muted">
          Rows imported before are left alone. Rows that cannot be read are kept with a reason and stop no other row.
        </p>
      </form>
    </Dialog>
  );
}
