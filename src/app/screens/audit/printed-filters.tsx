import { type AuditPerson, auditActions, auditedNouns } from '#contract/audit.ts';
import { actionWord, type AuditNames, nounWord } from '#domain/audit-words.ts';
import { writtenDay } from '#domain/dates.ts';
import { PrintedWords } from '#app/ui/print/printed-words.tsx';
import type { AuditSearch } from './audit-search.ts';

/** What the trail is narrowed to, on paper. */
export function PrintedFilters({ search, people, names }: { search: AuditSearch; people: readonly AuditPerson[]; names: AuditNames }) {
  const { who, noun, action, client, entity, row, from, to } = search;
  const { zone, nameOf } = names;
  const named = (id: string | undefined): string | undefined => id && (nameOf(id) ?? id);
  const kind = auditedNouns.find((known) => known === noun);
  const deed = auditActions.find((known) => known === action);
  const days = [from && `from ${writtenDay(from)}`, to && `to ${writtenDay(to)} inclusive`].filter(Boolean).join(' ');
  return (
    <PrintedWords
      words={[
        ['Who', who && (people.find(({ id }) => id === who)?.email ?? who)],
        ['Kind', kind && nounWord(kind)],
        ['Action', deed && actionWord(deed)],
        ['Dates', days && `${days} (${zone})`],
        ['Client', named(client)],
        ['Entity', named(entity)],
        ['Row', named(row)],
      ]}
    />
  );
}
