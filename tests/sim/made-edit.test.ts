import { expect, test } from 'vitest';
import { aMadeEdit, type MadeEdit, unsaidIn } from './made-edit.ts';
import type { SimDevice } from './sim-device.ts';

const device = { name: 'A' } as SimDevice;
const row = { id: 'x', entity_name: 'Fund', city: 'Bern', zip_code: '3000', version: 3 };

/** A change of an entity, by what its person said in its form. */
function changeSaying(...words: readonly object[]): MadeEdit {
  const made = aMadeEdit('e', 'updateEntity', { ...row } as never, { device, now: 0 });
  return Object.assign(made, { words });
}

test('[SM35] what an edit writes that nobody said is told by its fields; what a person said, be it in another of their forms, is not', () => {
  const before = { ...row, zip_code: '1200' };
  const after = { ...row, city: 'Basel', version: 5 };
  const city = changeSaying({ city: 'Basel' });
  expect(unsaidIn(city, [], { before, after })).toEqual(['zip_code']);
  expect(unsaidIn(city, [changeSaying({ zip_code: '3000' })], { before, after })).toEqual([]);
  expect(unsaidIn(city, [], { before: row, after })).toEqual([]);
  // once they chose what of it holds it is not known what that was
  expect(unsaidIn({ ...city, words: null }, [], { before, after })).toEqual([]);
});
