import { expect, test } from 'vitest';
import type { UnreconciledAccount } from '#contract/reconciliations.ts';
import { breakFigures, unreconciledWords } from '#domain/break-words.ts';

const aBreak = { security_id: 'a', ticker: 'BTC', reported: '1.5', computed: '2', difference: '-0.5', difference_usd: '-30000' };
const account = (values: Partial<UnreconciledAccount>): UnreconciledAccount => ({
  account_id: 'a',
  account_name: 'A',
  custodian_name: 'C',
  status: 'UNRECONCILED',
  end_date: '2026-08-31',
  last_snapshot_at: null,
  difference_usd: null,
  breaks: [],
  ...values,
});

test('[PL33] why an account does not tie out is said in words, and its figures stand as amounts do', () => {
  expect(unreconciledWords(account({ breaks: [aBreak] }))).toBe('1 asset does not tie out as of 08/31/2026');
  expect(unreconciledWords(account({ breaks: [aBreak, aBreak] }))).toBe('2 assets do not tie out as of 08/31/2026');
  expect(unreconciledWords(account({ status: 'NO_SNAPSHOT' }))).toBe('No reported balance to compare with as of 08/31/2026');
  expect(unreconciledWords(account({ status: null, end_date: null }))).toBe('Not compared yet');
  expect(breakFigures(aBreak, undefined)).toEqual({
    reported: '1.50000000',
    computed: '2.00000000',
    difference: '(0.50000000)',
    usd: '(30,000.00)',
  });
  expect(breakFigures({ ...aBreak, reported: null, difference_usd: null }, undefined)).toMatchObject({ reported: '–', usd: '–' });
});
