import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { dateFilterSchema, idSchema, instantSchema, limitSchema } from './wire.ts';

/** The tables of which every change is told. */
export const auditedNouns = [
  'organizations',
  'clients',
  'entities',
  'accounts',
  'custodians',
  'securities',
  'custodian_securities',
  'transactions',
  'transaction_matches',
  'users',
  'user_invitations',
  'device_removals',
  'roles',
  'organization_members',
  'client_assignments',
  'entity_assignments',
  'archived_assets',
] as const;
export const auditedNounSchema = z.enum(auditedNouns);
export type AuditedNoun = z.infer<typeof auditedNounSchema>;

export const auditActions = ['create', 'update', 'delete'] as const;
export const auditActionSchema = z.enum(auditActions);
export type AuditAction = z.infer<typeof auditActionSchema>;

const fieldsSchema = z.record(z.string(), z.unknown()).nullable();

/**
 * Who changed what. `before` and `after` are the fields that differ, as they were and as they are; of a row made or deleted all of
 * them, decimals and moments as text. Names are those of today, null where they are not to be seen or the row has none; the e-mail is
 * null where nobody signed in made the change.
 */
export const auditEntrySchema = z.looseObject({
  id: idSchema,
  at: instantSchema,
  user_id: idSchema.nullable(),
  user_email: z.string().nullable(),
  organization_id: idSchema.nullable(),
  client_id: idSchema.nullable(),
  client_name: z.string().nullable(),
  entity_id: idSchema.nullable(),
  entity_name: z.string().nullable(),
  /** One of `auditedNouns`; a newer server may tell of others. */
  noun: z.string(),
  row_id: z.string(),
  title: z.string().nullable(),
  action: auditActionSchema,
  before: fieldsSchema,
  after: fieldsSchema,
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** Entries of a page, and the most our server puts in one. */
export const auditPage = { limit: 100, max: 500 } as const;

/** Newest first. `before` is the id of the last entry read: what comes after it is older, whatever was written meanwhile. */
export const listAuditEntries = defineEndpoint({
  name: 'listAuditEntries',
  method: 'GET',
  path: '/audit',
  permission: 'audit_read',
  input: z.object({
    organization_id: idSchema.optional(),
    client_id: idSchema.optional(),
    entity_id: idSchema.optional(),
    noun: auditedNounSchema.optional(),
    /** The parts of a compound key with blanks between them. */
    row_id: z.string().min(1).max(200).optional(),
    user_id: idSchema.optional(),
    action: auditActionSchema.optional(),
    start_date: dateFilterSchema.optional(),
    end_date: dateFilterSchema.optional(),
    before: z
      .string()
      .regex(/^\d{1,18}$/, 'Expected the id of an entry')
      .optional(),
    limit: limitSchema(auditPage.max).default(auditPage.limit),
  }),
  output: z.array(auditEntrySchema),
});

/** Those whose changes the viewer may read of, by e-mail: the members of the organizations. */
export const listAuditPeople = defineEndpoint({
  name: 'listAuditPeople',
  method: 'GET',
  path: '/audit/people',
  permission: 'audit_read',
  input: z.object({}),
  output: z.array(z.looseObject({ id: idSchema, email: z.string() })),
});
export type AuditPerson = z.infer<typeof listAuditPeople.output>[number];
