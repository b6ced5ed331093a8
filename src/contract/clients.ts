import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { codeSchema, formNameSchema, idSchema, newIdSchema, pageFields, textSchema } from './wire.ts';

export const clientSchema = z.looseObject({
  id: idSchema,
  organization_id: idSchema,
  client_name: z.string(),
  version: z.number(),
});
export type Client = z.infer<typeof clientSchema>;

export const listClients = defineEndpoint({
  name: 'listClients',
  method: 'GET',
  path: '/clients/',
  permission: 'client_read',
  input: z.object({ organization_id: idSchema.optional(), name: textSchema(200).optional(), id: idSchema.optional(), ...pageFields(500) }),
  output: z.array(clientSchema),
  paging: { by: 'single', limit: 500 },
});

export const accountingSystemSchema = z.object({ id: codeSchema, name: z.string() });

export const listAccountingSystems = defineEndpoint({
  name: 'listAccountingSystems',
  method: 'GET',
  path: '/clients/get_accounting_systems',
  permission: 'client_read',
  input: z.object({}),
  output: z.array(accountingSystemSchema),
});

/** Messages the form and the server share. */
export const clientMessages = {
  taken: 'Another client of this organization already has this name',
  stays: 'A client stays in its organization',
} as const;

export const clientFieldsSchema = z.object({ client_name: formNameSchema('Client Name', 200) });

export const createClientInputSchema = z.object({ id: newIdSchema, organization_id: idSchema, ...clientFieldsSchema.shape });
export type CreateClientInput = z.infer<typeof createClientInputSchema>;

/** Makes a client under an id the client of the API made. Who sees assigned clients only is assigned to it. */
export const createClient = defineEndpoint({
  name: 'createClient',
  method: 'POST',
  path: '/clients',
  permission: 'client_write',
  input: createClientInputSchema,
  output: clientSchema,
  ifMatch: { noun: 'clients', id: 'id' },
});

/** The form of the specification says the organization again; only the one it is of is taken. */
export const updateClientInputSchema = z.object({ id: idSchema, organization_id: idSchema.optional(), ...clientFieldsSchema.shape });
export type UpdateClientInput = z.infer<typeof updateClientInputSchema>;

export const updateClient = defineEndpoint({
  name: 'updateClient',
  method: 'PUT',
  path: '/clients/:id',
  permission: 'client_write',
  input: updateClientInputSchema,
  output: clientSchema,
  ifMatch: { noun: 'clients', id: 'id' },
});

/** Deletes a client with all its data, as far as anybody may see: what was booked stays in the database. */
export const deleteClient = defineEndpoint({
  name: 'deleteClient',
  method: 'DELETE',
  path: '/clients/:id',
  permission: 'client_write',
  input: z.object({ id: idSchema }),
  output: z.object({}),
  ifMatch: { noun: 'clients', id: 'id' },
});

/** An entity as a choice: its id and its name. */
export const entityChoiceSchema = z.object({ id: idSchema, label: z.string() });
export type EntityChoice = z.infer<typeof entityChoiceSchema>;

/** The entities of a client one may choose from. */
export const listAvailableEntities = defineEndpoint({
  name: 'listAvailableEntities',
  method: 'GET',
  path: '/clients/:client_id/available_entities',
  permission: 'entity_read',
  input: z.object({ client_id: idSchema, ...pageFields(400) }),
  output: z.array(entityChoiceSchema),
  paging: { by: 'single', limit: 400 },
});

/** The entities of all clients one sees, as choices. */
export const listClientEntities = defineEndpoint({
  name: 'listClientEntities',
  method: 'GET',
  path: '/clients/entities',
  permission: 'entity_read',
  input: z.object({ client_id: idSchema.optional(), ...pageFields(200) }),
  output: z.array(entityChoiceSchema),
  paging: { by: 'single', limit: 200 },
});
