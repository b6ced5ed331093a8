import { useMemo } from 'react';
import { countWords } from '#domain/count-words.ts';
import type { ShownClient } from '#replica/places.ts';
import { actionChoices, actionColumns, type ListAction } from '#app/list-actions.tsx';
import { ListGrid } from '#app/list-grid.tsx';
import { keptKeys } from '#app/kept-keys.ts';
import type { TableOrder } from '#app/ui/table/table-column.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { cardHeight, ClientCard, editedClient } from './client-card.tsx';
import { clientColumns } from './client-columns.tsx';
import type { ClientField } from './client-search.ts';
import type { ClientRow } from './use-clients.ts';

/** What may be done with a client; null where the user may not. */
export interface ClientActions {
  onArchived: (client: ShownClient) => void;
  onUpdate: ((client: ShownClient) => void) | null;
  onDelete: ((client: ShownClient) => void) | null;
  /** Asks who sees a client. */
  onPeople: ((client: ShownClient) => void) | null;
}

function actionsOf({ onArchived, onUpdate, onDelete, onPeople }: ClientActions): ListAction<ClientRow>[] {
  const action = (key: string, label: string, words: string, width: number, run: ((client: ShownClient) => void) | null) =>
    run === null
      ? []
      : [
          {
            key,
            label,
            width,
            words: ({ client }: ClientRow) => `${words} ${client.client_name}`,
            run: (row: ClientRow) => run(row.client),
          },
        ];
  return [
    ...action('people', 'People', 'People who see', 66, onPeople),
    ...action('archived', 'Archived Assets', 'Archived Assets of', 134, onArchived),
    ...action('update', 'Update', 'Update', 68, onUpdate),
    ...action('delete', 'Delete', 'Delete', 68, onDelete).map((one) => ({ ...one, isFor: ({ client }: ClientRow) => client.version > 0 })),
  ];
}

interface ClientsGridProps extends TableOrder<ClientField> {
  /** By name, which is their usual order. */
  rows: readonly ClientRow[];
  /** Which clients they are. */
  listKey: string;
  hasOrganizations: boolean;
  /** The same object while nothing of it changes. */
  actions: ClientActions;
}

/** The clients with what lies in them; on a narrow screen each is a card with the same words. */
export function ClientsGrid({ rows, hasOrganizations, actions: can, ...list }: ClientsGridProps) {
  const { zone, numbers } = usePreferences();
  const actions = useMemo(() => actionsOf(can), [can]);
  const columns = useMemo(
    () => [...clientColumns({ zone, numbers, hasOrganizations }), ...actionColumns(actions)],
    [zone, numbers, hasOrganizations, actions],
  );
  const card = useMemo(
    () => ({
      height: cardHeight,
      draw: (row: ClientRow) => <ClientCard {...{ row, hasOrganizations, actions, zone, numbers }} />,
    }),
    [hasOrganizations, actions, zone, numbers],
  );
  return (
    <ListGrid<ClientRow, ClientField>
      label="Clients"
      rows={rows}
      keyOf={({ client }) => client.id}
      {...{ columns, card, ...list }}
      edited={editedClient}
      columnsKey={keptKeys.clientListColumns.key}
      bar={<p className="text-small text-muted">{countWords(rows.length, 'client')}</p>}
      rowActions={(row) => actionChoices(actions, row)}
    />
  );
}
