import { expect, test } from 'vitest';
import { onNextDay } from '#app/screens/transactions/list-day.ts';
import { createGridState } from '#app/ui/grid/grid-state.ts';
import { createArraySource } from '#app/ui/grid/use-array-source.ts';

const atFive = Date.parse('2026-03-31T21:00:00Z');
const hour = 3_600_000;

/** A list made at five in New York that somebody looks away from for some hours. @returns the moments it was moved on to. */
function afterHours(hours: number, choose: (state: ReturnType<typeof aState>) => void = () => undefined) {
  const state = aState();
  choose(state);
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const turn = (visibilityState: string): void => {
    document.visibilityState = visibilityState;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const moments: number[] = [];
  let at = atFive;
  const page = { window: new EventTarget(), document, clock: () => at };
  const end = onNextDay({ ...page, now: atFive, zone: 'EDT', chosen: state.snapshot }, (now) => moments.push(now));
  const look = (): void => {
    turn('hidden');
    at += hours * hour;
    turn('visible');
  };
  look();
  end();
  look();
  return moments;
}

function aState() {
  const source = createArraySource<{ id: string }>((row) => row.id);
  source.show(Array.from({ length: 9 }, (_, index) => ({ id: `r${index}` })));
  return createGridState({ source, onTooMany: () => undefined, pause: async () => undefined });
}

test('[TF32] days that are counted from today go on once somebody looks at the list again on another day of the zone', () => {
  // midnight in UTC is none there
  expect(afterHours(4)).toEqual([]);
  expect(afterHours(8)).toEqual([atFive + 8 * hour]);
});

test('[TF32] not while something of the list is chosen or open', () => {
  expect(afterHours(8, (state) => state.toggle(3))).toEqual([]);
  expect(afterHours(8, (state) => state.selectAll())).toEqual([]);
  expect(afterHours(8, (state) => state.startSelecting())).toEqual([]);
  expect(afterHours(8, (state) => state.drawTo({ row: 2, column: 1 }))).toEqual([]);
  expect(afterHours(8, (state) => state.open())).toEqual([]);
  expect(afterHours(8, (state) => state.move({ row: 4 }))).toHaveLength(1);
});
