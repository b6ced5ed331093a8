import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { EntityBalance } from '#contract/balances.ts';
import type { Security } from '#contract/securities.ts';
import { formatPrice, formatUsd, sumOf } from '#domain/amounts.ts';
import { type ArchiveState, archiveStepsFrom, archiveVerbs, archiveWords } from '#domain/archive-words.ts';
import { countWords } from '#domain/count-words.ts';
import { alignedQuantity } from '#domain/transaction-words.ts';
import { formatDate } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import type { SortStep } from '#domain/sorting.ts';
import { standingOf } from '#replica/archived-assets.ts';
import { Button } from '#app/ui/button.tsx';
import { type MenuPlace, PopupMenu } from '#app/ui/grid/popup-menu.tsx';
import { OrderSaid } from '#app/ui/sort-sign.tsx';
import { SortHeads } from '#app/ui/table/sort-heads.tsx';
import { CardsOrder } from '#app/ui/table/cards-order.tsx';
import { rowsInOrder, type TableColumn } from '#app/ui/table/table-column.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { type ArchiveAsset, useArchiveAsset } from '#app/use-archive-asset.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { Panel } from './panel.tsx';
import { useBalances, useClientAssets } from './use-entity-panels.ts';

type BalanceField = 'asset' | 'quantity' | 'price' | 'value';

const number = { isNumber: true, isRight: true, look: 'px-3' };
const columns: readonly TableColumn<EntityBalance, BalanceField>[] = [
  { label: 'Asset', sort: 'asset', plain: ({ ticker }) => ticker, look: 'pr-3' },
  { label: 'Quantity', sort: 'quantity', ...number, plain: ({ quantity }) => quantity },
  { label: 'Price (USD)', sort: 'price', ...number, plain: ({ price }) => price ?? '' },
  { label: 'Value (USD)', sort: 'value', ...number, plain: ({ usd_volume: usd }) => usd ?? '' },
];

interface BalanceProps {
  balance: EntityBalance;
  state: ArchiveState;
  security: Security | undefined;
  entityId: string;
  clientId: string;
  /** Null where the user may not archive. */
  archive: ArchiveAsset | null;
}

/** The name of an asset, which leads to its rows, and the word it bears. */
function AssetName({ balance, state, entityId }: BalanceProps) {
  return (
    <>
      <Link
        to="/transactions"
        search={{ entity: entityId, security: balance.security_id, dates: 'all' }}
        className="font-medium text-link hover:underline"
      >
        <bdi>{balance.ticker}</bdi>
      </Link>
      <bdi className="pl-2 text-muted">{balance.security_name}</bdi>
      {state === 'shown' ? null : <span className="ml-2 rounded-full bg-subtle px-2 text-small text-soft">{archiveWords[state]}</span>}
    </>
  );
}

function AssetMenu({ balance, state, clientId, archive }: BalanceProps) {
  const [at, setAt] = useState<MenuPlace | null>(null);
  if (!archive) return null;
  const asset = { id: balance.security_id, ticker: balance.ticker };
  return (
    <>
      <Button
        size="small"
        look="quiet"
        aria-haspopup="menu"
        aria-label={`Actions for ${balance.ticker}`}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom + 4 });
        }}
      >
        Actions
      </Button>
      {at ? (
        <PopupMenu
          label={`Actions for ${balance.ticker}`}
          at={at}
          onClose={() => setAt(null)}
          choices={archiveStepsFrom(state).map((to) => ({
            key: to,
            label: archiveVerbs[to],
            run: () => void archive(clientId, [asset], to),
          }))}
        />
      ) : null}
    </>
  );
}

function figuresOf({ balance: { quantity, price, usd_volume }, security }: BalanceProps, numbers: NumberStyle) {
  return {
    quantity: alignedQuantity(quantity, security, numbers),
    price: price === null ? '–' : formatPrice(price, numbers),
    usd: usd_volume === null ? 'Unpriced' : formatUsd(usd_volume, numbers),
  };
}

function BalanceCard(props: BalanceProps) {
  const { quantity, usd } = figuresOf(props, usePreferences().numbers);
  return (
    <li className="flex items-center gap-3 border-t border-line px-4 py-2 text-grid">
      <div className="min-w-0 grow">
        <p className="truncate">
          <AssetName {...props} />
        </p>
        <p className="figures truncate text-small text-muted">
          {quantity} · {usd} USD
        </p>
      </div>
      <AssetMenu {...props} />
    </li>
  );
}

