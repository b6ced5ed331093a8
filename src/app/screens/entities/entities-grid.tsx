import { useMemo } from 'react';
import { formatUsd } from '#domain/amounts.ts';
import { countWords } from '#domain/count-words.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { keptKeys } from '#app/kept-keys.ts';
import { ListGrid, ListSign } from '#app/list-grid.tsx';
import type { ShownRow } from '#app/use-edit-way.ts';
import type { TableOrder } from '#app/ui/table/table-column.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { entityColumns, EntityName } from './entity-columns.tsx';
import type { EntityField } from './entity-search.ts';
import type { EntityRow } from './use-entities.ts';

/** Pixels. */
const cardHeight = 76;

function edited({ entity: { id, pending } }: EntityRow): ShownRow {
  return { noun: 'entities', id, pending };
}

function cardWords({ entity, clientName, pendingMatches }: EntityRow, hasClients: boolean, numbers: NumberStyle): string {
  return [
    ...(hasClients ? [clientName] : []),
    countWords(entity.active_accounts, 'account'),
    ...(entity.inactive_accounts > 0 ? [`${entity.inactive_accounts} inactive`] : []),
    ...(entity.portfolio_value ? [`AUM ${formatUsd(entity.portfolio_value, numbers)}`] : []),
    ...(entity.unreconciled_accounts ? [`${entity.unreconciled_accounts.toLocaleString('en-US')} unreconciled`] : []),
    ...(pendingMatches > 0 ? [countWords(pendingMatches, 'pending match', 'pending matches')] : []),
  ].join(' · ');
}

interface EntitiesGridProps extends TableOrder<EntityField> {
  /** By name, which is their usual order. */
  rows: readonly EntityRow[];
  /** Which entities they are. */
  listKey: string;
  /** More than one client, so that it is worth saying whose an entity is. */
  hasClients: boolean;
}

/** The entities; on a narrow screen each is a card with the same words. */
export function EntitiesGrid({ rows, hasClients, ...list }: EntitiesGridProps) {
  const { zone, numbers } = usePreferences();
  const columns = useMemo(() => entityColumns({ zone, numbers, hasClients }), [zone, numbers, hasClients]);
  const card = useMemo(
    () => ({
      height: cardHeight,
      draw: (row: EntityRow) => (
        <>
          <div className="flex items-center gap-2">
            <EntityName row={row} />
            <ListSign row={edited(row)} />
          </div>
          <p className="figures line-clamp-2 text-small text-muted">{cardWords(row, hasClients, numbers)}</p>
        </>
      ),
    }),
    [numbers, hasClients],
  );
  return (
    <ListGrid<EntityRow, EntityField>
      label="Entities"
      rows={rows}
      keyOf={({ entity }) => entity.id}
      {...{ columns, card, edited, ...list }}
      columnsKey={keptKeys.entityListColumns.key}
      bar={<p className="text-small text-muted">{countWords(rows.length, 'entity', 'entities')}</p>}
    />
  );
}
