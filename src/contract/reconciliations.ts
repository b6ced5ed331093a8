import { z } from 'zod';
import { idSchema } from './wire.ts';

/** `NO_SNAPSHOT`: no balance was reported that the transactions could be compared with. */
export const reconciliationStatuses = ['RECONCILED', 'UNRECONCILED', 'NO_SNAPSHOT'] as const;
export type ReconciliationStatus = (typeof reconciliationStatuses)[number];

/** One security of an account that does not tie out. Quantities in its unit and US dollars, as decimals in text; null is not known. */
export const accountBreakSchema = z.object({
  security_id: idSchema.nullable(),
  ticker: z.string(),
  reported: z.string().nullable(),
  computed: z.string(),
  difference: z.string(),
  difference_usd: z.string().nullable(),
});
export type AccountBreak = z.infer<typeof accountBreakSchema>;
