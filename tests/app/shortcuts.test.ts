import type { KeyboardEvent } from 'react';
import { expect, test } from 'vitest';
import { shortcuts } from '#app/shortcuts.ts';
import { ariaKeys, chordOf, keyNames } from '#app/ui/chords.ts';
import { onGridKey } from '#app/ui/grid/grid-commands.ts';
import { gridKeys } from '#app/ui/grid/grid-keys.ts';
import { createGridState, type GridState } from '#app/ui/grid/grid-state.ts';
import { createArraySource } from '#app/ui/grid/use-array-source.ts';

const plain = { key: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

/** The stroke that a chord of the tables stands for. */
function strokeOf(chord: string) {
  const parts = chord.split(/\+(?=.)/);
  const name = parts.at(-1) ?? '';
  return {
    ...plain,
    key: name === 'Space' ? ' ' : name,
    ctrlKey: parts.includes('Mod'),
    altKey: parts.includes('Alt'),
    shiftKey: parts.includes('Shift'),
  };
}

test('[KB7] every shortcut is written as its stroke is read, says what it does, and means one thing in its place', () => {
  for (const { title, table } of shortcuts) {
    const chords = Object.values(table).flatMap(({ keys }) => keys);
    expect([title, chords.map((chord) => chordOf(strokeOf(chord)))]).toEqual([title, chords]);
    expect(Object.values(table).every(({ words, keys }) => words.length > 0 && keys.length > 0)).toBe(true);
  }
  const repeated = shortcuts.filter(({ table }) => {
    const chords = Object.values(table).flatMap(({ keys }) => keys);
    return new Set(chords).size !== chords.length;
  });
  expect(repeated.map(({ title }) => title)).toEqual([]);
});

test('[KB8] a sign is read however a keyboard writes it, and shortcuts are told as keyboards and screen readers name them', () => {
  expect([chordOf({ ...plain, key: '?', shiftKey: true }), chordOf({ ...plain, key: '?' })]).toEqual(['?', '?']);
  expect(chordOf({ ...plain, key: '/', shiftKey: true })).toBe('/');
  expect(chordOf({ ...plain, key: 'K', metaKey: true })).toBe('Mod+k');
  expect(chordOf({ ...plain, key: 'ƒ', code: 'KeyF', altKey: true })).toBe('Alt+f');
  expect(keyNames('Mod+k', false)).toEqual(['Ctrl', 'K']);
  expect(keyNames('Mod+k', true)).toEqual(['⌘', 'K']);
  expect(keyNames('Shift+ArrowDown', false)).toEqual(['Shift', '↓']);
  expect(ariaKeys({ keys: ['Mod+k', '?'], words: '' })).toBe('Control+k Meta+k ?');
});

/** All that a grid's state says, to compare. */
function told(state: GridState<{ id: string }>): string {
  return JSON.stringify(state.snapshot(), (_key, value: unknown) => (value instanceof Map ? [...value] : value));
}

/** Keys that work on a cell of the page, which the browser alone has: E12 and KB11 press them. */
const onCells = ['open', 'menu'];

test('[KB9] every key of the rows that is listed does something there', () => {
  const deeds = Object.entries(gridKeys).flatMap(([name, { keys }]) =>
    onCells.includes(name) ? [] : keys.map((chord) => ({ name, chord })),
  );
  for (const { name, chord } of deeds) {
    const done: string[] = [];
    const source = createArraySource<{ id: string }>((row) => row.id);
    source.show(Array.from({ length: 50 }, (_, at) => ({ id: String(at) })));
    const state = createGridState({ source, onTooMany: () => undefined, pause: async () => undefined });
    state.move({ row: 20, column: 2 });
    state.toggle(10);
    const before = told(state);
    const heard = onGridKey({ ...strokeOf(chord), target: null } as unknown as KeyboardEvent, {
      state,
      source,
      viewport: { pageRows: () => 10 } as never,
      lastColumn: 5,
      areCards: false,
      isSelectable: true,
      canOpen: true,
      actions: [],
      copy: () => done.push('copy'),
      cancelCopy: () => false,
      filter: (not) => done.push(not ? 'not' : 'only'),
      openMenu: () => done.push('menu'),
    });
    const after = told(state);
    expect([name, chord, heard, done.length > 0 || after !== before]).toEqual([name, chord, true, true]);
  }
});
