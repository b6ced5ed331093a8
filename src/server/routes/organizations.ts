import { ApiError } from '#contract/errors.ts';
import { listAccountingSystems, listClients } from '#contract/clients.ts';
import { getEntity, listEntities } from '#contract/entities.ts';
import { listOrganizations } from '#contract/organizations.ts';
import { accountingSystems } from '#server/database/schema.ts';
import {
  findEntity,
  listClients as clientsOf,
  listEntities as entitiesOf,
  listOrganizations as organizationsOf,
} from '#server/repositories/organizations.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function organizationRoutes(server: Server): void {
  route(server, listOrganizations, (query, { db, user }) => organizationsOf(db, user, query));
  route(server, listClients, (query, { db, user }) => clientsOf(db, user, query));
  route(server, listAccountingSystems, (_query, { db }) => db.select().from(accountingSystems).orderBy(accountingSystems.id));
  route(server, listEntities, (query, { db, user }) => entitiesOf(db, user, query));
  route(server, getEntity, async ({ id }, { db, user }) => {
    const entity = await findEntity(db, user, id);
    if (!entity) throw new ApiError({ code: 'not_found', detail: 'Entity not found' });
    return entity;
  });
}
