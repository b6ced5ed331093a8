import type { ReactNode } from 'react';
import { formatDay } from '#domain/dates.ts';
import { useStatus } from '#app/engine-status.tsx';
import { rowsHere } from '#app/shell/sync-words.ts';
import { usePreferences } from '#app/use-preferences.ts';
import type { Scope } from './scope.ts';

function Bar({ children }: { children: ReactNode }) {
  return <p className="figures shrink-0 border-b border-line bg-subtle px-4 py-1 text-small text-soft print:px-0">{children}</p>;
}

const leftOutWords = (entities: number): string =>
  entities === 1 ? 'One entity is not kept on this device' : `${entities} entities are not kept on this device`;

/** How far back this device holds what is shown, while older rows are still coming. */
export function FirstPull({ scope }: { scope: Scope }) {
  const { entities } = useStatus();
  const { zone } = usePreferences();
  const shown = new Set(scope.entities.map(({ id }) => id));
  const coming = entities.filter(({ entity_id, phase }) => shown.has(entity_id) && phase === 'bootstrap');
  const leftOut = entities.filter(({ entity_id, phase }) => shown.has(entity_id) && phase === 'left_out').length;
  if (coming.length === 0 && (leftOut === 0 || leftOut === shown.size)) return null;
  if (coming.length === 0) return <Bar>{leftOutWords(leftOut)}. Totals count what is here.</Bar>;
  // the list is complete from where the last of them is
  const from = coming.some((one) => one.complete_from === null) ? null : Math.max(...coming.map((one) => one.complete_from ?? 0));
  return (
    <Bar>
      Fetching older transactions{scope.spansEntities ? ` of ${coming.length} ${coming.length === 1 ? 'entity' : 'entities'}` : ''}:{' '}
      {rowsHere(entities.filter(({ entity_id }) => shown.has(entity_id)))} are here
      {from === null ? '' : `, complete to ${formatDay(from, zone)}`}. {leftOut === 0 ? '' : `${leftOutWords(leftOut)}. `}Totals count what
      is here.
    </Bar>
  );
}
