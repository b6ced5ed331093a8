import { useState } from 'react';
import type { FieldOf } from '#app/screens/transactions/filter-fields.ts';
import { EditorFrame } from './editor-frame.tsx';
import type { FilterDesk } from './filter-desk.ts';

/** Only the rows with a mark, only those without, or either. */
export function FlagEditor({ desk, known, close }: { desk: FilterDesk; known: FieldOf<'flag'>; close: () => void }) {
  const { search, onChange } = desk;
  const { key } = known;
  const [initial] = useState(search[key]);
  const word = known.label.toLowerCase();
  const choices = [
    { value: 'only', label: `Only ${word} rows` },
    { value: 'not', label: `No ${word} rows` },
    { value: undefined, label: 'Either' },
  ];
  return (
    <EditorFrame label={known.label} onEscape={() => onChange({ [key]: initial })}>
      <div
        role="radiogroup"
        aria-label={known.label}
        className="flex flex-col px-2 pb-2"
        onKeyDown={(event) => {
          if (event.key === 'Enter') close();
        }}
      >
        {choices.map(({ value, label }) => (
          <label
            key={label}
            className="relative flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 text-grid has-focus-visible:outline-2 has-focus-visible:outline-primary hover:bg-hover"
          >
            <input
              type="radio"
              name={`filter-${key}`}
              autoFocus={search[key] === value}
              checked={search[key] === value}
              onChange={() => onChange({ [key]: value })}
              className="peer sr-only"
            />
            <span
              aria-hidden="true"
              className="flex size-4 items-center justify-center rounded-full border border-control after:size-2 after:rounded-full peer-checked:border-primary peer-checked:after:bg-primary"
            />
            {label}
          </label>
        ))}
      </div>
    </EditorFrame>
  );
}
