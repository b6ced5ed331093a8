import { deleteView, listSavedViews, saveView } from '#contract/saved-views.ts';
import { deleteViewOf, listViewsOf, putView } from '#server/repositories/saved-views.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function savedViewRoutes(server: Server): void {
  route(server, listSavedViews, ({ limit }, { db, user }) => listViewsOf(db, user.id, limit));
  route(server, saveView, (input, { db, user, now }) => putView(db, user.id, input, now));
  route(server, deleteView, async ({ id }, { db, user }) => {
    await deleteViewOf(db, user.id, id);
    return {};
  });
}
