import type { KeyboardEvent } from 'react';
import { expect, test } from 'vitest';
import { type CommandParts, onGridKey } from '#app/ui/grid/grid-commands.ts';

test('[GR54] a key that decides something decides one thing, however long it is held', () => {
  let decided = 0;
  const parts = { actions: [{ key: 't', label: 'Mark transfer', run: () => (decided += 1) }] } as unknown as CommandParts<never>;
  const press = (repeat: boolean): boolean =>
    onGridKey({ key: 't', code: 'KeyT', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat } as KeyboardEvent, parts);
  expect([press(false), press(true), press(true)]).toEqual([true, true, true]);
  expect(decided).toBe(1);
});
