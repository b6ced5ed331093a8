import { zodResolver } from '@hookform/resolvers/zod';
import { type FormEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import {
  type OrganizationSettings,
  type OrganizationSettingsFields,
  organizationSettingsFieldsSchema,
  timeZoneNames,
} from '#contract/organizations.ts';
import { isAllowed } from '#domain/permissions.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { useDraft } from '#app/drafts/use-draft.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { textOfError } from '#app/notices.tsx';
import { useUser } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { SelectField, TextField } from '#app/ui/field.tsx';
import { FormProblem } from '#app/ui/form-problem.tsx';
import { useAccountingSystems } from '#app/use-accounting-systems.ts';
import { useSaveSettings } from './use-save-settings.ts';

interface SettingsFormProps {
  organizationId: string;
  name: string;
  settings: OrganizationSettings;
  /** Reads them anew. */
  again: () => Promise<unknown>;
}

const none = { value: '', label: 'None' };

const labels = {
  name: 'Name',
  default_accounting_system_id: 'Default accounting system',
  time_zone: 'Time zone',
} as const satisfies Record<keyof OrganizationSettingsFields, string>;
const fieldNames = Object.keys(labels) as (keyof OrganizationSettingsFields)[];

/** What an organization has set, to change where one may; with the network alone, since everybody works by it. */
export function SettingsForm({ organizationId, name, settings, again }: SettingsFormProps) {
  const systems = useAccountingSystems();
  const hasNetwork = useHasNetwork();
  const user = useUser();
  const save = useSaveSettings(organizationId);
  const [problem, setProblem] = useState<string | null>(null);
  const usual: OrganizationSettingsFields = {
    name: settings.name ?? name,
    default_accounting_system_id: settings.default_accounting_system_id ?? null,
    time_zone: settings.time_zone ?? null,
  };
  // what was typed stays where the settings are read anew
  const form = useForm<z.input<typeof organizationSettingsFieldsSchema>, unknown, OrganizationSettingsFields>({
    resolver: zodResolver(organizationSettingsFieldsSchema),
    values: usual,
    resetOptions: { keepDirtyValues: true },
  });
  const draft = useDraft(form, { key: `organization-settings:${organizationId}`, schema: organizationSettingsFieldsSchema });
  const { dirtyFields, isDirty, isSubmitting } = form.formState;
  // a field that nobody typed in begins anew with what is read
  const [begun, setBegun] = useState(usual);
  const touched = fieldNames.filter((field) => dirtyFields[field]);
  if (fieldNames.some((field) => !touched.includes(field) && begun[field] !== usual[field]))
    setBegun({ ...usual, ...Object.fromEntries(touched.map((field) => [field, begun[field]])) });
  const changedElsewhere = touched.filter((field) => begun[field] !== usual[field]);
  const systemName = (id: number): string => systems.find((system) => system.id === id)?.name ?? `System ${id}`;
  const shown = (field: keyof OrganizationSettingsFields): string => {
    const value = usual[field];
    if (value === null) return none.label;
    return typeof value === 'number' ? systemName(value) : value;
  };
  const mayWrite = isAllowed(user, { anyOf: ['organization_write'] });
  const submit = form.handleSubmit(async (fields) => {
    setProblem(null);
    try {
      form.reset({ ...(await save(fields, settings.version)) });
      draft.end();
    } catch (error) {
      setProblem(textOfError(error));
      // somebody may have changed them: what they are now shows beside what was typed
      await again();
    }
  });
  const system = usual.default_accounting_system_id;
  return (
    <form noValidate onSubmit={(event: FormEvent) => void submit(event)} className="flex flex-col gap-4">
      <DraftLine draft={draft} />
      <fieldset disabled={!mayWrite} className="flex flex-col gap-4">
        <TextField
          label={labels.name}
          autoComplete="off"
          dir="auto"
          error={form.formState.errors.name?.message}
          {...form.register('name')}
        />
        <div>
          <SelectField
            label={labels.default_accounting_system_id}
            options={[
              none,
              ...systems.map(({ id, name: label }) => ({ value: String(id), label })),
              ...(system === null || systems.some(({ id }) => id === system) ? [] : [{ value: String(system), label: systemName(system) }]),
            ]}
            {...form.register('default_accounting_system_id', {
              setValueAs: (value: unknown) => (value === '' || value === null ? null : Number(value)),
            })}
          />
          <p className="pt-1 text-grid text-muted">A new entity begins with it.</p>
        </div>
        <div>
          <SelectField
            label={labels.time_zone}
            options={[{ ...none, label: 'None: UTC' }, ...timeZoneNames.map((zone) => ({ value: zone, label: zone }))]}
            {...form.register('time_zone', { setValueAs: (value: unknown) => (value === '' ? null : value) })}
          />
          <p className="pt-1 text-grid text-muted">For people of this organization alone who have not chosen a zone in their Settings.</p>
        </div>
      </fieldset>
      <dl>
        <dt className="text-grid font-medium text-soft">Reporting currency</dt>
        <dd className="pt-1">{settings.reporting_currency ?? 'USD'}: US dollar, for every organization</dd>
      </dl>
      {changedElsewhere.length > 0 ? (
        <div role="status" className="rounded bg-warn-soft px-3 py-2 text-grid">
          <p>Somebody else changed this meanwhile. Saving puts yours in its place:</p>
          <ul className="list-disc pl-5">
            {changedElsewhere.map((field) => (
              <li key={field}>
                {labels[field]} is now <bdi className="font-semibold">{shown(field)}</bdi>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <FormProblem text={problem} />
      {mayWrite && !hasNetwork ? (
        <p role="status" className="rounded bg-warn-soft px-3 py-2 text-grid">
          There is no network. Settings are changed at the server at once, so that everybody works by the same ones.
        </p>
      ) : null}
      {mayWrite ? (
        <div className="flex justify-end">
          <Button look="primary" type="submit" disabled={!hasNetwork || isSubmitting || !isDirty}>
            Save settings
          </Button>
        </div>
      ) : (
        <p className="text-grid text-muted">An administrator of the organization changes these.</p>
      )}
    </form>
  );
}
