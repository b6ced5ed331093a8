import { formatUsd } from '#domain/amounts.ts';
import { countWords } from '#domain/count-words.ts';
import { formatDay, type TimeZone } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { ActionButtons, type ListAction } from '#app/list-actions.tsx';
import { ListSign } from '#app/list-grid.tsx';
import type { ShownRow } from '#app/use-edit-way.ts';
import { ClientName } from './client-columns.tsx';
import type { ClientRow } from './use-clients.ts';

/** Pixels. */
export const cardHeight = 116;

/** How the edits of a client stand. */
export function editedClient({ client: { id, pending } }: ClientRow): ShownRow {
  return { noun: 'clients', id, pending };
}

interface ClientCardProps {
  row: ClientRow;
  hasOrganizations: boolean;
  actions: readonly ListAction<ClientRow>[];
  zone: TimeZone;
  numbers: NumberStyle;
}

/** A client on a narrow screen: the same words in two lines, and its buttons below. */
export function ClientCard({ row, hasOrganizations, actions, zone, numbers }: ClientCardProps) {
  const { organizationName, entities, figures } = row;
  const words = [
    ...(hasOrganizations ? [organizationName] : []),
    countWords(entities.length, 'entity', 'entities'),
    countWords(figures.accounts, 'account'),
    ...(figures.aumUsd === null ? [] : [`AUM ${formatUsd(figures.aumUsd, numbers)}`]),
    ...(figures.unreconciled ? [`${figures.unreconciled.toLocaleString('en-US')} unreconciled`] : []),
    ...(figures.lastUpdate === null ? [] : [`updated ${formatDay(Date.parse(figures.lastUpdate), zone)}`]),
  ];
  return (
    <>
      <div className="flex items-center gap-2">
        <ClientName row={row} />
        <ListSign row={editedClient(row)} />
      </div>
      <p className="figures line-clamp-2 text-small text-muted">{words.join(' · ')}</p>
      <ActionButtons actions={actions} row={row} />
    </>
  );
}
