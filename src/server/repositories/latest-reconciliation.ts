import { sql } from 'drizzle-orm';

/** How the newest reconciliation of an account a came out; no row where it never was compared. */
export const latestReconciliation = sql`select r.status, r.breaks from account_reconciliations r where r.account_id = a.id
  order by r.end_date desc limit 1`;
