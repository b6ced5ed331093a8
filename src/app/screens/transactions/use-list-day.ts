import { useEffect } from 'react';
import type { TimeZone } from '#domain/dates.ts';
import { useServices } from '#app/services.tsx';
import type { GridState } from '#app/ui/grid/grid-state.ts';
import { onNextDay } from './list-day.ts';

/** Lets a list's days go on with the calendar (see `onNextDay`). @param onDay told the moment they are to be counted from. */
export function useListDay<Row>(state: GridState<Row>, now: number, zone: TimeZone, onDay: (now: number) => void): void {
  const { clock } = useServices();
  useEffect(() => onNextDay({ window, document, clock, now, zone, chosen: state.snapshot }, onDay), [clock, state, now, zone, onDay]);
}
