import type { AccountBreak, UnreconciledAccount } from '#contract/reconciliations.ts';
import type { Security } from '#contract/securities.ts';
import { formatUsd } from './amounts.ts';
import { writtenDay } from './dates.ts';
import { usualNumbers } from './number-style.ts';
import { alignedQuantity } from './transaction-words.ts';

/** Why an account does not count as tied out, in words. */
export function unreconciledWords({ status, end_date: day, breaks }: UnreconciledAccount): string {
  const asOf = day === null ? '' : ` as of ${writtenDay(day)}`;
  if (status === null) return 'Not compared yet';
  if (status === 'NO_SNAPSHOT') return `No reported balance to compare with${asOf}`;
  return `${breaks.length.toLocaleString('en-US')} ${breaks.length === 1 ? 'asset does' : 'assets do'} not tie out${asOf}`;
}

/** A break's figures as they stand side by side. */
export interface BreakFigures {
  reported: string;
  computed: string;
  difference: string;
  usd: string;
}

/** A dash is what nobody knows. */
export function breakFigures(one: AccountBreak, security: Security | undefined, numbers = usualNumbers): BreakFigures {
  return {
    reported: one.reported === null ? '–' : alignedQuantity(one.reported, security, numbers),
    computed: alignedQuantity(one.computed, security, numbers),
    difference: alignedQuantity(one.difference, security, numbers),
    usd: one.difference_usd === null ? '–' : formatUsd(one.difference_usd, numbers),
  };
}
