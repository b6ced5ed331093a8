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
