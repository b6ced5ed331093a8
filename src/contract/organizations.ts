import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { formNameSchema, idSchema, newIdSchema, orderFields, pageFields, textSchema } from './wire.ts';

export const organizationSchema = z.looseObject({ id: idSchema, name: z.string(), version: z.number() });
export type Organization = z.infer<typeof organizationSchema>;

export const listOrganizations = defineEndpoint({
  name: 'listOrganizations',
  method: 'GET',
  path: '/organizations',
  permission: 'organization_read',
  input: z.object({ name: textSchema(200).optional(), ...orderFields(['id', 'name']), ...pageFields(500) }),
  output: z.array(organizationSchema),
  paging: { by: 'skip', limit: 500 },
});

/** Messages the form and the server share. */
export const organizationMessages = {
  taken: 'Another organization already has this name',
  hasClients: 'The organization still has clients. Delete them first.',
} as const;

export const organizationFieldsSchema = z.object({ name: formNameSchema('Name', 200) });

export const createOrganizationInputSchema = z.object({ id: newIdSchema, ...organizationFieldsSchema.shape });
export type CreateOrganizationInput = z.infer<typeof createOrganizationInputSchema>;

/** Makes an organization under an id the client made. */
export const createOrganization = defineEndpoint({
  name: 'createOrganization',
  method: 'POST',
  path: '/organizations',
  permission: 'superuser',
  input: createOrganizationInputSchema,
  output: organizationSchema,
  ifMatch: { noun: 'organizations', id: 'id' },
});

export const updateOrganizationInputSchema = z.object({ id: idSchema, ...organizationFieldsSchema.shape });
export type UpdateOrganizationInput = z.infer<typeof updateOrganizationInputSchema>;

export const updateOrganization = defineEndpoint({
  name: 'updateOrganization',
  method: 'PUT',
  path: '/organizations/:id',
  permission: 'organization_write',
  input: updateOrganizationInputSchema,
  output: organizationSchema,
  ifMatch: { noun: 'organizations', id: 'id' },
});

export const deleteOrganizationInputSchema = z.object({ id: idSchema });
export type DeleteOrganizationInput = z.infer<typeof deleteOrganizationInputSchema>;

/** Deletes an organization that has no clients any more. */
export const deleteOrganization = defineEndpoint({
  name: 'deleteOrganization',
  method: 'DELETE',
  path: '/organizations/:id',
  permission: 'superuser',
  input: deleteOrganizationInputSchema,
  output: z.object({}),
  ifMatch: { noun: 'organizations', id: 'id' },
});

/** @source specification section 7: a question, though it is a POST. */
export const getOrganizationSettings = defineEndpoint({
  name: 'getOrganizationSettings',
  method: 'POST',
  path: '/organizations/get_organization_settings',
  permission: 'organization_read',
  sendAs: 'query',
  input: z.object({ organization_id: idSchema }),
  output: z.record(z.string(), z.unknown()),
  asksOnly: true,
});

/** @source specification section 7: a question, though it is a POST. */
export const getOrganizationIdForEntity = defineEndpoint({
  name: 'getOrganizationIdForEntity',
  method: 'POST',
  path: '/organizations/get_organization_id_for_entity',
  permission: 'entity_read',
  sendAs: 'query',
  input: z.object({ entity_id: idSchema }),
  output: z.object({ organization_id: idSchema }),
  asksOnly: true,
});
