import { useState } from 'react';
import { isPart, longestPart } from '#app/screens/transactions/field-text.ts';
import type { FieldOf } from '#app/screens/transactions/filter-fields.ts';
import { filterAt, filterChange, type SearchChange } from '#app/screens/transactions/transaction-search.ts';
import { DraftInput } from '#app/ui/draft-input.tsx';
import { Segments } from '#app/ui/segments.tsx';
import { EditorFrame } from './editor-frame.tsx';
import type { FilterDesk } from './filter-desk.ts';

const senses = [
  { value: 'has', label: 'contains' },
  { value: 'not', label: 'does not' },
] as const;

/** Looks for a part of a text, or leaves out the rows that have it. */
export function TextEditor({ desk, known, close }: { desk: FilterDesk; known: FieldOf<'text'>; close: () => void }) {
  const { search, onChange, onPrepare } = desk;
  const [initial] = useState(search[known.key]);
  const filter = filterAt(search, known.key);
  const [text, setText] = useState(filter?.kind === 'text' ? filter.contains : '');
  const [isNot, setIsNot] = useState(filter?.kind === 'text' && filter.not === true);
  const changeFor = (contains: string, not: boolean): SearchChange =>
    filterChange({ kind: 'text', field: known.field, contains, ...(not ? { not } : {}) });
  const isEmpty = text.trim() === '';
  return (
    <EditorFrame
      label={known.label}
      head={
        <Segments
          label={`${known.label}: contains or does not`}
          options={senses}
          value={isNot ? 'not' : 'has'}
          onChange={(sense) => {
            setIsNot(sense === 'not');
            if (isPart(text)) onChange(changeFor(text, sense === 'not'));
          }}
        />
      }
    >
      <div className="px-3 pb-3">
        <DraftInput
          label={`${known.label} ${isNot ? 'does not contain' : 'contains'}`}
          placeholder="Part of the text"
          longest={longestPart}
          text={text}
          onText={(typed) => {
            setText(typed);
            if (isPart(typed)) onPrepare(changeFor(typed, isNot));
          }}
          fault={isEmpty || isPart(text) ? null : 'Write a part of the text, on one line'}
          meaning={isNot ? 'Leaves out every row with this in it, whatever its case' : 'Finds this anywhere in the text, whatever its case'}
          onApply={() => onChange(changeFor(text, isNot))}
          onRestore={() => onChange({ [known.key]: initial })}
          onDone={close}
        />
      </div>
    </EditorFrame>
  );
}
