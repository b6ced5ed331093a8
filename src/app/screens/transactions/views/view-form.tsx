import { zodResolver } from '@hookform/resolvers/zod';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { savedViewLimits, savedViewMessages, savedViewNameSchema } from '#contract/saved-views.ts';
import { nameKey } from '#domain/name-key.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { textOfError } from '#app/notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field.tsx';
import { useDraft } from '#app/drafts/use-draft.ts';

export interface ViewValues {
  name: string;
  keepsPlace: boolean;
}

interface ViewFormProps {
  /** The view that is renamed; null where it is new. */
  viewId: string | null;
  title: string;
  usual: ViewValues;
  /** Names of the person's other views. */
  otherNames: readonly string[];
  /** The place a view can be bound to; null where the form is about the name alone. */
  place: string | null;
  /** How long the text of a view would be. */
  lengthOf: (values: ViewValues) => number;
  /** Said below the fields. */
  note?: string | null;
  onSave: (values: ViewValues) => Promise<void>;
  onCancel: () => void;
}

function schemaFor(otherNames: readonly string[]) {
  const taken = new Set(otherNames.map(nameKey));
  return z.object({
    name: savedViewNameSchema.refine((name) => !taken.has(nameKey(name)), { error: savedViewMessages.taken }),
    keepsPlace: z.boolean(),
  });
}

/** Asks for the name of a view, and where it is new whether it belongs to the place one is at. */
export function ViewForm({ viewId, title, usual, otherNames, place, lengthOf, note, onSave, onCancel }: ViewFormProps) {
  const schema = useMemo(() => schemaFor(otherNames), [otherNames]);
  const form = useForm<ViewValues>({ resolver: zodResolver(schema), defaultValues: usual });
  const { register, handleSubmit, formState } = form;
  const draft = useDraft(form, { key: `view:${viewId ?? 'new'}`, schema });
  const [problem, setProblem] = useState<string | null>(null);
  const submit = handleSubmit(async (values) => {
    if (lengthOf(values) > savedViewLimits.search) {
      setProblem(savedViewMessages.longSearch);
      return;
    }
    try {
      await onSave(values);
      draft.end();
    } catch (error) {
      setProblem(textOfError(error));
    }
  });
  const cancel = (): void => {
    draft.end();
    onCancel();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // back to the list, not out of the menu
    event.preventDefault();
    event.stopPropagation();
    cancel();
  };
  return (
    <form aria-label={title} onSubmit={(event) => void submit(event)} onKeyDown={onKeyDown} noValidate className="flex flex-col gap-3 p-3">
      <p className="font-semibold">{title}</p>
      <DraftLine draft={draft} />
      <TextField label="Name" autoFocus autoComplete="off" error={formState.errors.name?.message} {...register('name')} />
      {place === null ? null : (
        <label className="flex cursor-pointer items-start gap-2 text-grid">
          <input type="checkbox" className="mt-0.5 size-4 shrink-0 accent-primary" {...register('keepsPlace')} />
          <span className="min-w-0">
            Always show <span className="font-medium">{place}</span>
            <span className="block text-small text-muted">Otherwise the view shows whatever place you are at.</span>
          </span>
        </label>
      )}
      {note ? <p className="rounded bg-warn-soft px-2.5 py-1.5 text-grid">{note}</p> : null}
      {problem ? (
        <p role="alert" className="rounded bg-bad-soft px-2.5 py-1.5 text-grid">
          {problem}
        </p>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={cancel}>
          Cancel
        </Button>
        <Button size="small" look="primary" type="submit" disabled={formState.isSubmitting}>
          Save
        </Button>
      </div>
    </form>
  );
}
