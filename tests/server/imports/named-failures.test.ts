import { expect, test } from 'vitest';
import { namedFailures } from '#server/imports/named-failures.ts';

test('[RI15] failed rows longer together than there is room for are named from the first on, whole', () => {
  const failures = ['abc', 'de', 'f'].map((text, index) => ({ row: index + 2, reason: 'Bad', text }));
  const rows = (room: number) => namedFailures(failures, room).map(({ row }) => row);
  expect([rows(15), rows(14), rows(11), rows(10), rows(1)]).toEqual([[2, 3, 4], [2, 3], [2, 3], [2], [2]]);
});
