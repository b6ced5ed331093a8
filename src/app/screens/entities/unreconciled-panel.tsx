import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountBreak, UnreconciledAccount } from '#contract/reconciliations.ts';
import type { Security } from '#contract/securities.ts';
import { formatUsd } from '#domain/amounts.ts';
import { breakFigures, unreconciledWords } from '#domain/break-words.ts';
import { dayAtEndOf, previousMonth, writtenDay } from '#domain/dates.ts';
import type { SortStep } from '#domain/sorting.ts';
import { useServices } from '#app/services.tsx';
import { DayInput } from '#app/ui/day-input.tsx';
import { OrderSaid } from '#app/ui/sort-sign.tsx';
import { SortHeads } from '#app/ui/table/sort-heads.tsx';
import { CardsOrder } from '#app/ui/table/cards-order.tsx';
import type { TableOrder } from '#app/ui/table/table-column.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { Panel } from './panel.tsx';
import { accountsInOrder, type BreakField, unreconciledColumns } from './unreconciled-order.ts';
import { useClientAssets, useUnreconciled } from './use-entity-panels.ts';

interface AccountProps {
  account: UnreconciledAccount;
  entityId: string;
  day: string;
  securities: ReadonlyMap<string, Security>;
}

const securityOf = ({ security_id: id }: AccountBreak, securities: AccountProps['securities']): Security | undefined =>
  id === null ? undefined : securities.get(id);

/** The way to the rows an account's balances come from, up to the day; the list's days are of the chosen zone. */
function AccountLink({ account, entityId, day }: Omit<AccountProps, 'securities'>) {
  const { zone } = usePreferences();
  return (
    <Link
      to="/transactions"
      search={{ entity: entityId, account: account.account_id, to: dayAtEndOf(day, zone) }}
      className="font-medium text-link hover:underline"
    >
      <bdi>{account.account_name}</bdi>
    </Link>
  );
}

function AccountCard({ account, entityId, day, securities }: AccountProps) {
  const { numbers } = usePreferences();
  return (
    <li className="border-t border-line px-4 py-2 text-grid">
      <div className="flex items-baseline gap-3">
        <AccountLink {...{ account, entityId, day }} />
        {account.difference_usd === null ? null : (
          <span className="figures ml-auto shrink-0 font-semibold">{formatUsd(account.difference_usd, numbers)} USD</span>
        )}
      </div>
      <p className="text-small text-muted">{unreconciledWords(account)}</p>
      {account.breaks.map((one, at) => {
        const { reported, computed, difference } = breakFigures(one, securityOf(one, securities), numbers);
        return (
          <p key={at} className="figures pt-0.5 text-small text-soft">
            <span className="font-medium">{one.ticker}</span> reported {reported}, computed {computed}, difference {difference}
          </p>
        );
      })}
    </li>
  );
}

const cell = 'figures px-3 py-1 text-right whitespace-nowrap';

function AccountRows({ account, entityId, day, securities }: AccountProps) {
  const { numbers } = usePreferences();
  return (
    <tbody>
      <tr className="border-t border-line bg-subtle">
        <th scope="rowgroup" colSpan={4} className="py-1.5 pr-3 pl-2 text-left font-normal">
          <AccountLink {...{ account, entityId, day }} />
          <span className="pl-3 text-muted">
            {account.custodian_name} · {unreconciledWords(account)}
          </span>
        </th>
        <td className={`${cell} font-semibold`}>{account.difference_usd === null ? '–' : formatUsd(account.difference_usd, numbers)}</td>
      </tr>
      {account.breaks.map((one, at) => {
        const { reported, computed, difference, usd } = breakFigures(one, securityOf(one, securities), numbers);
        return (
          <tr key={at} className="border-t border-line hover:bg-hover">
            <td className="w-full py-1 pr-3 pl-6">{one.ticker}</td>
            <td className={cell} title={one.reported ?? 'Not reported'}>
              {reported}
            </td>
            <td className={cell} title={one.computed}>
              {computed}
            </td>
            <td className={cell} title={one.difference}>
              {difference}
            </td>
            <td className={cell} title={one.difference_usd ?? 'No price'}>
              {usd}
            </td>
          </tr>
        );
      })}
    </tbody>
  );
}

interface AccountsProps extends Omit<AccountProps, 'account'>, TableOrder<BreakField> {
  accounts: readonly UnreconciledAccount[];
}

function Accounts({ sort, onSort, ...props }: AccountsProps) {
  const isNarrow = useIsNarrow();
  const { accounts: usual, ...rest } = props;
  const accounts = accountsInOrder(usual, sort);
  const columns = unreconciledColumns;
  if (isNarrow)
    return (
      <>
        <CardsOrder {...{ columns, sort, onSort }} />
        <ul aria-label="Unreconciled accounts">
          {accounts.map((account) => (
            <AccountCard key={account.account_id} account={account} {...rest} />
          ))}
        </ul>
      </>
    );
  return (
    <div className="page-inset overflow-x-auto">
      <OrderSaid columns={columns} sort={sort} />
      <table aria-label="Unreconciled accounts" className="w-full text-grid">
        <thead>
          <tr className="text-small text-muted">
            <SortHeads {...{ columns, sort, onSort }} className="pb-1.5 font-medium whitespace-nowrap" />
          </tr>
        </thead>
        {accounts.map((account) => (
          <AccountRows key={account.account_id} account={account} {...rest} />
        ))}
      </table>
    </div>
  );
}

/** The accounts whose reported balances are not what their rows come to, as of a day one chooses; the worst first, as a rule. */
export function UnreconciledPanel({ entityId, clientId }: { entityId: string; clientId: string }) {
  const { clock } = useServices();
  const { zone } = usePreferences();
  const [day, setDay] = useState(() => previousMonth(clock(), zone).to);
  const [sort, onSort] = useState<SortStep<BreakField>[]>([]);
  const state = useUnreconciled(entityId, day);
  const { securities } = useClientAssets(clientId);
  return (
    <Panel
      title="Unreconciled accounts"
      state={state}
      unasked="Choose a day to see which accounts do not tie out at its end."
      choice={
        <div className="flex items-center gap-2 text-grid text-muted">
          <span aria-hidden="true">As of the end of day (UTC)</span>
          <DayInput label="As of the end of day (UTC)" value={day} onChange={setDay} />
        </div>
      }
    >
      {(accounts) =>
        accounts.length === 0 ? (
          <p className="page-inset pb-6 text-soft">Every account ties out as of {writtenDay(day)}.</p>
        ) : (
          <Accounts {...{ accounts, entityId, day, securities, sort, onSort }} />
        )
      }
    </Panel>
  );
}
