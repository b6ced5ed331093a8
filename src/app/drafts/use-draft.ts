import { useCallback, useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import type { Fields } from '#replica/merge.ts';
import type { Draft } from '#replica/outbox-tables.ts';
import { fittingFields, isOutdated, typedFields } from './draft-fields.ts';
import type { OpenDraft, Typed } from './open-draft.ts';
import { useServices, useUser } from '#app/services.tsx';

export interface DraftOptions {
  /** Which form it is: `client:new`, `client:<id>` and the like. Secrets have none: what is typed there is kept nowhere. */
  key: string;
  /** The form's own. */
  schema: z.ZodObject;
  /** What it is about, where that is a client or lies in one. */
  clientId?: string | null;
  entityId?: string | null;
  /** Told before the form is filled. */
  onFound?: (draft: Draft) => void;
}

/** What a person had typed into a form that was open before. */
export interface FormDraft {
  /** When, in UTC milliseconds; null where nothing of it is in the form. */
  keptAt: number | null;
  /** Something they typed over became something else since. */
  isOutdated: boolean;
  /** Empties the form of it. */
  startAnew: () => void;
  /** The form was saved or cancelled. */
  end: () => void;
}

const nothingFound: Pick<FormDraft, 'keptAt' | 'isOutdated'> = { keptAt: null, isOutdated: false };

/**
 * Keeps what is typed into a form until it is saved or cancelled, and fills the form with what was kept the last time. A field that was
 * typed in before that was read stays.
 */
export function useDraft<V extends FieldValues, C, T>(form: UseFormReturn<V, C, T>, options: DraftOptions): FormDraft {
  const { drafts } = useServices();
  const { id: userId } = useUser();
  const { key } = options;
  const [found, setFound] = useState(nothingFound);
  const open = useRef<OpenDraft | null>(null);
  // the form at each moment, for what is heard later
  const now = useRef({ form, options });
  // what the fields of a draft had in their place when they were typed
  const before = useRef<Fields>({});
  const isFilling = useRef(false);
  // what the draft was told last: a form says more often that something changed
  const told = useRef('null');
  const typed = useCallback((): Typed | null => {
    const { form: at, options: about } = now.current;
    const all = typedFields(at.getValues(), usualOf(at));
    const { clientId = null, entityId = null } = about;
    return all && { client_id: clientId, entity_id: entityId, fields: all.fields, before: { ...all.before, ...before.current } };
  }, []);
  const tell = useCallback((): void => {
    // before that a form may not know yet what it began with
    if (isFilling.current || !open.current) return;
    const next = typed();
    const text = JSON.stringify(next);
    if (text === told.current) return;
    told.current = text;
    open.current.note(next);
  }, [typed]);
  useEffect(() => {
    now.current = { form, options };
    // what it began with, or what it is about, may be something else by now
    tell();
  });
  useEffect(() => {
    const draft = drafts.open(userId, key);
    open.current = draft;
    let isHere = true;
    const fill = (kept: Draft | null): void => {
      if (!isHere || !kept) return;
      const { form: at, options: about } = now.current;
      const own = typed()?.fields ?? {};
      const fields = Object.entries(fittingFields(about.schema, kept)).filter(([name]) => !Object.hasOwn(own, name));
      if (fields.length === 0) return;
      about.onFound?.(kept);
      before.current = kept.before;
      // nothing of this is news to the draft
      isFilling.current = true;
      for (const [name, value] of fields) at.setValue(name as Path<V>, value as PathValue<V, Path<V>>, { shouldDirty: true });
      isFilling.current = false;
      const { client_id, entity_id } = kept;
      if (Object.keys(own).length === 0) told.current = JSON.stringify({ ...typed(), client_id, entity_id });
      else tell();
      setFound({ keptAt: kept.kept_at, isOutdated: isOutdated(kept, Object.fromEntries(fields), usualOf(at)) });
    };
    // where nothing can be read the form is as it would be without
    draft.found.then(fill, () => undefined);
    const stop = now.current.form.subscribe({ formState: { values: true }, callback: tell });
    return () => {
      isHere = false;
      stop();
      // it may be that the form is saved and off the screen before whoever saved it says so
      draft.close();
    };
  }, [drafts, userId, key, typed, tell]);
  return {
    ...found,
    startAnew: () => {
      const [first] = Object.keys(typed()?.fields ?? {});
      before.current = {};
      // also in a form whose own rule is that what was typed stays
      form.reset(undefined, { keepFieldsRef: true, keepDirtyValues: false });
      open.current?.drop();
      setFound(nothingFound);
      if (first !== undefined) form.setFocus(first as Path<V>);
    },
    end: () => {
      before.current = {};
      open.current?.drop();
      setFound(nothingFound);
    },
  };
}

function usualOf({ formState }: { formState: { defaultValues?: unknown } }): Fields {
  return (formState.defaultValues ?? {}) as Fields;
}
