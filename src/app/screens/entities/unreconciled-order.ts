import type { AccountBreak, UnreconciledAccount } from '#contract/reconciliations.ts';
import type { SortStep } from '#domain/sorting.ts';
import { rowsInOrder, type TableColumn } from '#app/ui/table/table-column.ts';

export type BreakField = 'name' | 'difference_usd';

/** What accounts are sorted by, and the assets within each. Quantities of one asset say nothing beside those of another. */
function columnsOf<Row extends { difference_usd: string | null }>(nameOf: (row: Row) => string): TableColumn<Row, BreakField>[] {
  return [
    { label: 'Account and asset', sort: 'name', plain: nameOf, look: 'pr-3 pl-2' },
    ...['Reported', 'Computed', 'Difference'].map((label) => ({ label, isRight: true, look: 'px-3' })),
    {
      label: 'Difference (USD)',
      sort: 'difference_usd',
      isNumber: true,
      isRight: true,
      look: 'px-3',
      plain: ({ difference_usd: usd }) => usd ?? '',
    },
  ];
}

/** The columns of the list. */
export const unreconciledColumns = columnsOf<UnreconciledAccount>(({ account_name: name }) => name);
const breakColumns = columnsOf<AccountBreak>(({ ticker }) => ticker);

/** Accounts in an order, each with its breaks in the same one: no break leaves its account. */
export function accountsInOrder(accounts: readonly UnreconciledAccount[], sort: readonly SortStep<BreakField>[]): UnreconciledAccount[] {
  return rowsInOrder(accounts, { columns: unreconciledColumns, sort }).map((account) => ({
    ...account,
    breaks: [...rowsInOrder(account.breaks, { columns: breakColumns, sort })],
  }));
}
