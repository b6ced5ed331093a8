import { expect, test } from 'vitest';
import { openPreferences } from '#app/preferences.ts';
import { aStorage } from '#tests/support/storage.ts';

/** A body that only has classes. */
function aBody() {
  const classes = new Set<string>();
  const toggle = (name: string, isOn?: boolean) => (isOn ? classes.add(name) : classes.delete(name));
  return { classes, body: { classList: { toggle } } as unknown as HTMLElement };
}

test('[SE25] the theme is kept in local storage and is a class of the body, in other tabs too', () => {
  const local = aStorage();
  const [mine, later, other] = [aBody(), aBody(), aBody()];
  let heard: (key: string | null) => void = () => undefined;
  openPreferences(local, other.body, (listener) => (heard = listener));
  const preferences = openPreferences(local, mine.body, () => undefined);
  expect([...mine.classes]).toEqual(['light']);
  preferences.set({ theme: 'dark' });
  expect(local.getItem('theme')).toBe('dark');
  expect([...mine.classes]).toEqual(['dark']);
  heard('theme');
  expect([...other.classes]).toEqual(['dark']);
  openPreferences(local, later.body, () => undefined);
  expect([...later.classes]).toEqual(['dark']);
});

test('[PF4] numbers, zone and price source are kept, other tabs follow, and what means nothing counts as usual', () => {
  const local = aStorage();
  const { body } = aBody();
  let heard: (key: string | null) => void = () => undefined;
  const other = openPreferences(local, body, (listener) => (heard = listener));
  const usual = other.snapshot();
  expect(usual).toMatchObject({
    zone: 'UTC',
    density: 'compact',
    numbers: { negatives: 'parentheses', grouping: 'comma', decimals: 'usual' },
    priceSource: { id: '1', name: 'Digital Asset Research' },
  });
  const mine = openPreferences(local, body, () => undefined);
  mine.set({ numbers: { ...usual.numbers, negatives: 'minus' }, priceSource: { id: '7', name: 'Own prices' } });
  // what was not changed is not written: another tab may have changed it
  expect(local.length).toBe(3);
  heard('palette_recents u1');
  expect(other.snapshot()).toBe(usual);
  heard('number_negatives');
  expect(other.snapshot()).toMatchObject({ numbers: { negatives: 'minus' }, priceSource: { id: '7', name: 'Own prices' } });
  for (const key of ['number_negatives', 'number_grouping', 'number_decimals', 'time_zone', 'row_density'])
    local.setItem(key, 'constructor');
  local.setItem('price_source_name', '');
  expect(openPreferences(local, body, () => undefined).snapshot()).toEqual(usual);
});
