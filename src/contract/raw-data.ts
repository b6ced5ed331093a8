import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { countSchema, idSchema, limitSchema, textSchema } from './wire.ts';

/** Largest file an import takes, in bytes. */
export const importLimitBytes = 20_000_000;

/** The formats a file can be imported from; `csv` rows are read by a column-map profile. */
export const importFormats = ['ofx', 'csv'] as const;
export type ImportFormat = (typeof importFormats)[number];

export const rawDataStatuses = ['SYNCED', 'SYNC_ERROR', 'PROCESSING', 'PROCESSING_ERROR', 'PROCESSED'] as const;

export const rawDataSchema = z.looseObject({
  id: idSchema,
  account_id: idSchema,
  source: z.string(),
  natural_key: z.string(),
  status: z.enum(rawDataStatuses),
  error: z.string().nullable(),
  file_name: z.string().nullable(),
  row_number: z.number().nullable(),
  created_at: z.string(),
});

export const importAnswerSchema = z.object({
  file_name: z.string(),
  format: z.enum(importFormats),
  profile_id: z.string().nullable(),
  processed: z.number().int(),
  ok: z.number().int(),
  failed: z.number().int(),
  /** Rows already imported before, counted within `ok`. */
  unchanged: z.number().int(),
  /** The failed rows in their order; fewer than `failed` where all of them would be longer than a file may be. */
  failures: z.array(z.object({ row: z.number().int(), reason: z.string(), text: z.string() })),
  warnings: z.array(z.string()),
  /** The span of the rows made or changed, for a pull of just that; null when nothing changed. */
  first_date: z.string().nullable(),
  last_date: z.string().nullable(),
});
export type ImportAnswer = z.infer<typeof importAnswerSchema>;

/** Which column of a CSV holds what, and how its text is to be read. */
export const importProfileSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.number().int(),
  /** The header cells that must all be there for the profile to fit. */
  columns: z.array(z.string()),
});
export type ImportProfile = z.infer<typeof importProfileSchema>;

export const listImportProfiles = defineEndpoint({
  name: 'listImportProfiles',
  method: 'GET',
  path: '/raw_data/import_profiles',
  permission: 'raw_data_read',
  input: z.object({}),
  output: z.array(importProfileSchema),
});

/**
 * Imports a file into an account: multipart part `file`, field `profile_id` (else the format and profile are
 * found from the content). Good rows become transactions, bad rows are kept with a reason; a row imported before is left alone.
 */
export const importFile = defineEndpoint({
  name: 'importFile',
  method: 'POST',
  path: '/accounts/:account_id/import',
  permission: 'raw_data_write',
  sendAs: 'multipart',
  fileLimitBytes: importLimitBytes,
  input: z.object({ account_id: idSchema, profile_id: textSchema(64).optional() }),
  output: importAnswerSchema,
});

export const listRawData = defineEndpoint({
  name: 'listRawData',
  method: 'GET',
  path: '/raw_data/',
  permission: 'raw_data_read',
  input: z.object({
    account_id: idSchema.optional(),
    is_processed: z
      .enum(['true', 'false', '-1', '1', '0'])
      .transform((value) => (value === '-1' ? undefined : value === 'true' || value === '1'))
      .optional(),
    skip: countSchema(1_000_000_000).prefault(0),
    limit: limitSchema(500).prefault(20),
  }),
  output: z.array(rawDataSchema),
  paging: { by: 'skip', limit: 20 },
});
