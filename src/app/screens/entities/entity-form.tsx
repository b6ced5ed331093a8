import { zodResolver } from '@hookform/resolvers/zod';
import { type FormEvent, useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { entityFieldsSchema, type EntityFields, entityMessages, entityTypes } from '#contract/entities.ts';
import { type EntityFormField, entityFormFields, entityLayouts, platformOf } from '#domain/entity-layouts.ts';
import { nameKey } from '#domain/name-key.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { textOfError } from '#app/notices.tsx';
import { FormProblem } from '#app/ui/form-problem.tsx';
import { SelectField, TextField } from '#app/ui/field.tsx';
import { entityLabels } from './entity-labels.ts';
import { useAccountingSystems } from '#app/use-accounting-systems.ts';
import { refusalBeside, type WaitingWords } from '#app/waiting-form.ts';
import { type DraftOptions, useDraft } from '#app/drafts/use-draft.ts';
import { useAllocationMethods } from './use-allocation-methods.ts';

/** What a form begins with where there is no entity yet. */
export const newEntityFields: EntityFields = {
  entity_name: '',
  entity_type_id: null,
  accounting_system_id: null,
  allocation_method_id: null,
  portfolio_id: null,
  fund_id: null,
  city: null,
  state: null,
  zip_code: null,
  country: null,
  active: true,
};

interface EntityFormProps {
  /** Names the form, for the button that submits it. */
  id: string;
  usual: EntityFields;
  /** Names of the other entities of its client. */
  otherNames: readonly string[];
  /** The accounting system a new one begins with; it may be known later than the rest. */
  defaultSystem?: number | null;
  /** Of the edit that makes or changes it, where that one waits. */
  waiting?: WaitingWords | undefined;
  /** Which form it is, for what is typed into it. */
  draft: Omit<DraftOptions, 'schema'>;
  /** Told when a submission begins and ends: meanwhile there is to be no other, so the button is disabled. */
  onBusy: (isBusy: boolean) => void;
  onSave: (fields: EntityFields) => Promise<void>;
}

const numberOf = (value: unknown): number | null => (value === '' || value === null || value === undefined ? null : Number(value));
const textOf = (value: string | null): string => value ?? '';

/** What there is to say of an entity, laid out for its accounting system. */
export function EntityForm({ id, usual, otherNames, defaultSystem = null, waiting, draft: ofForm, onBusy, onSave }: EntityFormProps) {
  const systems = useAccountingSystems();
  const [problem, setProblem] = useState(refusalBeside(waiting, entityFormFields));
  const schema = useMemo(() => {
    const taken = new Set(otherNames.map(nameKey));
    return entityFieldsSchema.refine(({ entity_name: name }) => !taken.has(nameKey(name)), {
      error: entityMessages.taken,
      path: ['entity_name'],
    });
  }, [otherNames]);
  const form = useForm<z.input<typeof schema>, unknown, EntityFields>({
    resolver: zodResolver(schema),
    defaultValues: usual,
    ...(waiting ? { errors: waiting.errors } : {}),
    // what was typed meanwhile stays
    ...(defaultSystem === null
      ? {}
      : { values: { ...usual, accounting_system_id: defaultSystem }, resetOptions: { keepDirtyValues: true } }),
  });
  const draft = useDraft(form, { ...ofForm, schema });
  const { errors } = form.formState;
  const system = numberOf(useWatch({ control: form.control, name: 'accounting_system_id' }));
  const methods = useAllocationMethods();
  const method = usual.allocation_method_id ?? null;
  const platform = platformOf(systems.find((one) => one.id === system)?.name);
  const save = form.handleSubmit(async (fields) => {
    await onSave(fields);
    draft.end();
  });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    onBusy(true);
    setProblem(null);
    try {
      await save(event);
    } catch (error) {
      setProblem(textOfError(error));
    } finally {
      onBusy(false);
    }
  };
  const choices: Partial<Record<EntityFormField, { value: string; label: string }[]>> = {
    entity_type_id: [{ value: '', label: 'Not said' }, ...Object.entries(entityTypes).map(([value, label]) => ({ value, label }))],
    accounting_system_id: [
      { value: '', label: 'Not said' },
      ...systems.map(({ id: value, name }) => ({ value: String(value), label: name })),
      // one that was not fetched here yet stays chosen
      ...(system === null || systems.some((one) => one.id === system) ? [] : [{ value: String(system), label: `System ${system}` }]),
    ],
    allocation_method_id: [
      { value: '', label: 'Not said' },
      ...methods.map(({ id: value, name }) => ({ value: String(value), label: name })),
      ...(method === null || methods.some((one) => one.id === method) ? [] : [{ value: String(method), label: `Method ${method}` }]),
    ],
    active: [
      { value: 'true', label: 'Active' },
      { value: 'false', label: 'Inactive' },
    ],
  };
  return (
    <form id={id} noValidate onSubmit={(event) => void submit(event)} className="grid gap-x-4 gap-y-3 py-2 sm:grid-cols-2">
      <DraftLine draft={draft} />
      {entityFormFields
        .filter((field) => entityLayouts[field][platform])
        .map((field, index) => {
          const options = choices[field];
          if (options)
            return (
              <SelectField
                key={field}
                label={entityLabels[field]}
                options={options}
                error={errors[field]?.message}
                {...form.register(field, {
                  setValueAs: (value: unknown) => (field === 'active' ? String(value) === 'true' : numberOf(value)),
                })}
              />
            );
          return (
            <div key={field} className={index === 0 ? 'sm:col-span-2' : ''}>
              <TextField
                label={entityLabels[field]}
                autoFocus={index === 0}
                autoComplete="off"
                dir="auto"
                error={errors[field]?.message}
                {...form.register(field, { setValueAs: (value: string | null) => (field === 'entity_name' ? textOf(value) : value) })}
              />
            </div>
          );
        })}
      <div className="sm:col-span-2">
        <FormProblem text={problem} />
      </div>
    </form>
  );
}
