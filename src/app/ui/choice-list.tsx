import { type KeyboardEvent, useId, useState } from 'react';
import { FindInput } from './find-input.tsx';
import { CheckIcon } from './icons.tsx';
import { useHeld } from './use-held.ts';

export interface Choice {
  id: string;
  label: string;
  /** A second, quieter word: the name behind a ticker. */
  hint?: string;
  /** How often it occurs; absent while that is not known. */
  count?: number;
  /** Listed once it is looked for or chosen, and not before. */
  isAside?: boolean;
}

interface ChoiceListProps {
  label: string;
  choices: readonly Choice[];
  /** There may be more choices than these, which are being read. */
  isReading?: boolean;
  selected: readonly string[];
  onChange: (ids: string[]) => void;
  /** Enter was pressed: the choice stands. */
  onDone: () => void;
  /** What those are called that are listed once looked for. */
  aside?: string;
}

/** Most choices listed at once; typing narrows to the others. */
const listed = 200;

/** What occurs comes first, in the given order; then what does not. */
function inOrder(choices: readonly Choice[]): Choice[] {
  return [...choices.filter(({ count }) => count !== 0), ...choices.filter(({ count }) => count === 0)];
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const inputs = [...event.currentTarget.querySelectorAll('input')];
  inputs[inputs.findIndex((input) => input === document.activeElement) + step]?.focus();
}

function ChoiceRow({ choice, isChosen, isFirst, onToggle }: { choice: Choice; isChosen: boolean; isFirst: boolean; onToggle: () => void }) {
  const { label, hint, count } = choice;
  return (
    <li>
      <label className="relative flex min-h-7 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-grid has-focus-visible:outline-2 has-focus-visible:outline-primary hover:bg-hover">
        <input
          type="checkbox"
          value={choice.id}
          checked={isChosen}
          onChange={onToggle}
          tabIndex={isFirst ? 0 : -1}
          className="peer sr-only"
        />
        <span
          aria-hidden="true"
          className="flex size-4 shrink-0 items-center justify-center rounded-sm border border-control text-transparent peer-checked:border-primary peer-checked:bg-primary peer-checked:text-on-primary"
        >
          <CheckIcon />
        </span>
        <span className={`min-w-0 truncate ${count === 0 ? 'text-muted' : ''}`}>{label}</span>
        {hint ? <span className="min-w-0 shrink-[4] truncate text-muted">{hint}</span> : null}
        {count === undefined ? null : <span className="figures ml-auto pl-2 text-muted">{count.toLocaleString('en-US')}</span>}
      </label>
    </li>
  );
}

/** A list to search and tick. Arrows move, Space ticks, Enter is done; where nothing is ticked yet it takes the one one is on, or in the search the first one found. */
export function ChoiceList({ label, choices, isReading = false, selected, onChange, onDone, aside = 'more' }: ChoiceListProps) {
  const [text, setText] = useState('');
  const listId = useId();
  const wanted = text.trim().toLowerCase();
  const chosen = new Set(selected);
  const usual = choices.filter(({ id, isAside }) => !isAside || chosen.has(id));
  const matching = wanted ? choices.filter((choice) => `${choice.label} ${choice.hint ?? ''}`.toLowerCase().includes(wanted)) : usual;
  const found = inOrder(matching);
  const toggle = (id: string): void => onChange(chosen.has(id) ? selected.filter((other) => other !== id) : [...selected, id]);
  const take = (meant: string | undefined): void => {
    if (wanted !== '' && meant !== undefined && !found.some(({ id }) => chosen.has(id))) onChange([...selected, meant]);
    onDone();
  };
  // what is looked for may be among what is still being read
  const entered = useHeld(!isReading || wanted === '', () => take(found[0]?.id));
  const onEnter = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    const { target } = event;
    if (target instanceof HTMLInputElement && target.type === 'checkbox') take(target.value);
    else entered.hold();
  };
  // with nothing to do they keep the focus
  const button = 'shrink-0 px-1 text-small text-link aria-disabled:cursor-default aria-disabled:text-muted';
  return (
    <div
      className="flex min-h-0 flex-col"
      onKeyDown={(event) => {
        moveFocus(event);
        onEnter(event);
      }}
    >
      <div className="flex items-center gap-1.5 px-2 pb-2">
        <FindInput
          label={`Find ${label.toLowerCase()}`}
          value={text}
          onText={(typed) => {
            entered.letGo();
            setText(typed);
          }}
          aria-controls={listId}
        />
        <button
          type="button"
          aria-disabled={found.every(({ id }) => chosen.has(id))}
          onClick={() => onChange([...new Set([...selected, ...found.map(({ id }) => id)])])}
          className={button}
        >
          {wanted === '' ? 'All' : 'All found'}
        </button>
        <button type="button" aria-disabled={selected.length === 0} onClick={() => onChange([])} className={button}>
          Clear
        </button>
      </div>
      <ul id={listId} aria-label={label} className="max-h-[298px] overflow-y-auto border-t border-line p-1">
        {found.slice(0, listed).map((choice, index) => (
          <ChoiceRow
            key={choice.id}
            choice={choice}
            isChosen={chosen.has(choice.id)}
            isFirst={index === 0}
            onToggle={() => toggle(choice.id)}
          />
        ))}
        {found.length === 0 ? <li className="px-2 py-3 text-grid text-muted">{isReading ? 'Looking' : 'Nothing is called that'}</li> : null}
        {wanted === '' && usual.length < choices.length ? (
          <li className="px-2 py-2 text-grid text-muted">
            {choices.length - usual.length} {aside}: type to find
          </li>
        ) : null}
        {found.length > listed ? <li className="px-2 py-2 text-grid text-muted">{found.length - listed} more: type to narrow</li> : null}
      </ul>
    </div>
  );
}
