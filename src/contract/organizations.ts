import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { codeSchema, formNameSchema, idSchema, newIdSchema, orderFields, pageFields, textSchema } from './wire.ts';

export const organizationSchema = z.looseObject({ id: idSchema, name: z.string(), version: z.number() });
export type Organization = z.infer<typeof organizationSchema>;

export const listOrganizations = defineEndpoint({
  name: 'listOrganizations',
  method: 'GET',
  path: '/organizations',
  permission: 'organization_read',
  input: z.object({ name: textSchema(200).optional(), id: idSchema.optional(), ...orderFields(['id', 'name']), ...pageFields(500) }),
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

/** The time zones of the specification, by name. */
export const timeZoneNames = ['UTC', 'PST', 'PDT', 'EST', 'EDT', 'CET', 'CEST', 'IST', 'HKT', 'JST'] as const;
export type TimeZoneName = (typeof timeZoneNames)[number];

/** What an organization has set; null is nothing of its own. Another server may say more, and less. */
export const organizationSettingsSchema = z.looseObject({
  name: z.string().optional(),
  /** What a new entity's books are kept in unless told. */
  default_accounting_system_id: z.number().nullable().optional(),
  /** In which times show to who has not chosen one. */
  time_zone: z.enum(timeZoneNames).nullable().optional().catch(null),
  reporting_currency: z.string().optional(),
  /** Of the organization's row. */
  version: z.number().optional(),
});
export type OrganizationSettings = z.infer<typeof organizationSettingsSchema>;

/** @source specification section 7: a question, though it is a POST. */
export const getOrganizationSettings = defineEndpoint({
  name: 'getOrganizationSettings',
  method: 'POST',
  path: '/organizations/get_organization_settings',
  permission: 'organization_read',
  sendAs: 'query',
  input: z.object({ organization_id: idSchema }),
  output: organizationSettingsSchema,
  asksOnly: true,
});

export const organizationSettingsFieldsSchema = z.object({
  ...organizationFieldsSchema.shape,
  default_accounting_system_id: codeSchema.nullable(),
  time_zone: z.enum(timeZoneNames).nullable(),
});
export type OrganizationSettingsFields = z.output<typeof organizationSettingsFieldsSchema>;

export const updateOrganizationSettings = defineEndpoint({
  name: 'updateOrganizationSettings',
  method: 'PUT',
  path: '/organizations/:organization_id/settings',
  permission: 'organization_write',
  input: z.object({ organization_id: idSchema, ...organizationSettingsFieldsSchema.shape }),
  output: organizationSettingsSchema,
  ifMatch: { noun: 'organizations', id: 'organization_id' },
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
