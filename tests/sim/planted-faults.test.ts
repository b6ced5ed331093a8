import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantedFaults } from './planted-faults.ts';

const root = join(import.meta.dirname, '..', '..');

test('[SM15] each fault that is planted has one place in the sources, and is one', () => {
  const places = plantedFaults.map(({ name, file, find }) => ({
    name,
    places: readFileSync(join(root, file), 'utf8').split(find).length - 1,
  }));
  expect(places.filter((fault) => fault.places !== 1)).toEqual([]);
  expect(plantedFaults.filter(({ find, put }) => find === put)).toEqual([]);
});
