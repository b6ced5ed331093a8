import { expect, test } from 'vitest';
import { onWakeUp } from '#app/wake-ups.ts';

/** A page that can be hidden and shown again, and how often it woke up. */
function aPage() {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  let [now, woken] = [1_000, 0];
  const end = onWakeUp({ window, document, clock: () => now }, () => {
    woken += 1;
  });
  const turn = (visibilityState: string): void => {
    document.visibilityState = visibilityState;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  return {
    window,
    end,
    woken: () => woken,
    /** Out of sight for so long. */
    away: (ms: number) => {
      turn('hidden');
      now += ms;
      turn('visible');
    },
  };
}

test('[SY34] what is shown is made sure of when the network is back, after a while out of sight, and where the browser had put the page by', () => {
  const { window, end, woken, away } = aPage();
  away(59_000);
  expect(woken()).toBe(0);
  away(60_000);
  away(3 * 86_400_000);
  expect(woken()).toBe(2);
  window.dispatchEvent(new Event('online'));
  expect(woken()).toBe(3);
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(woken()).toBe(4);
  end();
  away(60_000);
  window.dispatchEvent(new Event('online'));
  expect(woken()).toBe(4);
});
