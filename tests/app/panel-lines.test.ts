import { expect, test } from 'vitest';
import { linesOf } from '#app/screens/transactions/panel-lines.ts';
import { usualNumbers } from '#domain/number-style.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';

test('[GR70] the details of a row show and copy a hash as it came, whatever it looks like, and addresses in checksum form', () => {
  const hex = 'd8da6bf26964af9d7eed9e03e53415d37aa96045';
  const row = { ...aPulledRow({ id: 'r', trx_date: '2026-01-01T00:00:00.000Z', tx_hash: hex, to_address: hex }), pending: null };
  const names = { entity: new Map(), account: new Map(), custodian: new Map(), security: new Map() };
  const lines = linesOf(row, { names: names as never, zone: 'UTC', numbers: usualNumbers, saysEntity: false });
  const checksum = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
  expect(lines.filter(({ isMono }) => isMono)).toEqual([
    { column: 'hash', label: 'Tx hash', text: hex, copy: hex, isMono: true },
    { column: 'to', label: 'To', text: checksum, copy: checksum, isMono: true },
    { label: 'Id', text: 'r', copy: 'r', isMono: true },
  ]);
});
