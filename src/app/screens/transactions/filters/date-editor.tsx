import { useState } from 'react';
import { type DaySpan, daysExpected, daysText, readDays } from '#domain/date-text.ts';
import { type DatePreset, datePresets, presetNames, typedPreset } from '#app/screens/transactions/date-presets.ts';
import { daysChange, daysOf, presetChange, presetOf, type SearchChange } from '#app/screens/transactions/transaction-search.ts';
import { useServices } from '#app/services.tsx';
import { DayInput } from '#app/ui/day-input.tsx';
import { DraftInput } from '#app/ui/draft-input.tsx';
import { EditorFrame } from './editor-frame.tsx';
import type { FilterDesk } from './filter-desk.ts';
import { daysMeaning } from './filter-words.ts';

/** Days by typing them, by a usual span, or by their two ends. */
export function DateEditor({ desk, close }: { desk: FilterDesk; close: () => void }) {
  const { search, now, zone, onChange, onPrepare } = desk;
  const { notices } = useServices();
  const days = daysOf(search, now, zone);
  const [initial] = useState<SearchChange>({ dates: search.dates, from: search.from, to: search.to });
  const [text, setText] = useState('');
  const applyChange = (next: SearchChange): void => {
    if (next.dates !== search.dates || next.from !== search.from || next.to !== search.to) onChange(next);
  };
  const apply = (next: DaySpan): void => applyChange(daysChange(next));
  /** What typed text says: a span in its own words moves on with the calendar, anything else is the days it means today. */
  const changeOf = (typed: string): SearchChange | null => {
    const preset: DatePreset | undefined = typedPreset(typed);
    if (preset) return presetChange(preset);
    const found = readDays(typed, now, zone);
    return found.ok ? daysChange(found.days) : null;
  };
  const set = (change: DaySpan): void => {
    const next = { from: days.from, to: days.to, ...change };
    const [from, to] = [next.from || undefined, next.to || undefined];
    // a first day after the last one moves the other end along
    if (from && to && from > to) apply('from' in change ? { from, to: from } : { from: to, to });
    else apply({ ...(from ? { from } : {}), ...(to ? { to } : {}) });
  };
  const reading = readDays(text, now, zone);
  const isEmpty = text.trim() === '';
  return (
    <EditorFrame label="Dates" onEscape={() => applyChange(initial)} head={<span className="text-small text-muted">{zone}</span>}>
      <div className="flex flex-col gap-2 px-3 pb-3">
        <DraftInput
          label="Dates: days, months or words"
          placeholder={daysText(days) === 'all' ? 'after 01/15/2025' : daysText(days)}
          longest={80}
          text={text}
          onText={(typed) => {
            setText(typed);
            const next = changeOf(typed);
            if (next) onPrepare(next);
          }}
          fault={isEmpty || reading.ok ? null : reading.message}
          meaning={daysMeaning(reading.ok ? reading.days : days)}
          onApply={() => {
            const next = changeOf(text);
            if (next) applyChange(next);
          }}
          onRestore={() => applyChange(initial)}
          onDone={close}
          onLost={(lost) => notices.notice('info', `The dates “${lost}” were left out. ${daysExpected}`)}
        />
        <div role="group" aria-label="Usual spans" className="grid grid-cols-2 gap-1">
          {presetNames.map((preset) => {
            const isOn = presetOf(search) === preset;
            return (
              <button
                key={preset}
                type="button"
                aria-pressed={isOn}
                onClick={() => {
                  applyChange(presetChange(preset));
                  close();
                }}
                className={`h-7 rounded-sm px-2 text-left text-grid ${isOn ? 'bg-selected font-semibold text-ink' : 'text-soft hover:bg-hover hover:text-ink'}`}
              >
                {datePresets[preset]}
              </button>
            );
          })}
        </div>
        <div className="flex items-center justify-between gap-1.5 border-t border-line pt-2">
          <DayInput label={`First day (${zone})`} value={days.from ?? ''} onChange={(from) => set({ from })} />
          <span className="text-grid text-muted">to</span>
          <DayInput label={`Last day (${zone})`} value={days.to ?? ''} onChange={(to) => set({ to })} />
        </div>
      </div>
    </EditorFrame>
  );
}
