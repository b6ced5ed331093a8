import { Fragment } from 'react';
import { type Account, accountTypes, integrationTypes } from '#contract/accounts.ts';
import { formatUsd } from '#domain/amounts.ts';
import { displayAddress } from '#domain/addresses.ts';
import { formatDay, type TimeZone } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { Button } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { OrderSaid } from '#app/ui/sort-sign.tsx';
import { SortHeads } from '#app/ui/table/sort-heads.tsx';
import { CardsOrder } from '#app/ui/table/cards-order.tsx';
import { rowsInOrder, type TableColumn, type TableOrder } from '#app/ui/table/table-column.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { accountProblems, hasProblem } from '#domain/worklist.ts';
import type { AccountField } from './accounts-search.ts';
import type { EntityView } from './use-entity.ts';

type AccountRow = EntityView['accounts'][number];

/** What kind of account it is: how it is kept, and its type where that says more. */
function kindWords(account: Account): string {
  const kept =
    (integrationTypes as Record<number, string>)[account.account_integration_type_id] ?? `Unknown (${account.account_integration_type_id})`;
  const type = (accountTypes as Record<number, string>)[account.account_type_id];
  return type === undefined || type === 'Traditional' || type === kept ? kept : `${kept}, ${type}`;
}

/** What is to be looked at in an account, or how its last comparison came out. */
function stateWords(account: Account, now: number, zone: TimeZone): string[] {
  const words = [
    hasProblem(account, 'unreconciled', now) ? 'Unreconciled' : null,
    hasProblem(account, 'failed', now) ? 'Last sync failed' : null,
    hasProblem(account, 'stale', now)
      ? account.last_update === null
        ? 'Never updated'
        : `Stale since ${formatDay(Date.parse(account.last_update), zone)}`
      : null,
  ].filter((word) => word !== null);
  if (words.length > 0) return words;
  const { reconciliation_status: status } = account;
  if (status === 'RECONCILED') return account.is_inactive ? ['Inactive', 'reconciled'] : ['Reconciled'];
  if (account.is_inactive) return ['Inactive'];
  return [status === 'NO_SNAPSHOT' ? 'No snapshot' : 'Not compared yet'];
}

/** The chain it is on, where its custodian does not say that already. */
function chainWords({ account: { blockchain }, custodianName }: AccountRow): string {
  return !blockchain || blockchain.toLowerCase() === custodianName.toLowerCase() ? '' : blockchain;
}

const isToDo = (account: Account, now: number): boolean => accountProblems.some((problem) => hasProblem(account, problem, now));

function valueWords({ value_usd: value }: Account, numbers: NumberStyle): string {
  return value ? formatUsd(value, numbers) : '–';
}

function accountColumns({ accounts, now, zone }: CardsProps & { zone: TimeZone }): TableColumn<AccountRow, AccountField>[] {
  const hasChains = accounts.some((row) => chainWords(row) !== '');
  return [
    { label: 'Account', sort: 'account', plain: ({ account }) => account.account_name },
    { label: 'Custodian', sort: 'custodian', plain: ({ custodianName }) => custodianName },
    { label: 'Kind', sort: 'kind', plain: ({ account }) => kindWords(account) },
    ...(hasChains ? [{ label: 'Chain', sort: 'chain', plain: chainWords } as const] : []),
    { label: 'Address', sort: 'address', plain: ({ account }) => displayAddress(account.address ?? '') },
    { label: 'Value (USD)', sort: 'value', isNumber: true, isRight: true, plain: ({ account }) => account.value_usd ?? '' },
    { label: 'State', sort: 'state', plain: ({ account }) => stateWords(account, now, zone).join(', ') },
  ];
}

interface CardsProps {
  accounts: readonly AccountRow[];
  now: EntityView['now'];
  /** Null where the user may not import. */
  onImport: ((account: Account) => void) | null;
}

type AccountsTableProps = CardsProps & TableOrder<AccountField>;

const cell = 'px-2 py-1 2xl:px-3';
// what can be done stays in view where the columns are wider than the screen
const actions = 'sticky right-0 bg-surface pl-2 text-right whitespace-nowrap 2xl:pl-3';

