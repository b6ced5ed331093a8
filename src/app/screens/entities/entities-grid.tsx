import { useCallback, useMemo } from 'react';
import { formatUsd } from '#domain/amounts.ts';
import { countWords } from '#domain/count-words.ts';
import type { TimeZone } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { keptKeys } from '#app/kept-keys.ts';
import { ListGrid, type ListOrder } from '#app/list-grid.tsx';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { entityColumns, EntityName } from './entity-columns.tsx';
import type { EntityField } from './entity-search.ts';
import type { EntityRow } from './use-entities.ts';

/** Pixels. */
const cardHeight = 76;

function EntitySign({ row: { entity }, zone }: { row: EntityRow; zone: TimeZone }) {
  return entity.pending ? <EditSign mark={entity.pending} zone={zone} row={{ noun: 'entities', id: entity.id }} isInCell /> : null;
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

interface EntitiesGridProps extends ListOrder<EntityField> {
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
            <EntitySign row={row} zone={zone} />
          </div>
          <p className="figures line-clamp-2 text-small text-muted">{cardWords(row, hasClients, numbers)}</p>
        </>
      ),
    }),
    [zone, numbers, hasClients],
  );
  const mark = useCallback((row: EntityRow) => <EntitySign row={row} zone={zone} />, [zone]);
  return (
    <ListGrid<EntityRow, EntityField>
      label="Entities"
      rows={rows}
      keyOf={({ entity }) => entity.id}
      {...{ columns, card, mark, ...list }}
      columnsKey={keptKeys.entityListColumns.key}
      bar={<p className="text-small text-muted">{countWords(rows.length, 'entity', 'entities')}</p>}
    />
  );
}
