import { dayIn, type TimeZone } from '#domain/dates.ts';
import { onWakeUp, type WakeUpPorts } from '#app/wake-ups.ts';
import type { GridSnapshot } from '#app/ui/grid/grid-state.ts';

interface ListDayPorts extends WakeUpPorts {
  /** The moment the list's days are counted from, UTC milliseconds. */
  now: number;
  zone: TimeZone;
  /** What of the list is chosen: it would be lost with another list. */
  chosen: () => Pick<GridSnapshot<unknown>, 'selection' | 'isSelecting' | 'range' | 'isOpen'>;
}

/**
 * Calls back with the moment it is, once somebody looks at a list again on another day than it was made for. While rows of it are
 * selected, drawn over or open the list stays as it is. @returns how to have it end.
 */
export function onNextDay({ now, zone, chosen, ...page }: ListDayPorts, moveOn: (now: number) => void): () => void {
  return onWakeUp(page, () => {
    const { selection, isSelecting, range, isOpen } = chosen();
    const isFree = selection.kind === 'none' && !isSelecting && range === null && !isOpen;
    const moment = page.clock();
    if (isFree && dayIn(moment, zone) !== dayIn(now, zone)) moveOn(moment);
  });
}