/** Words one after another, a line each where they have no room beside one another. */
function Lines({ words }: { words: readonly string[] }) {
  return words.map((word, index) => (
    <Fragment key={word}>
      {index > 0 ? ' ' : null}
      <span className="whitespace-nowrap">{index < words.length - 1 ? `${word},` : word}</span>
    </Fragment>
  ));
}

/** On a narrow screen each account is a few lines with the same words. */
function AccountCards({ accounts, now, onImport }: CardsProps) {
  const { zone, numbers } = usePreferences();
  return (
    <ul className="pb-10 text-grid">
      {accounts.map(({ account, custodianName }) => (
        <li key={account.id} className="flex items-center gap-3 border-t border-line px-4 py-2">
          <div className="min-w-0 grow">
            <p className="truncate font-medium">{account.account_name}</p>
            <p className="truncate text-small text-muted">
              {[custodianName, kindWords(account), chainWords({ account, custodianName })].filter(Boolean).join(' · ')}
            </p>
            <p className="figures truncate text-small text-muted">
              {account.value_usd ? `${valueWords(account, numbers)} USD · ` : ''}
              <span className={isToDo(account, now) ? 'font-medium text-warn' : ''}>{stateWords(account, now, zone).join(', ')}</span>
            </p>
            {account.address ? <p className="truncate font-mono text-small text-muted">{displayAddress(account.address)}</p> : null}
          </div>
          {onImport ? (
            <Button size="small" aria-label={`Import file into ${account.account_name}`} onClick={() => onImport(account)}>
              Import file
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** The accounts of an entity. */
export function AccountsTable({ sort, onSort, ...list }: AccountsTableProps) {
  const { now, onImport } = list;
  const isNarrow = useIsNarrow();
  const { zone, numbers } = usePreferences();
  const columns = accountColumns({ ...list, zone });
  const accounts = rowsInOrder(list.accounts, { columns, sort });
  if (isNarrow)
    return (
      <>
        <CardsOrder {...{ columns, sort, onSort }} />
        <AccountCards accounts={accounts} now={now} onImport={onImport} />
      </>
    );
  const hasChains = columns.some((column) => column.sort === 'chain');
  return (
    <div className="page-inset pb-10">
      {/* room for the ring around what has the focus */}
      <div className="relative -m-1 overflow-x-auto p-1">
        <OrderSaid columns={columns} sort={sort} />
        <table className="w-full text-grid">
          <thead>
            <tr className="text-small text-muted">
              <SortHeads {...{ columns, sort, onSort }} className="px-2 pb-1.5 font-medium whitespace-nowrap first:pl-0 2xl:px-3" />
              <th className={`${actions} pb-1.5`}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {accounts.map(({ account, custodianName }) => (
              <tr key={account.id} className="group h-9 border-t border-line hover:bg-hover">
                <td className="max-w-[30ch] truncate py-1 pr-2 font-medium 2xl:max-w-none 2xl:pr-3" title={account.account_name}>
                  {account.account_name}
                </td>
                <td className={`${cell} whitespace-nowrap`}>{custodianName}</td>
                <td className={cell}>{kindWords(account)}</td>
                {hasChains ? <td className={`${cell} capitalize`}>{chainWords({ account, custodianName })}</td> : null}
                <td className={cell}>
                  {account.address ? (
                    <span className="flex items-center gap-1">
                      <span className="max-w-[10ch] truncate font-mono text-small 2xl:max-w-none" title={displayAddress(account.address)}>
                        {displayAddress(account.address)}
                      </span>
                      <CopyButton text={displayAddress(account.address)} label="address" />
                    </span>
                  ) : null}
                </td>
                <td className={`${cell} figures text-right whitespace-nowrap`}>{valueWords(account, numbers)}</td>
                <td className={`${cell} ${isToDo(account, now) ? 'font-medium text-warn' : 'text-soft'}`}>
                  <Lines words={stateWords(account, now, zone)} />
                </td>
                <td className={`${actions} py-1 group-hover:bg-hover`}>
                  {onImport ? (
                    <Button size="small" aria-label={`Import file into ${account.account_name}`} onClick={() => onImport(account)}>
                      Import file
                    </Button>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
