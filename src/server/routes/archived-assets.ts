import { archiveAsset, listArchivedAssets, unarchiveAsset } from '#contract/archived-assets.ts';
import * as archivedAssets from '#server/repositories/archived-assets.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function archivedAssetRoutes(server: Server): void {
  route(server, listArchivedAssets, (query, { db, user }) => archivedAssets.listArchivedAssets(db, user, query));
  route(server, archiveAsset, (input, { db, user }) => archivedAssets.putArchivedAsset(db, user, input));
  route(server, unarchiveAsset, async ({ id }, { db, user }) => {
    await archivedAssets.removeArchivedAsset(db, user, id);
    return {};
  });
}
