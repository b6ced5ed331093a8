import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { idSchema, pageFields, textSchema } from './wire.ts';

export const organizationSchema = z.looseObject({ id: idSchema, name: z.string(), version: z.number() });
export type Organization = z.infer<typeof organizationSchema>;

export const listOrganizations = defineEndpoint({
  name: 'listOrganizations',
  method: 'GET',
  path: '/organizations',
  permission: 'organization_read',
  input: z.object({ name: textSchema(200).optional(), ...pageFields(500) }),
  output: z.array(organizationSchema),
  paging: { by: 'skip', limit: 500 },
});
