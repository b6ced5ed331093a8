import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { flagSchema, idSchema, pageFields } from './wire.ts';

/** A security a client does not want to see any more: kept aside, or spam, which nobody asked for. */
export const archivedAssetSchema = z.looseObject({
  id: idSchema,
  client_id: idSchema,
  security_id: idSchema,
  is_spam: z.boolean(),
  version: z.number().int(),
});
export type ArchivedAsset = z.infer<typeof archivedAssetSchema>;

/** What is archived of all clients one sees, or of one; by id, so that two pages of it never share a row. */
export const listArchivedAssets = defineEndpoint({
  name: 'listArchivedAssets',
  method: 'GET',
  path: '/archived_assets',
  permission: 'client_read',
  input: z.object({ client_id: idSchema.optional(), id: idSchema.optional(), ...pageFields(500) }),
  output: z.array(archivedAssetSchema),
  paging: { by: 'skip', limit: 500 },
});

/** Messages the screen and the server share. */
export const archivedAssetMessages = {
  taken: 'This asset of the client is archived already, under another id',
  otherId: 'Expected the id that stands for this client and asset',
  unknown: 'There is no such asset',
} as const;

export const archiveAssetInputSchema = z.object({
  id: z.uuid({ error: 'Expected a UUID' }),
  client_id: idSchema,
  security_id: idSchema,
  is_spam: flagSchema,
});
export type ArchiveAssetInput = z.output<typeof archiveAssetInputSchema>;

/**
 * Archives an asset of a client or marks it as spam; one that is either is made the other. The id is the one it is archived under, else
 * the UUID of version 5 that `archivedAssetId` of the domain makes of the two.
 */
export const archiveAsset = defineEndpoint({
  name: 'archiveAsset',
  method: 'PUT',
  path: '/archived_assets/:id',
  permission: 'client_write',
  input: archiveAssetInputSchema,
  output: archivedAssetSchema,
  ifMatch: { noun: 'archived_assets', id: 'id' },
});

export const unarchiveAssetInputSchema = z.object({ id: idSchema });
export type UnarchiveAssetInput = z.infer<typeof unarchiveAssetInputSchema>;

/** Shows an asset again; one that is not archived any more is fine. */
export const unarchiveAsset = defineEndpoint({
  name: 'unarchiveAsset',
  method: 'DELETE',
  path: '/archived_assets/:id',
  permission: 'client_write',
  input: unarchiveAssetInputSchema,
  output: z.object({}),
  ifMatch: { noun: 'archived_assets', id: 'id' },
});
