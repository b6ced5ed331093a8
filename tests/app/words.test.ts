import { exactAmount } from '#domain/amounts.ts';
import type { EngineStatus } from '#workers/start.ts';
import { expect, test } from 'vitest';
import { environmentOfHost } from '#app/shell/environment.tsx';
import { markWords } from '#app/shell/outbox-words.ts';
import { syncWords } from '#app/shell/sync-words.ts';
import { csvOf, tsvOf } from '#domain/csv.ts';
import { totalsOf } from '#app/screens/transactions/selection-totals.ts';
import { alignedQuantity, signedQuantity } from '#domain/transaction-words.ts';

const noon = Date.parse('2026-09-14T12:00:00Z');
const idle: EngineStatus = {
  phase: 'idle',
  problem: null,
  last_sync_at: noon,
  entities: [],
  perm_version: null,
  denied_at: null,
  signed_out_of: null,
  lost: null,
};

test('[SP1] a cell that would run as a formula is made text, numbers of a copied table stay numbers', () => {
  expect(csvOf([['=1+1', '+2', '-3', '@x', 'a"b', 'c,d']])).toBe(`\ufeff'=1+1,'+2,'-3,'@x,"a""b","c,d"\r\n`);
  expect(
    tsvOf([
      [
        { text: '-12.5', isNumber: true },
        { text: '-12.5', isNumber: false },
        { text: 'two\tcells\nno', isNumber: false },
      ],
    ]),
  ).toBe("-12.5\t'-12.5\ttwo cells no");
});

test('[SY11] the chip says how fresh things are', () => {
  expect(syncWords(idle, true, noon + 60_000, 'UTC').text).toBe('Synced 12:00');
  expect(syncWords(idle, false, noon + 60_000, 'UTC').text).toBe('Offline - as of 12:00');
  const entities = [
    {
      entity_id: 'e',
      client_id: 'c',
      phase: 'bootstrap' as const,
      is_leaving: false,
      is_let_go: false,
      rows: 12_345,
      rows_in_all: null,
      complete_from: null,
    },
  ];
  const words = (change: object) =>
    syncWords({ ...idle, phase: 'syncing', entities: entities.map((one) => ({ ...one, ...change })) }, true, noon, 'UTC').text;
  expect(words({})).toBe('Syncing... 12,345 rows');
  expect(words({ rows_in_all: 48_000 })).toBe('Syncing... 12,345 of 48,000 rows');
  expect(syncWords({ ...idle, problem: 'x' }, true, noon + 3 * 86_400_000, 'UTC')).toEqual({
    text: 'Sync problem - as of 09/14/2026 12:00',
    tone: 'problem',
  });
  expect(syncWords({ ...idle, phase: 'outdated', problem: 'x' }, true, noon, 'UTC')).toEqual({
    text: 'Update needed - as of 12:00',
    tone: 'problem',
  });
});

test('[SY11] a pending mark says since when and what it waits for; a refused one why', () => {
  expect(markWords({ state: 'queued', since: noon, detail: null }, 'UTC', false)).toBe('queued 12:00, waiting for the network');
  expect(markWords({ state: 'refused', since: noon, detail: 'Transaction not found' }, 'UTC', true)).toBe(
    'queued 12:00, refused: Transaction not found',
  );
});

test.each([
  ['dev.tieout.example', 'dev'],
  ['app.qa.tieout.example', 'qa'],
  ['app.tieout.dev', null],
  ['localhost', null],
])('[EN1] %s shows the bar of %s', (host, environment) => expect(environmentOfHost(host)).toBe(environment));

test('[AM6] quantities carry the sign of their type, align in the grid and keep every digit elsewhere', () => {
  expect(signedQuantity({ quantity: '1.5', trx_type_id: 2 })).toBe('-1.5');
  expect(alignedQuantity('-0.123456789123456789', undefined)).toBe('(0.12345679)');
  expect(alignedQuantity('0.000000000000000001', undefined)).toBe('0.000000000000000001');
  expect(exactAmount('-1234.567890123456789012345678')).toBe('(1,234.567890123456789012345678)');
});

test('[AM7] a selection is summed exactly, per asset and in dollars', () => {
  const rows = [
    { trx_type_id: 1, quantity: '0.1', usd_value: '10.10', security_id: 'btc' },
    { trx_type_id: 1, quantity: '0.2', usd_value: '20.20', security_id: 'btc' },
    { trx_type_id: 2, quantity: '0.000000000000000001', usd_value: null, security_id: 'btc' },
    { trx_type_id: 24, quantity: '5', usd_value: '5', security_id: 'usd' },
  ].map((row) => ({ ...row, unpriced_trx: row.usd_value === null }));
  expect(totalsOf(rows)).toEqual({
    count: 4,
    unpriced: 1,
    unknown: 0,
    usd: { in: '30.3', out: '0', fees: '5', net: '25.3' },
    assets: [
      { security_id: 'btc', count: 3, in: '0.3', out: '0.000000000000000001', fees: '0', net: '0.299999999999999999', usd_net: '30.3' },
      { security_id: 'usd', count: 1, in: '0', out: '0', fees: '5', net: '-5', usd_net: '-5' },
    ],
  });
});
