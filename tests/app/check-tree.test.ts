import { expect, test } from 'vitest';
import { checkKeys, type CheckNode, type TreeLine } from '#app/ui/check-tree-keys.ts';

const leaf = (id: string, label: string): CheckNode => ({ id, label, check: 'none', isOpenToChange: true, children: [] });
const alpha: CheckNode = { ...leaf('alpha', 'Alpha'), children: [leaf('a1', 'Fund'), leaf('a2', 'Trust')] };
const beta: CheckNode = { ...leaf('beta', 'Beta'), children: [leaf('b1', 'Family')] };
const line = (node: CheckNode, parent: string | null): TreeLine => ({ node, level: parent ? 2 : 1, place: 1, of: 2, parent });
const lines = [
  line(alpha, null),
  line(alpha.children[0] as CheckNode, 'alpha'),
  line(alpha.children[1] as CheckNode, 'alpha'),
  line(beta, null),
];
const open = new Set(['alpha']);
const press = (key: string, at: number) => checkKeys(key, lines, at, open);

test('[US29] arrows move and open, left goes to the branch, Space ticks, a star opens all beside, a letter finds', () => {
  expect(press('ArrowDown', 0)).toEqual({ kind: 'focus', id: 'a1' });
  expect(press('ArrowUp', 0)).toBeNull();
  expect(press('ArrowDown', 3)).toBeNull();
  expect(press('End', 0)).toEqual({ kind: 'focus', id: 'beta' });
  expect(press('Home', 3)).toEqual({ kind: 'focus', id: 'alpha' });
  expect(press('ArrowRight', 0)).toEqual({ kind: 'focus', id: 'a1' });
  expect(press('ArrowRight', 3)).toEqual({ kind: 'unfold', ids: ['beta'], isExpanded: true });
  expect(press('ArrowRight', 1)).toBeNull();
  expect(press('ArrowLeft', 0)).toEqual({ kind: 'unfold', ids: ['alpha'], isExpanded: false });
  expect(press('ArrowLeft', 2)).toEqual({ kind: 'focus', id: 'alpha' });
  expect(press('ArrowLeft', 3)).toBeNull();
  expect(press(' ', 2)).toEqual({ kind: 'toggle', node: alpha.children[1] });
  expect(press('*', 0)).toEqual({ kind: 'unfold', ids: ['alpha', 'beta'], isExpanded: true });
  expect(press('f', 2)).toEqual({ kind: 'focus', id: 'a1' });
  expect(press('B', 0)).toEqual({ kind: 'focus', id: 'beta' });
  expect(press('Tab', 0)).toBeNull();
  expect(checkKeys('ArrowDown', [], -1, open)).toBeNull();
});
