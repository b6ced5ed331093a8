import { useState } from 'react';
import { amountExpected, amountHint, readAmount } from '#domain/amount-text.ts';
import { amountText, amountWords } from '#domain/amount-words.ts';
import type { FieldOf } from '#app/screens/transactions/filter-fields.ts';
import { filterAt, filterChange, type SearchChange } from '#app/screens/transactions/transaction-search.ts';
import { useServices } from '#app/services.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { DraftInput } from '#app/ui/draft-input.tsx';
import { EditorFrame } from './editor-frame.tsx';
import type { FilterDesk } from './filter-desk.ts';

/** Bounds an amount by what one types; what it means is said while typing. */
export function AmountEditor({ desk, known, close }: { desk: FilterDesk; known: FieldOf<'amount'>; close: () => void }) {
  const { search, onChange, onPrepare } = desk;
  const { notices } = useServices();
  const { numbers } = usePreferences();
  const [initial] = useState(search[known.key]);
  const [text, setText] = useState(() => {
    const filter = filterAt(search, known.key);
    return filter?.kind === 'amount' ? amountText(filter) : '';
  });
  const changeFor = (typed: string): SearchChange | null => {
    if (typed.trim() === '') return { [known.key]: undefined };
    const read = readAmount(typed);
    return read.ok ? filterChange({ kind: 'amount', field: known.field, ...read.choice }) : null;
  };
  const reading = readAmount(text);
  const isEmpty = text.trim() === '';
  return (
    <EditorFrame label={known.label}>
      <div className="flex flex-col gap-2 px-3 pb-3">
        <DraftInput
          label={`${known.label}: an amount or a range`}
          placeholder=">100, 10-50 or (25)"
          text={text}
          onText={(typed) => {
            setText(typed);
            const change = changeFor(typed);
            if (change) onPrepare(change);
          }}
          fault={isEmpty || reading.ok ? null : reading.message}
          meaning={isEmpty ? amountExpected : reading.ok ? amountWords(reading.choice, numbers) : ''}
          onApply={() => {
            const change = changeFor(text);
            if (change) onChange(change);
          }}
          onRestore={() => onChange({ [known.key]: initial })}
          onDone={close}
          onLost={(lost) => notices.notice('info', `${known.label} “${lost}” was left out. ${amountExpected}`)}
        />
        <p className="border-t border-line pt-2 text-small text-muted">{amountHint}</p>
      </div>
    </EditorFrame>
  );
}
