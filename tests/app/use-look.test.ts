import { expect, test } from 'vitest';
import { beginLook } from '#app/use-look.ts';

test('[LS11] whoever leaves a screen no longer looks at its clients, though the worker does not answer', () => {
  const told: (readonly string[])[] = [];
  const engine = {
    look: (clientIds: readonly string[]) => {
      told.push(clientIds);
      return Promise.reject(new Error('It was closed'));
    },
  };
  const end = beginLook(engine, ['acme']);
  end();
  expect(told).toEqual([['acme'], []]);
});
