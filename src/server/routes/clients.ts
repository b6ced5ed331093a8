import {
  createClient,
  deleteClient,
  listAccountingSystems,
  listAvailableEntities,
  listClientEntities,
  listClients,
  updateClient,
} from '#contract/clients.ts';
import { accountingSystems } from '#server/database/tables/places.ts';
import * as clients from '#server/repositories/clients.ts';
import { listEntityChoices } from '#server/repositories/entities.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function clientRoutes(server: Server): void {
  route(server, listClients, (query, { db, user }) => clients.listClients(db, user, query));
  route(server, createClient, (input, { db, user }) => clients.createClient(db, user, input));
  route(server, updateClient, (input, { db, user }) => clients.updateClient(db, user, input));
  route(server, deleteClient, async ({ id }, { db, user, now }) => {
    await clients.deleteClient(db, user, id, now);
    return {};
  });
  route(server, listClientEntities, (query, { db, user }) => listEntityChoices(db, user, query));
  route(server, listAvailableEntities, (query, { db, user }) => listEntityChoices(db, user, query));
  route(server, listAccountingSystems, (_query, { db }) => db.select().from(accountingSystems).orderBy(accountingSystems.id));
}
