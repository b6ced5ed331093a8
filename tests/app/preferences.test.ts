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

test('[PL34] times show in the zone of the organization until a person chooses one, and a theme chosen chooses no zone', () => {
  const local = aStorage();
  const preferences = openPreferences(local, aBody().body, () => undefined);
  expect(preferences.snapshot().zone).toBe('UTC');
  preferences.setUsualZone('JST');
  preferences.set({ theme: 'dark' });
  expect([preferences.snapshot().zone, local.getItem('time_zone')]).toEqual(['JST', null]);
  preferences.setUsualZone('CET');
  expect(preferences.snapshot().zone).toBe('CET');
  preferences.set({ zone: 'EST' });
  preferences.setUsualZone('JST');
  expect([preferences.snapshot().zone, local.getItem('time_zone')]).toEqual(['EST', 'EST']);
  preferences.setUsualZone(null);
  expect(openPreferences(local, aBody().body, () => undefined).snapshot().zone).toBe('EST');
});

test('[SH11] whether the menu is folded and the drawer is out is kept', () => {
  const local = aStorage();
  const preferences = openPreferences(local, aBody().body, () => undefined);
  expect(preferences.snapshot()).toMatchObject({ isMenuCollapsed: false, isDrawerOpen: false });
  preferences.set({ isMenuCollapsed: true });
  preferences.set({ isDrawerOpen: true });
  expect(openPreferences(local, aBody().body, () => undefined).snapshot()).toMatchObject({ isMenuCollapsed: true, isDrawerOpen: true });
});
