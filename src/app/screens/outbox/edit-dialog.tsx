import { type ComponentType, useState } from 'react';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { isUndecided, keptInput } from '#replica/conflicts.ts';
import { formOfEdit } from '#replica/drafts.ts';
import type { Fields } from '#replica/merge.ts';
import { isShown } from '#replica/mutation-states.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { isStillToMake } from '#replica/restating.ts';
import { formNote } from '#app/shell/outbox-words.ts';
import type { RestatedWith, WaitingForm, WaitingWords } from '#app/waiting-form.ts';
import { editDialogs } from './edit-dialogs.ts';
import { useAtEnd } from './use-edit-focus.ts';
import type { Restated } from './use-outbox-actions.ts';

/** What the form of an edit tells of it beside what it says. */
export function wordsOf(edit: OutboxRow): WaitingWords {
  // only what the server did not take is told with its reason
  const error = isShown(edit.state) ? undefined : edit.error;
  const fields = Object.entries(error?.fields ?? {});
  return {
    draftKey: formOfEdit(edit.id),
    note: formNote(edit),
    refusal: error?.detail ?? null,
    errors: Object.fromEntries(fields.map(([name, message]) => [name, { type: 'server', message }])),
  };
}

interface EditDialogProps {
  edit: OutboxRow;
  onSave: (restated: Restated) => Promise<void>;
  onClose: () => void;
  onGone: () => void;
}

/** The form an edit was made in, to say it otherwise; nothing for what is done by a click. */
export function EditDialog({ edit, onSave, onClose, onGone }: EditDialogProps) {
  // as it was when this was opened: what comes meanwhile is not in the form
  const [begun] = useState(() => ({
    words: wordsOf(edit),
    input: keptInput(edit) as MutationInput<MutationName>,
    row: (isUndecided(edit) ? edit.theirs : edit.base)?.fields ?? null,
    clientId: edit.client_id ?? undefined,
    isNew: isStillToMake(edit),
  }));
  useAtEnd(onGone);
  const Form = editDialogs[edit.name] as ComponentType<WaitingForm<MutationName>> | undefined;
  if (!Form) return null;
  const save = (changes: object, restated?: RestatedWith): Promise<void> =>
    onSave({ begun: begun.input as Fields, ended: { ...begun.input, ...changes }, ...restated });
  return <Form {...begun} onSave={save} onClose={onClose} />;
}
