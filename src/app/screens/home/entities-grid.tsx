import { type ReactNode, useMemo, useState } from 'react';
import type { SortStep } from '#domain/sorting.ts';
import { keptKeys } from '#app/kept-keys.ts';
import { rowHeights } from '#app/preferences.ts';
import { useServices } from '#app/services.tsx';
import { Grid } from '#app/ui/grid/grid.tsx';
import type { GridColumn } from '#app/ui/grid/grid-column.ts';
import { createGridState } from '#app/ui/grid/grid-state.ts';
import { useArraySource } from '#app/ui/grid/use-array-source.ts';
import { useColumnLayout } from '#app/ui/grid/use-column-layout.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { pause } from '#app/pause.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { EntityCard } from './entity-card.tsx';
import { type HomeField, homeUsual } from './home-columns.tsx';
import type { HomeRow } from './use-home-rows.ts';

const columnsKey = keptKeys.homeColumns.key;
/** Pixels. */
const cardHeight = 112;

interface EntitiesGridProps {
  /** In the usual order, the most urgent first. */
  rows: readonly HomeRow[];
  /** Part of a name; empty shows every entity. */
  text: string;
  columns: readonly GridColumn<HomeRow, HomeField>[];
  sort: readonly SortStep<HomeField>[];
  onSort: (sort: SortStep<HomeField>[]) => void;
  empty: ReactNode;
}

/** Entities with what there is to do for each, and how its copy stands. */
export function EntitiesGrid({ rows, text, columns, sort, onSort, empty }: EntitiesGridProps) {
  const { local, notices } = useServices();
  const { zone, density, numbers } = usePreferences();
  const isNarrow = useIsNarrow();
  const source = useArraySource({ rows, columns, sort, text }, ({ entity }) => entity.id);
  const [state] = useState(() => createGridState({ source, onTooMany: () => undefined, pause }));
  const [layout, onLayout] = useColumnLayout(local, columnsKey, homeUsual);
  const card = useMemo(
    () => (isNarrow ? { height: cardHeight, draw: (row: HomeRow) => <EntityCard {...{ row, zone, numbers }} /> } : null),
    [isNarrow, zone, numbers],
  );
  return (
    <Grid<HomeRow, HomeField>
      key={isNarrow ? 'cards' : 'rows'}
      label="Entities"
      {...{ columns, layout, onLayout, source, state, sort, onSort, card, empty }}
      listKey={JSON.stringify([sort, text])}
      rowHeight={rowHeights[density]}
      say={notices.notice}
    />
  );
}
