import { type ArchiveState, archiveStateOf } from '#domain/archive-words.ts';
import type { Replica } from './open.ts';
import { isShown } from './mutation-states.ts';
import type { MarkedRow } from './overlay.ts';
import { shownRows } from './shown-rows.ts';

/** An archived asset as the screen shows it. */
export type ShownArchivedAsset = MarkedRow<'archived_assets'>;

/** What is archived of the clients one sees, with the edits that wait laid over it, in no order. */
export function archivedAssetsOf(replica: Replica): Promise<ShownArchivedAsset[]> {
  return shownRows(replica, 'archived_assets');
}

/** Whether one is archived: what was refused to be stays in sight, and is not. */
function isInForce({ version, pending }: ShownArchivedAsset): boolean {
  return version > 0 || pending === null || isShown(pending.state);
}

/** How an asset stands with a client, by what is archived of it there; undefined where nothing is. */
export function standingOf(asset: ShownArchivedAsset | undefined): ArchiveState {
  return archiveStateOf(asset && isInForce(asset) ? asset : undefined);
}

/** The securities that every one of some clients archived: what a list over these clients does not ask about. */
export async function archivedByAll(replica: Replica, clientIds: readonly string[]): Promise<ReadonlySet<string>> {
  const assets = (await archivedAssetsOf(replica)).filter(isInForce);
  const [first = [], ...others] = clientIds.map((id) => assets.filter(({ client_id }) => client_id === id));
  return new Set(
    first
      .map(({ security_id }) => security_id)
      .filter((security) => others.every((rows) => rows.some(({ security_id }) => security_id === security))),
  );
}
