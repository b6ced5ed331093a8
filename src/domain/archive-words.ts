import type { ArchivedAsset } from '#contract/archived-assets.ts';

/** How an asset stands with a client: among the others, kept aside, or kept aside as spam. */
export type ArchiveState = 'shown' | 'archived' | 'spam';

export function archiveStateOf(asset: Pick<ArchivedAsset, 'is_spam'> | undefined): ArchiveState {
  if (asset === undefined) return 'shown';
  return asset.is_spam ? 'spam' : 'archived';
}

/** The word an asset bears. */
export const archiveWords: Readonly<Record<ArchiveState, string>> = { shown: 'Not archived', archived: 'Archived', spam: 'Spam' };

/** What is done to bring an asset there. */
export const archiveVerbs: Readonly<Record<ArchiveState, string>> = {
  shown: 'Unarchive asset',
  archived: 'Archive asset',
  spam: 'Mark as spam',
};

/** What was done, where `assets` is a ticker or a count: `DOGE archived`. */
export function archivedNotice(assets: string, to: ArchiveState): string {
  return `${assets} ${{ shown: 'unarchived', archived: 'archived', spam: 'marked as spam' }[to]}`;
}

/** Where an asset can be brought from how it stands. */
export function archiveStepsFrom(state: ArchiveState): ArchiveState[] {
  return (['archived', 'spam', 'shown'] as const).filter((to) => to !== state);
}
