import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions, Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { filterFields } from '#app/screens/transactions/filter-fields.ts';
import { useServices } from '#app/services.tsx';
import { ariaKeys, keyNames } from '#app/ui/chords.ts';
import { SearchIcon } from '#app/ui/icons.tsx';
import { pillMark } from '#app/ui/pill.tsx';
import { Editor, type EditorKey } from './editor.tsx';
import type { FilterDesk } from './filter-desk.ts';
import { filterKeys } from './filter-keys.ts';

const offered: readonly { key: EditorKey; label: string }[] = [
  { key: 'dates', label: 'Dates' },
  ...filterFields,
  { key: 'hashes', label: 'Hashes or ids' },
];

function FieldList({ desk, onChoose, close }: { desk: FilterDesk; onChoose: (key: EditorKey) => void; close: () => void }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = offered.filter(({ label }) => label.toLowerCase().includes(wanted));
  // the combobox keeps the first Escape to itself, though its list never closes
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
  };
  return (
    <div onKeyDownCapture={onKeyDownCapture} className="flex min-h-0 flex-col">
      <Combobox<EditorKey> immediate onChange={(key) => key && onChoose(key)}>
        <div className="flex items-center gap-2 border-b border-line px-3 text-muted">
          <SearchIcon />
          <ComboboxInput
            autoFocus
            aria-label="Find a field"
            placeholder="Filter by"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="h-9 w-full bg-transparent text-grid text-ink outline-none focus-visible:shadow-none"
          />
        </div>
        <ComboboxOptions static className="max-h-[min(60vh,440px)] overflow-y-auto p-1">
          {found.map(({ key, label }) => (
            <ComboboxOption key={key} value={key} className="flex h-7 items-center rounded-sm px-2 text-grid data-focus:bg-selected">
              <span className="truncate">{label}</span>
              {key !== 'dates' && desk.search[key] !== undefined ? <span className="ml-auto pl-2 text-small text-muted">On</span> : null}
            </ComboboxOption>
          ))}
          {found.length === 0 ? <p className="px-2 py-3 text-grid text-muted">No field is called that</p> : null}
        </ComboboxOptions>
      </Combobox>
    </div>
  );
}

/** First the fields, then the editor of the one chosen. */
function Steps({ desk, close }: { desk: FilterDesk; close: () => void }) {
  const [chosen, setChosen] = useState<EditorKey | null>(null);
  return chosen === null ? <FieldList desk={desk} onChoose={setChosen} close={close} /> : <Editor of={chosen} desk={desk} close={close} />;
}

/** Offers every field there is to filter by. */
export function AddFilter({ desk, button }: { desk: FilterDesk; button: Ref<HTMLButtonElement> }) {
  const { isMac } = useServices();
  return (
    <Popover>
      <PopoverButton
        ref={button}
        {...{ [pillMark]: '' }}
        aria-keyshortcuts={ariaKeys(filterKeys.add)}
        title={`${filterKeys.add.words} (${keyNames(filterKeys.add.keys[0], isMac).join('+')})`}
        className="inline-flex h-7 items-center gap-1 rounded px-2 text-grid whitespace-nowrap text-soft transition-colors duration-[120ms] hover:bg-hover hover:text-ink"
      >
        <span aria-hidden="true">+</span> Filter
      </PopoverButton>
      <PopoverPanel
        role="dialog"
        aria-label={filterKeys.add.words}
        anchor={{ to: 'bottom start', gap: 4, padding: 8 }}
        className="z-30 flex w-80 max-w-[92vw] flex-col rounded bg-raised text-ink shadow-pop"
      >
        {({ close }) => <Steps desk={desk} close={close} />}
      </PopoverPanel>
    </Popover>
  );
}
