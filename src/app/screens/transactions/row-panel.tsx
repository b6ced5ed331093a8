import { Link } from '@tanstack/react-router';
import type { FocusEvent, Ref } from 'react';
import { displayAddress } from '#domain/addresses.ts';
import { exactAmount, formatUsd, plainDecimal } from '#domain/amounts.ts';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import { typeName } from '#domain/transaction-types.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import type { GridRow } from '#workers/start.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import type { Preferences } from '#app/preferences.ts';
import { markWords } from '#app/shell/outbox-words.ts';
import { IconButton } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { CloseIcon } from '#app/ui/icons.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { AssetSection } from './asset-section.tsx';
import { MatchSection } from './match-section.tsx';
import { flagWords, shownQuantity, signedQuantity, signedUsd } from '#domain/transaction-words.ts';
import type { AssetActions } from './use-asset-actions.ts';
import type { Mark } from './use-mark-transfer.ts';
import type { Names } from './use-names.ts';

interface Line {
  label: string;
  text: string;
  /** What copying gives, where it is worth copying. */
  copy?: string;
  isMono?: boolean;
}

function linesOf(row: GridRow, names: Names, { zone, numbers }: Pick<Preferences, 'zone' | 'numbers'>): Line[] {
  const ticker = (id: string | null): string => (id === null ? '' : (names.security.get(id)?.ticker ?? ''));
  const quantity = plainDecimal(signedQuantity(row));
  const usd = signedUsd(row);
  const long = (label: string, text: string | null): Line[] =>
    text ? [{ label, text: displayAddress(text), copy: displayAddress(text), isMono: true }] : [];
  return [
    { label: 'Date', text: `${formatDate(Date.parse(row.trx_date), zone)} ${zone}`, copy: row.trx_date },
    { label: 'Account', text: names.account.get(row.account_id)?.account_name ?? row.account_id },
    { label: 'Custodian', text: names.custodian.get(row.custodian_id)?.custodian_name ?? row.custodian_id },
    { label: 'Type', text: typeName(row.trx_type_id) },
    {
      label: 'Security',
      text:
        row.security_id === null
          ? 'Unidentified'
          : `${ticker(row.security_id)}, ${names.security.get(row.security_id)?.security_name ?? 'not here yet'}`,
    },
    { label: 'Quantity', text: `${exactAmount(quantity, numbers)} ${ticker(row.security_id)}`, copy: quantity },
    ...(row.price === null ? [] : [{ label: 'Price', text: `${exactAmount(row.price, numbers)} USD`, copy: plainDecimal(row.price) }]),
    usd === null
      ? { label: 'USD value', text: row.unpriced_trx ? 'Unpriced' : 'None' }
      : { label: 'USD value', text: exactAmount(usd, numbers), copy: plainDecimal(usd) },
    ...(row.fee_quantity === null
      ? []
      : [
          {
            label: 'Fee',
            text: `${exactAmount(row.fee_quantity, numbers)} ${ticker(row.fee_security_id)}`,
            copy: plainDecimal(row.fee_quantity),
          },
        ]),
    ...(row.fee_usd === null ? [] : [{ label: 'Fee in USD', text: exactAmount(row.fee_usd, numbers), copy: plainDecimal(row.fee_usd) }]),
    ...(flagWords(row).length > 0 ? [{ label: 'Flags', text: flagWords(row).join(', ') }] : []),
    ...long('Tx hash', row.tx_hash),
    ...long('From', row.from_address),
    ...long('To', row.to_address),
    ...(row.description ? [{ label: 'Description', text: row.description, copy: row.description }] : []),
    ...(row.trade_group_id ? [{ label: 'Trade group', text: row.trade_group_id, copy: row.trade_group_id, isMono: true }] : []),
    { label: 'Id', text: row.id, copy: row.id, isMono: true },
  ];
}

interface RowPanelProps {
  panel: Ref<HTMLElement>;
  onFocus: (event: FocusEvent) => void;
  row: GridRow;
  clientId: string;
  names: Names;
  zone: TimeZone;
  /** Null where the row has no asset. */
  asset: AssetActions | null;
  onClose: () => void;
  onMark: ((mark: Mark) => void) | null;
}

/** Everything about one row, beside the grid; from below on a narrow screen. */
export function RowPanel({ panel, onFocus, row, clientId, names, zone, asset, onClose, onMark }: RowPanelProps) {
  const security = row.security_id === null ? undefined : names.security.get(row.security_id);
  const usd = signedUsd(row);
  const { numbers } = usePreferences();
  const hasNetwork = useHasNetwork();
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label="Transaction"
      onFocus={onFocus}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
      className="ring-inner flex w-[380px] shrink-0 flex-col border-l border-line-strong bg-surface max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:max-h-[75%] max-md:w-full max-md:rounded-t max-md:border-t max-md:border-l-0 max-md:shadow-pop print:hidden"
    >
      <div className="flex items-start gap-2 border-b border-line py-3 pr-2 pl-4">
        <div className="min-w-0 grow">
          <h2 className="text-grid text-muted">{typeName(row.trx_type_id)}</h2>
          <p className="figures text-base font-semibold break-words" title={plainDecimal(signedQuantity(row))}>
            {shownQuantity(signedQuantity(row), security, numbers)} {security?.ticker}
          </p>
          <p className="figures text-grid text-soft">
            {usd === null ? (row.unpriced_trx ? 'Unpriced' : '') : `${formatUsd(usd, numbers)} USD`}
          </p>
        </div>
        <IconButton label="Close" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      <div className="min-h-0 grow overflow-y-auto">
        {row.pending ? (
          <p
            className={`border-b border-line px-4 py-2 text-grid ${needsPerson(row.pending.state) ? 'bg-warn-soft' : 'bg-subtle text-soft'}`}
          >
            Your edit: {markWords(row.pending, zone, hasNetwork)}
            {needsPerson(row.pending.state) ? (
              <Link to="/outbox" className="ml-2 rounded-sm font-medium text-link underline">
                Open Outbox
              </Link>
            ) : null}
          </p>
        ) : null}
        <MatchSection key={row.id} row={row} clientId={clientId} names={names} onMark={onMark} />
        {asset && security ? <AssetSection ticker={security.ticker} actions={asset} /> : null}
        <dl className="px-4 py-2">
          {linesOf(row, names, { zone, numbers }).map((line) => (
            <div key={line.label} className="group flex min-h-8 items-start gap-3 py-1 text-grid">
              <dt className="w-24 shrink-0 py-0.5 text-muted">{line.label}</dt>
              <dd className="flex min-w-0 grow items-start gap-2">
                <span className={`figures min-w-0 grow py-0.5 break-words ${line.isMono ? 'font-mono text-small break-all' : ''}`}>
                  {line.text}
                </span>
                {line.copy === undefined ? null : <CopyButton text={line.copy} label={line.label.toLowerCase()} />}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </aside>
  );
}
