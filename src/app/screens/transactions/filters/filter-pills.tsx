import { notFound } from '#domain/hash-list.ts';
import { fieldOf, type FieldKey, filterFields, quickKeys } from '#app/screens/transactions/filter-fields.ts';
import { daysOf, filterAt } from '#app/screens/transactions/transaction-search.ts';
import { useGridAnswer } from '#app/screens/transactions/use-grid-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { Pill } from '#app/ui/pill.tsx';
import { Editor } from './editor.tsx';
import type { FilterDesk } from './filter-desk.ts';
import { daysLabel, filterWords, isUsualMonth } from './filter-words.ts';
import { leavePill } from './pill-focus.ts';

function DatesPill({ desk }: { desk: FilterDesk }) {
  const { search, now, zone, onChange } = desk;
  const days = daysOf(search, now, zone);
  const back = (): void => onChange({ dates: undefined, from: undefined, to: undefined });
  return (
    <Pill
      label="Dates"
      value={daysLabel(days)}
      isQuiet={days.from === undefined && days.to === undefined}
      onRemove={isUsualMonth(days, now, zone) ? null : back}
      removeLabel="Back to the previous month"
    >
      {(close) => <Editor of="dates" desk={desk} close={close} />}
    </Pill>
  );
}

/** A field that is filtered, or one of those that are always there. */
function FieldPill({ desk, of }: { desk: FilterDesk; of: FieldKey }) {
  const { search, names, onChange } = desk;
  const { numbers } = usePreferences();
  const filter = filterAt(search, of);
  const words = filter ? filterWords(filter, names, numbers) : { label: fieldOf(of).label, operator: '', value: null };
  const remove = (): void => {
    if (!quickKeys.some((key) => key === of)) leavePill();
    onChange({ [of]: undefined });
  };
  return (
    <Pill {...words} onRemove={filter ? remove : null}>
      {(close) => <Editor of={of} desk={desk} close={close} />}
    </Pill>
  );
}

/** How many of the pasted hashes have a row, once the worker has said so. */
function HashesPill({ desk }: { desk: FilterDesk }) {
  const { search, hashes, source, onChange } = desk;
  const { result, isStale } = useGridAnswer(source);
  if (search.hashes === undefined) return null;
  const all = hashes.length.toLocaleString('en-US');
  const found = result && !isStale ? (hashes.length - notFound(hashes, result.missing).length).toLocaleString('en-US') : null;
  const remove = (): void => {
    leavePill();
    onChange({ hashes: undefined });
  };
  return (
    <Pill label="Hashes or ids" value={found === null ? all : `${found} of ${all} found`} onRemove={remove}>
      {(close) => <Editor of="hashes" desk={desk} close={close} />}
    </Pill>
  );
}

/** What the list is narrowed to: the dates, the fields one needs most, and every other one that is filtered. */
export function FilterPills({ desk }: { desk: FilterDesk }) {
  const others = filterFields.filter(({ key }) => desk.search[key] !== undefined && !quickKeys.some((quick) => quick === key));
  return (
    <>
      <DatesPill desk={desk} />
      {[...quickKeys, ...others.map(({ key }) => key)].map((key) => (
        <FieldPill key={key} desk={desk} of={key} />
      ))}
      <HashesPill desk={desk} />
    </>
  );
}