function BalanceRow(props: BalanceProps) {
  const { balance } = props;
  const { numbers, zone } = usePreferences();
  const { quantity, price, usd } = figuresOf(props, numbers);
  const cell = 'figures px-3 py-1 text-right whitespace-nowrap';
  return (
    <tr className="border-t border-line hover:bg-hover">
      <td className="w-full max-w-0 truncate py-1 pr-3">
        <AssetName {...props} />
      </td>
      <td className={cell} title={balance.quantity}>
        {quantity}
      </td>
      <td className={cell} title={balance.price_at === null ? '' : `As of ${formatDate(Date.parse(balance.price_at), zone)} ${zone}`}>
        {price}
      </td>
      <td className={cell} title={balance.usd_volume ?? ''}>
        {usd}
      </td>
      <td className="py-1 pl-3 text-right">
        <AssetMenu {...props} />
      </td>
    </tr>
  );
}

/** What an entity holds by its rows, without what its client archived unless one asks to see it. */
export function BalancesPanel({ entityId, clientId }: { entityId: string; clientId: string }) {
  const state = useBalances(entityId);
  const { securities, archived } = useClientAssets(clientId);
  const archive = useArchiveAsset();
  const { numbers } = usePreferences();
  const isNarrow = useIsNarrow();
  const [isWhole, setIsWhole] = useState(false);
  const [sort, onSort] = useState<SortStep<BalanceField>[]>([]);
  const stateOf = ({ security_id: id }: EntityBalance): ArchiveState => standingOf(archived.get(id));
  const aside = state.step === 'here' ? state.rows.filter((row) => stateOf(row) !== 'shown').length : 0;
  const propsOf = (balance: EntityBalance): BalanceProps => ({
    balance,
    state: stateOf(balance),
    security: securities.get(balance.security_id),
    entityId,
    clientId,
    archive,
  });
  return (
    <Panel
      title="Balances"
      state={state}
      choice={
        aside > 0 ? (
          <label className="flex cursor-pointer items-center gap-2 text-grid text-soft">
            <input type="checkbox" checked={isWhole} onChange={() => setIsWhole(!isWhole)} className="size-4 accent-primary" />
            Show {countWords(aside, 'archived asset')}
          </label>
        ) : null
      }
    >
      {(rows) => {
        const shown = rows.filter((row) => isWhole || stateOf(row) === 'shown');
        if (shown.length === 0) return <p className="page-inset pb-6 text-soft">This entity holds nothing by its transactions.</p>;
        const ordered = rowsInOrder(shown, { columns, sort });
        const total = formatUsd(sumOf(shown.flatMap(({ usd_volume: usd }) => usd ?? [])), numbers);
        if (isNarrow)
          return (
            <>
              <CardsOrder {...{ columns, sort, onSort }} />
              <ul aria-label="Balances">
                {ordered.map((balance) => (
                  <BalanceCard key={balance.security_id} {...propsOf(balance)} />
                ))}
                <li className="figures border-t border-line-strong px-4 py-2 text-grid font-semibold">Total {total} USD</li>
              </ul>
            </>
          );
        return (
          <div className="page-inset overflow-x-auto">
            <OrderSaid columns={columns} sort={sort} />
            <table aria-label="Balances" className="w-full text-grid">
              <thead>
                <tr className="text-small text-muted">
                  <SortHeads {...{ columns, sort, onSort }} className="pb-1.5 font-medium whitespace-nowrap" />
                  <th className="pb-1.5">
                    <span className="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {ordered.map((balance) => (
                  <BalanceRow key={balance.security_id} {...propsOf(balance)} />
                ))}
              </tbody>
              <tfoot>
                <tr className="border-t border-line-strong font-semibold">
                  <th scope="row" colSpan={3} className="py-1.5 pr-3 text-left">
                    Total of what has a price
                  </th>
                  <td className="figures px-3 py-1.5 text-right whitespace-nowrap">{total}</td>
                  <td />
                </tr>
              </tfoot>
            </table>
          </div>
        );
      }}
    </Panel>
  );
}
