import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { useId, useState } from 'react';
import { CheckIcon, DownIcon } from './icons.tsx';

export interface Choice {
  id: string;
  label: string;
  /** A second, quieter word: the name behind a ticker. */
  hint?: string;
}

interface MultiSelectProps {
  label: string;
  choices: readonly Choice[];
  selected: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Most choices listed at once; typing narrows to the others. */
const listed = 200;

function ChoiceList({ label, choices, selected, onChange }: MultiSelectProps) {
  const [text, setText] = useState('');
  const listId = useId();
  const wanted = text.trim().toLowerCase();
  const found = wanted ? choices.filter((choice) => `${choice.label} ${choice.hint ?? ''}`.toLowerCase().includes(wanted)) : choices;
  const toggle = (id: string): void => onChange(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]);
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line p-2">
        <input
          type="search"
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={`Find ${label.toLowerCase()}`}
          aria-label={`Find ${label.toLowerCase()}`}
          aria-controls={listId}
          className="h-7 w-full min-w-0 rounded border border-control bg-surface px-2 text-grid"
        />
        <button
          type="button"
          disabled={selected.length === 0}
          onClick={() => onChange([])}
          className="shrink-0 px-1 text-grid text-link disabled:text-muted"
        >
          Clear
        </button>
      </div>
      <ul id={listId} className="max-h-72 overflow-y-auto p-1">
        {found.slice(0, listed).map((choice) => (
          <li key={choice.id}>
            <label className="flex min-h-7 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-grid has-focus-visible:outline-2 has-focus-visible:outline-primary hover:bg-hover">
              <input type="checkbox" checked={selected.includes(choice.id)} onChange={() => toggle(choice.id)} className="peer sr-only" />
              <span
                aria-hidden="true"
                className="flex size-4 shrink-0 items-center justify-center rounded-sm border border-control text-transparent peer-checked:border-primary peer-checked:bg-primary peer-checked:text-on-primary"
              >
                <CheckIcon />
              </span>
              <span className="truncate">{choice.label}</span>
              {choice.hint ? <span className="ml-auto truncate pl-2 text-muted">{choice.hint}</span> : null}
            </label>
          </li>
        ))}
        {found.length === 0 ? <li className="px-2 py-3 text-grid text-muted">Nothing is called that</li> : null}
        {found.length > listed ? <li className="px-2 py-2 text-grid text-muted">{found.length - listed} more: type to narrow</li> : null}
      </ul>
    </>
  );
}

/** A filter that takes several values: a button that says what is chosen, and a list to search and tick. */
export function MultiSelect(props: MultiSelectProps) {
  const { label, choices, selected } = props;
  const only = selected.length === 1 ? choices.find((choice) => choice.id === selected[0])?.label : undefined;
  const chosen = selected.length === 0 ? null : (only ?? String(selected.length));
  return (
    <Popover>
      <PopoverButton
        className={`inline-flex h-7 max-w-56 items-center gap-1.5 rounded border px-2.5 text-grid whitespace-nowrap transition-colors duration-[120ms] ${chosen ? 'border-primary bg-selected text-ink' : 'border-line-strong bg-surface text-soft hover:bg-hover'}`}
      >
        <span className={chosen ? 'text-soft' : ''}>{label}</span>
        {chosen ? <span className="truncate font-semibold">{chosen}</span> : null}
        <DownIcon />
      </PopoverButton>
      <PopoverPanel anchor={{ to: 'bottom start', gap: 4 }} className="z-30 w-80 rounded bg-raised shadow-pop">
        <ChoiceList {...props} />
      </PopoverPanel>
    </Popover>
  );
}
