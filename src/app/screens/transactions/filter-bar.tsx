import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { readHashes } from '#domain/hash-list.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { FilterIcon } from '#app/ui/icons.tsx';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { useKey } from '#app/ui/use-key.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { useReplica } from '#app/use-replica.ts';
import { AddFilter } from './filters/add-filter.tsx';
import type { FilterDesk } from './filters/filter-desk.ts';
import { FilterPills } from './filters/filter-pills.tsx';
import { onPillKey } from './filters/pill-focus.ts';
import { SearchBox } from './filters/search-box.tsx';
import { filterKeys } from './filters/filter-keys.ts';
import { hashesText } from './kept-hashes.ts';
import { filterCount, noFilters, type SearchChange } from './transaction-search.ts';

type DeskProps = Omit<FilterDesk, 'onHashes' | 'hashDraft' | 'onHashDraft'>;

interface FilterBarProps extends DeskProps {
  /** Before the search: whole filters that were kept. */
  views: ReactNode;
  /** Beside the filters where rows are cards: what they are sorted by. */
  order: ReactNode;
  /** At the far end: what is done with the list rather than to the filter. */
  actions: ReactNode;
}

/** Pasted hashes as part of an address, kept on this device where they are too many, and the way back from them. */
function usePastedHashes({ search, onChange }: DeskProps) {
  const { notices } = useServices();
  const replica = useReplica();
  const [hashDraft, onHashDraft] = useState<string | null>(null);
  const look = async (hashes: readonly string[]): Promise<void> => {
    onChange({ hashes: await hashesText(replica, hashes) });
    // what was refused before is not what is looked for
    onHashDraft(null);
  };
  const onColumn = async (column: string): Promise<void> => {
    const reading = readHashes(column);
    if (!reading.ok) {
      onHashDraft(column);
      notices.notice('warning', `${reading.message} They wait under Filter, Hashes or ids.`);
      return;
    }
    await look(reading.hashes);
    notices.notice('info', `Looking for the ${reading.hashes.length.toLocaleString('en-US')} hashes or ids you pasted`, {
      label: 'Undo',
      run: () => onChange({ hashes: search.hashes }),
    });
  };
  const told = (work: Promise<void>): void => void work.catch((error: unknown) => notices.notice('error', textOfError(error)));
  return {
    hashDraft,
    onHashDraft,
    onColumn: (column: string) => told(onColumn(column)),
    onHashes: (hashes: readonly string[]) => told(look(hashes)),
  };
}

interface FilterKeyParts {
  searchInput: RefObject<HTMLInputElement | null>;
  addButton: RefObject<HTMLButtonElement | null>;
  /** Shows the filters where a narrow screen folds them. */
  open: () => void;
}

/** Goes to the search box, and to a new filter, from anywhere on the screen. */
function useFilterKeys({ searchInput, addButton, open }: FilterKeyParts): void {
  useKey(filterKeys.search, () => {
    searchInput.current?.focus();
    searchInput.current?.select();
  });
  const addFilter = (): void => {
    // what is typed in an open editor applies first
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const press = (): void => addButton.current?.click();
    // an open one begins anew
    if (addButton.current?.ariaExpanded === 'true') press();
    open();
    // on a narrow screen the button is drawn only now
    requestAnimationFrame(press);
  };
  useKey(filterKeys.add, addFilter, { whileTyping: true });
}

/** What the list is narrowed to, and everything that changes it. All of it is in the address. */
export function FilterBar({ views, order, actions, ...props }: FilterBarProps) {
  const { search, onChange, onPrepare } = props;
  const isNarrow = useIsNarrow();
  const [isOpen, setIsOpen] = useState(false);
  const searchInput = useRef<HTMLInputElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const { onColumn, ...hashes } = usePastedHashes(props);
  const desk: FilterDesk = { ...props, ...hashes };
  const count = filterCount(search);
  const onFocus = useLostFocus(() => (addButton.current ?? searchInput.current)?.focus());
  useFilterKeys({ searchInput, addButton, open: () => setIsOpen(true) });
  const asText = (text: string): SearchChange => {
    // no text holds a tab or the like; pasted ones are blanks
    const q = text.replace(/\p{Cc}/gu, ' ');
    return { q: q.trim() === '' ? undefined : q };
  };
  return (
    <div className="flex shrink-0 items-start gap-3 border-b border-line px-4 py-2 print:hidden">
      <div
        role="search"
        aria-label="Filters"
        onFocus={onFocus}
        onKeyDown={onPillKey}
        className="flex min-w-0 grow flex-wrap items-center gap-1.5"
      >
        {views}
        <SearchBox
          value={search.q ?? ''}
          onChange={(text) => onChange(asText(text))}
          onPrepare={(text) => onPrepare(asText(text))}
          onColumn={onColumn}
          input={searchInput}
        />
        {isNarrow ? (
          <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <FilterIcon />
            {count > 0 ? `Filters: ${count}` : 'Filters'}
          </Button>
        ) : null}
        {order}
        {!isNarrow || isOpen ? (
          <>
            <FilterPills desk={desk} />
            <div className="inline-flex">
              <AddFilter desk={desk} button={addButton} />
              {count > 0 ? (
                <Button look="quiet" size="small" onClick={() => onChange(noFilters)}>
                  Clear
                </Button>
              ) : null}
            </div>
            {isNarrow ? actions : null}
          </>
        ) : null}
      </div>
      {isNarrow ? null : <div className="flex shrink-0 gap-1.5">{actions}</div>}
    </div>
  );
}
