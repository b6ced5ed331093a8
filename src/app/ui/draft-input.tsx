import { type ReactNode, useId, useRef, useState } from 'react';
import { type ShortcutTable, shortcutOf } from './chords.ts';

/** What keys do while one types a draft. */
export const draftKeys = {
  apply: { keys: ['Enter'], words: 'While typing a filter: apply it' },
  restore: { keys: ['Escape'], words: 'While typing a filter: back to what it was' },
} as const satisfies ShortcutTable;

interface DraftInputProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  placeholder?: string;
  /** What is wrong with the text; shown once it was to be applied. Null where nothing is. */
  fault: string | null;
  /** What the text means, while nothing is wrong with it. */
  meaning: ReactNode;
  onApply: () => void;
  /** Takes back what was applied since the input opened. */
  onRestore: () => void;
  onDone: () => void;
  /** The input was left with a text that means nothing. */
  onLost?: (text: string) => void;
  longest?: number;
}

/** A text that applies at Enter and when it is left, and goes back to what it was at Escape. What it means stands below it. */
export function DraftInput(props: DraftInputProps) {
  const { label, text, onText, placeholder, fault, meaning, longest = 200 } = props;
  const id = useId();
  const isOver = useRef(false);
  const [wasTried, setWasTried] = useState(false);
  const isShown = fault !== null && wasTried;
  const apply = (): boolean => {
    setWasTried(true);
    if (fault === null) props.onApply();
    return fault === null;
  };
  return (
    <div className="flex flex-col gap-1">
      <input
        autoFocus
        type="text"
        aria-label={label}
        aria-invalid={isShown || undefined}
        aria-describedby={id}
        placeholder={placeholder}
        value={text}
        maxLength={longest}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          const command = shortcutOf(draftKeys, event);
          if (command === 'restore') {
            isOver.current = true;
            props.onRestore();
          }
          if (command !== 'apply') return;
          event.preventDefault();
          if (!apply()) return;
          isOver.current = true;
          props.onDone();
        }}
        onBlur={(event) => {
          if (isOver.current) return;
          const isLeft = !event.currentTarget.closest('[data-editor]')?.contains(event.relatedTarget);
          if (!apply() && isLeft && text.trim() !== '') props.onLost?.(text);
        }}
        className="figures h-8 w-full rounded border border-control bg-surface px-2 text-grid text-ink aria-invalid:border-bad"
      />
      <p id={id} role="status" className={`text-small ${isShown ? 'text-bad' : 'text-muted'}`}>
        {fault === null ? meaning : fault}
      </p>
    </div>
  );
}
