import type { Row, Schema } from '#columns/schema.ts';
import type { SecurityMasterRow } from '#contract/security-master.ts';

/** How a price source's securities lie in the column engine: by the moment of their latest price, the unpriced ones last. */
export const securityMasterColumns = {
  ticker: 'code',
  security_type_id: 'small',
  is_priced: 'flag',
  price: 'decimal',
  security_name: 'text',
  dart_security_id: 'text',
} as const satisfies Schema;

export function securityMasterToColumns(row: SecurityMasterRow): Row {
  const { ticker, security_type_id, price, security_name, dart_security_id } = row;
  return {
    key: row.id,
    time: row.priced_at === null ? 0 : Date.parse(row.priced_at),
    values: {
      ticker,
      security_type_id: security_type_id >= 0 && security_type_id < 255 ? security_type_id : null,
      is_priced: price !== null,
      price,
      security_name,
      dart_security_id,
    },
  };
}
