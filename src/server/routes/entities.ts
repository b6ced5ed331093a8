import { listEntityBalances } from '#contract/balances.ts';
import { createEntity, deleteEntity, getEntity, listAllocationMethods, listEntities, updateEntity } from '#contract/entities.ts';
import { ApiError } from '#contract/errors.ts';
import { listUnreconciledAccounts } from '#contract/reconciliations.ts';
import { listAllocationMethods as allocationMethods } from '#server/repositories/accounting-systems.ts';
import { entityBalances } from '#server/repositories/balances.ts';
import * as entities from '#server/repositories/entities.ts';
import { unreconciledAccounts } from '#server/repositories/reconciliations.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function entityRoutes(server: Server): void {
  route(server, listEntities, (query, { db, user }) => entities.listEntities(db, user, query));
  route(server, getEntity, async ({ id }, { db, user }) => {
    const entity = await entities.findEntity(db, user, id);
    if (!entity) throw new ApiError({ code: 'not_found', detail: 'Entity not found' });
    return entity;
  });
  route(server, createEntity, (input, { db, user }) => entities.createEntity(db, user, input));
  route(server, updateEntity, (input, { db, user }) => entities.updateEntity(db, user, input));
  route(server, deleteEntity, async ({ id }, { db, user, now }) => {
    await entities.deleteEntity(db, user, id, now);
    return {};
  });
  route(server, listUnreconciledAccounts, ({ id, end_date }, { db, user }) => unreconciledAccounts(db, user, id, end_date));
  route(server, listEntityBalances, (query, { db, user }) => entityBalances(db, user, query));
  route(server, listAllocationMethods, (_query, { db }) => allocationMethods(db));
}
