import { z } from 'zod';
import { decimalSchema, idSchema, instantSchema } from './wire.ts';

/** What a DeFi account held of one security in one place of a protocol at a moment. */
export const defiBalanceSnapshotSchema = z.looseObject({
  id: idSchema,
  account_id: idSchema,
  entity_id: idSchema,
  custodian_security_id: idSchema.nullable(),
  security_id: idSchema.nullable(),
  blockchain: z.string(),
  protocol: z.string().nullable(),
  contract_address: z.string().nullable(),
  /** Supplied, borrowed, staked, reward, as the protocol calls it. */
  balance_type: z.string().nullable(),
  as_of: instantSchema,
  quantity: decimalSchema,
  usd_value: decimalSchema.nullable(),
  version: z.number(),
});
export type DefiBalanceSnapshot = z.infer<typeof defiBalanceSnapshotSchema>;
