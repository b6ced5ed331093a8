import {
  Combobox,
  ComboboxInput,
  ComboboxOption,
  ComboboxOptions,
  Dialog,
  DialogBackdrop,
  DialogPanel,
  DialogTitle,
} from '@headlessui/react';
import { type KeyboardEvent, useId, useState } from 'react';
import { appKeys, paletteKeys } from '#app/app-keys.ts';
import { useServices } from '#app/services.tsx';
import { shortcutOf } from '#app/ui/chords.ts';
import { IconButton } from '#app/ui/button.tsx';
import { CloseIcon, SearchIcon } from '#app/ui/icons.tsx';
import { KeyCaps } from '#app/ui/key-caps.tsx';
import { useInertPage } from '#app/ui/use-inert-page.ts';
import type { Finds } from './finds.ts';
import type { Entry } from './search.ts';

function Option({ entry }: { entry: Entry }) {
  const { isMac } = useServices();
  return (
    <ComboboxOption
      value={entry}
      className="flex min-h-8 flex-wrap items-center gap-x-3 rounded-sm px-2 py-1 text-grid data-focus:bg-selected sm:flex-nowrap"
    >
      <bdi className="max-w-full min-w-0 truncate sm:max-w-[60%] sm:shrink-0">{entry.name}</bdi>
      {entry.isInactive ? <span className="shrink-0 text-muted">Inactive</span> : null}
      {entry.place ? <bdi className="min-w-0 truncate text-small text-muted max-sm:basis-full sm:ml-auto">{entry.place}</bdi> : null}
      {entry.keys?.map((chord) => (
        <span key={chord} className="ml-auto">
          <KeyCaps chord={chord} isMac={isMac} />
        </span>
      ))}
    </ComboboxOption>
  );
}

function FindList({ finds }: { finds: Finds }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className="px-2 pt-2 pb-1 text-mini font-semibold text-muted">
        {finds.title}
      </p>
      {finds.entries.map((entry) => (
        <Option key={entry.key} entry={entry} />
      ))}
      {finds.more > 0 ? (
        <p className="px-2 py-1 text-small text-muted">{finds.more.toLocaleString('en-US')} more: type on to narrow them</p>
      ) : null}
    </div>
  );
}

interface PaletteProps {
  title: string;
  /** What can be typed. */
  hint: string;
  findsOf: (text: string) => readonly Finds[];
  /** The copy on this device is still being read. */
  isReading: boolean;
  onChoose: (entry: Entry) => void;
  onClose: () => void;
}

/** One input that finds everything, by keys alone. */
export function Palette({ title, hint, findsOf, isReading, onChoose, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  useInertPage();
  const finds = findsOf(text);
  const count = finds.reduce((sum, { entries, more }) => sum + entries.length + more, 0);
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    // the combobox keeps the first Escape to itself, though its list never closes; the key that opened this closes it, too
    const isLeaving = shortcutOf(paletteKeys, event) === 'leave' || shortcutOf(appKeys, event) === 'palette';
    if (!isLeaving || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <Dialog open onClose={onClose} className="relative z-40">
      <DialogBackdrop className="fixed inset-0 bg-[#0d182a]/45" />
      <div className="fixed inset-0 flex items-start justify-center sm:p-4 sm:pt-[12vh]">
        <DialogPanel
          onKeyDownCapture={onKeyDownCapture}
          className="flex max-h-full w-full flex-col bg-raised shadow-pop sm:max-w-[620px] sm:rounded"
        >
          <DialogTitle className="sr-only">{title}</DialogTitle>
          <Combobox<Entry> immediate onChange={(entry) => entry && onChoose(entry)} by={(a, b) => a?.key === b?.key}>
            <div className="flex items-center gap-2 border-b border-line px-4 text-muted">
              <SearchIcon />
              <ComboboxInput
                autoFocus
                aria-label={title}
                placeholder={hint}
                autoComplete="off"
                spellCheck={false}
                maxLength={200}
                value={text}
                onChange={(event) => setText(event.target.value)}
                className="h-12 w-full bg-transparent text-base text-ink outline-none focus-visible:shadow-none"
              />
              <IconButton label="Close" onClick={onClose} className="-mr-2 size-9 sm:hidden">
                <CloseIcon />
              </IconButton>
            </div>
            <ComboboxOptions
              static
              modal={false}
              className="max-h-[min(60vh,460px)] min-h-0 overflow-y-auto overscroll-contain p-2 max-sm:max-h-none"
            >
              {finds.map((part) => (
                <FindList key={part.title} finds={part} />
              ))}
            </ComboboxOptions>
            {finds.length === 0 ? (
              <p className="px-4 pb-4 text-grid text-muted">{isReading ? 'Looking' : 'Nothing here is called that'}</p>
            ) : null}
            <p role="status" className="sr-only">
              {text.trim() === '' ? '' : `${count.toLocaleString('en-US')} found`}
            </p>
          </Combobox>
        </DialogPanel>
      </div>
    </Dialog>
  );
}
