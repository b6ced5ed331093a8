import { describe, expect, test } from 'vitest';
import type { Entity } from '#contract/entities.ts';
import type { EntityWorklist } from '#contract/entity-worklists.ts';
import { figuresOf } from '#domain/client-figures.ts';
import { changePercent, kindOfAccount, sharesOf, valuesOverTime } from '#domain/portfolio-values.ts';
import { byUrgency, hasWork, isStaleSince, staleAccounts, staleAfterDays, workOf } from '#domain/worklist.ts';
import { entityFields } from '#tests/support/entity-fields.ts';

const now = Date.parse('2026-09-14T12:00:00.000Z');

const anEntity = (values: Partial<Entity> = {}): Entity => ({
  id: 'e',
  client_id: 'c',
  organization_id: 'o',
  ...entityFields,
  entity_name: 'Fund',
  entity_type_id: null,
  active_accounts: 2,
  inactive_accounts: 0,
  unreconciled_accounts: 0,
  portfolio_value: null,
  last_update: null,
  version: 1,
  ...values,
});

const aWorklist = (values: Partial<EntityWorklist> = {}): EntityWorklist => ({
  id: 'e',
  client_id: 'c',
  unreconciled_usd: '0',
  pending_matches: 0,
  pending_usd: '0',
  unpriced: 0,
  unidentified: 0,
  unidentified_usd: '0',
  failed_syncs: 0,
  updated_accounts: [],
  version: 1,
  ...values,
});

const work = (values: Partial<EntityWorklist> = {}) => workOf(anEntity(), aWorklist(values), null, now);

describe('what there is to do', () => {
  test('[HM8] an account is stale once three whole days passed without an update, or when it never had one', () => {
    expect(staleAfterDays).toBe(3);
    expect([isStaleSince('2026-09-11', now), isStaleSince('2026-09-10', now), isStaleSince(null, now)]).toEqual([false, true, true]);
    const updated = [
      { day: null, accounts: 1 },
      { day: '2026-09-01', accounts: 4 },
      { day: '2026-09-14', accounts: 9 },
    ];
    expect(staleAccounts(updated, now)).toBe(5);
    expect(staleAccounts(updated, now + 7 * 86_400_000)).toBe(14);
  });

  test('[HM8] what is at stake is the exact sum of what does not tie out, waits, and has no name', () => {
    const found = work({ unreconciled_usd: '0.1', pending_usd: '0.2', unidentified_usd: '9007199254740993' });
    expect(found.atStakeUsd).toBe('9007199254740993.3');
  });

  test('[HM8] most money comes first, then most to do; what is not known counts as work, and nothing as none', () => {
    const [rich, poor, many] = [work({ pending_usd: '1000' }), work({ pending_usd: '999', unpriced: 50 }), work({ unpriced: 3 })];
    const few = work({ unpriced: 1 });
    expect([few, many, poor, rich].toSorted(byUrgency)).toEqual([rich, poor, many, few]);
    expect([hasWork(work()), hasWork(few)]).toEqual([false, true]);
    const unknown = workOf(anEntity(), undefined, 0, now);
    expect([unknown.atStakeUsd, unknown.counts.unpriced, hasWork(unknown)]).toEqual([null, null, true]);
  });

  test('[HM8] matches are counted as on this device where they are here, else as the server counted them', () => {
    const worklist = aWorklist({ pending_matches: 7 });
    expect(workOf(anEntity(), worklist, 6, now).counts.pending).toBe(6);
    expect(workOf(anEntity(), worklist, null, now).counts.pending).toBe(7);
  });
});

describe('what it is worth', () => {
  test('[HM9] entities add up exactly day by day; one without a value that day counts with its last', () => {
    const values = valuesOverTime([
      {
        days: [
          { day: '2026-07-31', value_usd: '0.1' },
          { day: '2026-08-31', value_usd: '0.3' },
        ],
      },
      {
        days: [
          { day: '2026-08-15', value_usd: '9007199254740993' },
          { day: '2026-08-31', value_usd: '1' },
        ],
      },
    ]);
    expect(values).toEqual([
      { day: '2026-07-31', value_usd: '0.1' },
      { day: '2026-08-15', value_usd: '9007199254740993.1' },
      { day: '2026-08-31', value_usd: '1.3' },
    ]);
    expect([changePercent('200', '250'), changePercent('200', '150'), changePercent('0', '5')]).toEqual(['25.0', '-25.0', null]);
  });

  test('[HM9] shares are summed, the largest first, with their part of the whole; nothing is no share', () => {
    const part = (key: string, value_usd: string) => ({ key, label: key.toUpperCase(), value_usd });
    expect(sharesOf([part('a', '1'), part('b', '0'), part('c', '6'), part('a', '1')])).toEqual([
      { ...part('c', '6'), percent: '75.0' },
      { ...part('a', '2'), percent: '25.0' },
    ]);
    expect(kindOfAccount({ account_integration_type_id: 2, account_type_id: 2 })).toBe('DeFi');
    expect(kindOfAccount({ account_integration_type_id: 2, account_type_id: 3 })).toBe('Blockchain');
  });

  test('[HM15] a sum that parts take from has no portions', () => {
    const part = (key: string, value_usd: string) => ({ key, label: key, value_usd });
    const percents = (...values: string[]) =>
      sharesOf(values.map((value, index) => part(String(index), value))).map(({ percent }) => percent);
    expect(percents('1000', '-900')).toEqual([null, null]);
    expect(percents('5', '-5')).toEqual([null, null]);
    expect(percents('-5')).toEqual([null]);
    expect(percents('3', '1', '0')).toEqual(['75.0', '25.0']);
    expect(percents('0')).toEqual([]);
  });

  test('[HM9] a client is what its entities that one sees come to', () => {
    const one = anEntity({ portfolio_value: '0.1', unreconciled_accounts: 2, last_update: '2026-09-01T00:00:00.000Z' });
    const other = anEntity({ portfolio_value: '0.2', active_accounts: 3, last_update: '2026-09-02T00:00:00.000Z' });
    expect(figuresOf([one, other, anEntity()])).toEqual({
      accounts: 7,
      unreconciled: 2,
      aumUsd: '0.3',
      lastUpdate: '2026-09-02T00:00:00.000Z',
    });
    expect(figuresOf([])).toEqual({ accounts: 0, unreconciled: null, aumUsd: null, lastUpdate: null });
  });
});
