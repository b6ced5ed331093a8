import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { decimalSchema, idSchema, pageFields } from './wire.ts';

/** What something was worth at the end of a day in UTC, `yyyy-MM-dd`, in US dollars. */
export const dayValueSchema = z.object({ day: z.string(), value_usd: decimalSchema });
export type DayValue = z.infer<typeof dayValueSchema>;

/** How much of it the accounts of one kind hold now. */
export const kindValueSchema = z.object({
  account_integration_type_id: z.number().int(),
  account_type_id: z.number().int(),
  value_usd: decimalSchema,
});

/** What one entity, whose id it bears, was worth: each Sunday and each last of a month for 13 months, and the newest day. */
export const valueHistorySchema = z.looseObject({
  id: idSchema,
  client_id: idSchema,
  days: z.array(dayValueSchema),
  kinds: z.array(kindValueSchema),
  version: z.number().int(),
});
export type ValueHistory = z.infer<typeof valueHistorySchema>;

/** What each entity one may see was worth, oldest day first. */
export const listValueHistories = defineEndpoint({
  name: 'listValueHistories',
  method: 'GET',
  path: '/value_histories',
  permission: 'account_read',
  input: z.object({ client_id: idSchema.optional(), ...pageFields(500) }),
  output: z.array(valueHistorySchema),
  paging: { by: 'skip', limit: 500 },
});
