import { listEntityWorklists } from '#contract/entity-worklists.ts';
import { listValueHistories } from '#contract/value-histories.ts';
import * as histories from '#server/repositories/value-histories.ts';
import * as worklists from '#server/repositories/worklists.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

/** What there is to do for entities, and what they were worth. */
export function figureRoutes(server: Server): void {
  route(server, listEntityWorklists, (query, { db, user }) => worklists.listWorklists(db, user, query));
  route(server, listValueHistories, (query, { db, user }) => histories.listValueHistories(db, user, query));
}
