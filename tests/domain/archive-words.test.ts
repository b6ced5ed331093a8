import { expect, test } from 'vitest';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { archivedNotice, archiveStateOf, archiveStepsFrom, archiveVerbs, archiveWords } from '#domain/archive-words.ts';

test('[AA14] an asset is shown, archived or spam, and is offered to become what it is not', () => {
  expect([undefined, { is_spam: false }, { is_spam: true }].map(archiveStateOf)).toEqual(['shown', 'archived', 'spam']);
  const offered = (['shown', 'archived', 'spam'] as const).map((state) => archiveStepsFrom(state).map((to) => archiveVerbs[to]));
  expect(offered).toEqual([
    ['Archive asset', 'Mark as spam'],
    ['Mark as spam', 'Unarchive asset'],
    ['Archive asset', 'Unarchive asset'],
  ]);
  expect(Object.values(archiveWords)).toEqual(['Not archived', 'Archived', 'Spam']);
  expect((['archived', 'spam', 'shown'] as const).map((to) => archivedNotice('3 assets', to))).toEqual([
    '3 assets archived',
    '3 assets marked as spam',
    '3 assets unarchived',
  ]);
});

test('[AA4] the id of a client and an asset is one, in whatever case they are written, and no other pair has it', () => {
  const [one, other] = ['0190a1b2-0000-7000-8000-00000000000a', '0190a1b2-0000-7000-8000-00000000000b'];
  expect(archivedAssetId(one, other)).toBe(archivedAssetId(one.toUpperCase(), other.toUpperCase()));
  // written down: a device of an older build speaks of the same row
  expect(archivedAssetId(one, other)).toMatchInlineSnapshot(`"50040a9e-1756-5ca3-96d3-67d581a27911"`);
  expect(new Set([archivedAssetId(one, other), archivedAssetId(other, one), archivedAssetId(one, one)]).size).toBe(3);
});
