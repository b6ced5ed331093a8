import {
  createOrganization,
  deleteOrganization,
  getOrganizationIdForEntity,
  getOrganizationSettings,
  listOrganizations,
  updateOrganization,
  updateOrganizationSettings,
} from '#contract/organizations.ts';
import * as organizations from '#server/repositories/organizations.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function organizationRoutes(server: Server): void {
  route(server, listOrganizations, (query, { db, user }) => organizations.listOrganizations(db, user, query));
  route(server, createOrganization, (input, { db, user }) => organizations.createOrganization(db, user, input));
  route(server, updateOrganization, (input, { db, user }) => organizations.updateOrganization(db, user, input));
  route(server, deleteOrganization, async ({ id }, { db, now }) => {
    await organizations.deleteOrganization(db, id, now);
    return {};
  });
  route(server, getOrganizationSettings, ({ organization_id: id }, { db, user }) => organizations.organizationSettings(db, user, id));
  route(server, updateOrganizationSettings, (input, { db, user }) => organizations.updateOrganizationSettings(db, user, input));
  route(server, getOrganizationIdForEntity, async ({ entity_id: id }, { db, user }) => ({
    organization_id: await organizations.organizationOfEntity(db, user, id),
  }));
}
