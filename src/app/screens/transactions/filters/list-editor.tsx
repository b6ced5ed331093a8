import { useState, useSyncExternalStore } from 'react';
import type { FieldOf } from '#app/screens/transactions/filter-fields.ts';
import { filterAt, filterChange } from '#app/screens/transactions/transaction-search.ts';
import { ChoiceList } from '#app/ui/choice-list.tsx';
import { Segments } from '#app/ui/segments.tsx';
import { choicesOf, isNamed } from './choices.ts';
import { EditorFrame } from './editor-frame.tsx';
import type { FilterDesk } from './filter-desk.ts';
import { useFacets } from './use-facets.ts';

const senses = [
  { value: 'is', label: 'is' },
  { value: 'not', label: 'is not' },
] as const;

/** Picks values of a list field. Every tick applies at once; Escape goes back to what was picked when it opened. */
export function ListEditor({ desk, known, close }: { desk: FilterDesk; known: FieldOf<'list'>; close: () => void }) {
  const { search, names, source, onChange } = desk;
  const revision = useSyncExternalStore(source.subscribe, source.revision);
  const [initial] = useState(search[known.key]);
  const filter = filterAt(search, known.key);
  const selected = filter?.kind === 'list' ? filter.values : [];
  const [isNot, setIsNot] = useState(filter?.kind === 'list' && filter.not === true);
  const counts = useFacets(source.id, known.field, revision);
  const pick = (values: readonly string[], not: boolean): void =>
    onChange(filterChange({ kind: 'list', field: known.field, values, ...(not ? { not } : {}) }));
  return (
    <EditorFrame
      label={known.label}
      onEscape={() => onChange({ [known.key]: initial })}
      head={
        <Segments
          label={`${known.label}: is or is not`}
          options={senses}
          value={isNot ? 'not' : 'is'}
          onChange={(sense) => {
            setIsNot(sense === 'not');
            if (selected.length > 0) pick(selected, sense === 'not');
          }}
        />
      }
    >
      <ChoiceList
        label={known.label}
        choices={choicesOf(known.field, names, counts, selected)}
        isReading={!names.areRead && isNamed(known.field)}
        selected={selected}
        onChange={(values) => pick(values, isNot)}
        onDone={close}
        aside="archived"
      />
    </EditorFrame>
  );
}
