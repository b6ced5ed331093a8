import { formatUsd } from '#domain/amounts.ts';
import { countWords } from '#domain/count-words.ts';
import { formatDay, type TimeZone } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import type { ShownClient } from '#replica/places.ts';
import { ActionButtons, type ListAction } from '#app/list-actions.tsx';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { ClientName } from './client-columns.tsx';
import type { ClientRow } from './use-clients.ts';

/** Pixels. */
export const cardHeight = 116;

/** The sign of a client's edit, in a cell of the list. */
export function ClientSign({ client, zone }: { client: ShownClient; zone: TimeZone }) {
  return client.pending ? <EditSign mark={client.pending} zone={zone} row={{ noun: 'clients', id: client.id }} isInCell /> : null;
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
        <ClientSign client={row.client} zone={zone} />
      </div>
      <p className="figures line-clamp-2 text-small text-muted">{words.join(' · ')}</p>
      <ActionButtons actions={actions} row={row} />
    </>
  );
}
