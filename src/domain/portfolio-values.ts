import { accountTypes, integrationTypes } from '#contract/accounts.ts';
import type { DayValue, ValueHistory } from '#contract/value-histories.ts';
import { decimal, sumOf } from './amounts.ts';

/**
 * What several entities were worth together, oldest day first. An entity that was not valued on one of the days counts with what it was
 * worth before; before its first day it counts nothing.
 */
export function valuesOverTime(histories: readonly Pick<ValueHistory, 'days'>[]): DayValue[] {
  const steps = histories.flatMap(({ days }) =>
    days.map(({ day, value_usd }, index) => ({ day, change: decimal(value_usd).minus(days[index - 1]?.value_usd ?? '0') })),
  );
  steps.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  const values: DayValue[] = [];
  let sum = decimal('0');
  for (const { day, change } of steps) {
    sum = sum.plus(change);
    if (values.at(-1)?.day === day) values.pop();
    values.push({ day, value_usd: sum.toFixed() });
  }
  return values;
}

/** By how much a value changed, in percent to one place; null from nothing. */
export function changePercent(from: string, to: string): string | null {
  const before = decimal(from);
  if (before.isZero()) return null;
  return decimal(to).minus(before).times('100').dividedBy(before.abs()).toFixed(1);
}

/** A part of what there is, with its portion in percent to one place; null where a sum has no portions. */
export interface Share {
  key: string;
  label: string;
  value_usd: string;
  percent: string | null;
}

/**
 * Parts by size, the largest first; those worth nothing are left out. Percents are of the sum of all; where one is negative there are
 * none, for a part would be many times a sum that others take from.
 */
export function sharesOf(parts: readonly Omit<Share, 'percent'>[]): Share[] {
  const byKey = new Map<string, Omit<Share, 'percent'>>();
  for (const part of parts) {
    const held = byKey.get(part.key);
    byKey.set(part.key, held ? { ...held, value_usd: sumOf([held.value_usd, part.value_usd]) } : part);
  }
  const all = [...byKey.values()].filter(({ value_usd }) => !decimal(value_usd).isZero());
  const whole = decimal(sumOf(all.map(({ value_usd }) => value_usd)));
  const hasPortions = all.every(({ value_usd }) => decimal(value_usd).isPositive());
  return all
    .toSorted((a, b) => decimal(b.value_usd).comparedTo(decimal(a.value_usd)) || a.label.localeCompare(b.label, 'en'))
    .map((part) => ({ ...part, percent: hasPortions ? decimal(part.value_usd).times('100').dividedBy(whole).toFixed(1) : null }));
}

const defiType = 2;

/** The kind of an account: how it is kept, or DeFi. @source specification section 1 */
export function kindOfAccount(account: { account_integration_type_id: number; account_type_id: number }): string {
  if (account.account_type_id === defiType) return accountTypes[defiType];
  const { account_integration_type_id: id } = account;
  return (integrationTypes as Readonly<Record<number, string>>)[id] ?? `Unknown (${id})`;
}
