import type { ClipboardEvent, Ref } from 'react';
import { isHashColumn } from '#domain/hash-list.ts';
import { longestPart } from '#app/screens/transactions/field-text.ts';
import { ariaKeys } from '#app/ui/chords.ts';
import { SearchIcon } from '#app/ui/icons.tsx';
import { useDebouncedText } from '#app/ui/use-debounced.ts';
import { filterKeys } from './filter-keys.ts';

interface SearchBoxProps {
  value: string;
  onChange: (text: string) => void;
  /** Told every letter at once, before the text rests. */
  onPrepare: (text: string) => void;
  /** A column of hashes or ids was pasted. */
  onColumn: (text: string) => void;
  input: Ref<HTMLInputElement>;
}

/** Finds a part of a hash, an address, a description, a ticker or an account's name; takes a pasted column of hashes, too. */
export function SearchBox({ value, onChange, onPrepare, onColumn, input }: SearchBoxProps) {
  const [text, setText] = useDebouncedText(value, onChange);
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!isHashColumn(pasted)) return;
    event.preventDefault();
    onColumn(pasted);
  };
  return (
    <div className="relative min-w-28 grow basis-0 sm:max-w-48 sm:basis-auto">
      <span className="pointer-events-none absolute top-1.5 left-2 text-muted">
        <SearchIcon />
      </span>
      <input
        ref={input}
        type="search"
        aria-label="Search hash, address or description"
        aria-keyshortcuts={ariaKeys(filterKeys.search)}
        placeholder="Hash, address, text"
        value={text}
        maxLength={longestPart}
        onPaste={onPaste}
        onChange={(event) => {
          setText(event.target.value, event.timeStamp);
          onPrepare(event.target.value);
        }}
        className="h-7 w-full rounded border border-line-strong bg-surface pr-2 pl-7 text-grid text-ink"
      />
    </div>
  );
}
