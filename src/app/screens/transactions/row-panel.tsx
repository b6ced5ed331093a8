import { Link } from '@tanstack/react-router';
import type { FocusEvent, Ref } from 'react';
import { formatUsd, plainDecimal } from '#domain/amounts.ts';
import type { TimeZone } from '#domain/dates.ts';
import { typeName } from '#domain/transaction-types.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import type { PendingMark } from '#replica/overlay.ts';
import type { GridRow } from '#workers/start.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { useEditOf } from '#app/edit-of-row.ts';
import { markWords, wayWords } from '#app/shell/outbox-words.ts';
import { stateLooks } from '#app/shell/state-looks.tsx';
import { IconButton } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { CloseIcon } from '#app/ui/icons.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { AssetSection } from './asset-section.tsx';
import { MatchSection } from './match-section.tsx';
import { linesOf } from './panel-lines.ts';
import { matchWord, shownQuantity, signedQuantity, signedUsd } from '#domain/transaction-words.ts';
import type { AssetActions } from './use-asset-actions.ts';
import type { Mark } from './use-mark-transfer.ts';
import type { Names } from './use-names.ts';
import { ValueFilter, type ValueFilters } from './value-filter.tsx';

interface RowPanelProps {
  panel: Ref<HTMLElement>;
  onFocus: (event: FocusEvent) => void;
  row: GridRow;
  clientId: string;
  names: Names;
  zone: TimeZone;
  /** Null where the row has no asset. */
  asset: AssetActions | null;
  /** The list is of several entities. */
  saysEntity: boolean;
  filters: ValueFilters;
  onClose: () => void;
  onMark: ((mark: Mark) => void) | null;
}

/** How the person's edit of the row stands, and the way to it where it waits for them. */
function OwnEdit({ id, mark, zone }: { id: string; mark: PendingMark; zone: TimeZone }) {
  const edit = useEditOf({ noun: 'transactions', id });
  const hasNetwork = useHasNetwork();
  const isStuck = needsPerson(mark.state);
  return (
    <p className={`border-b border-line px-4 py-2 text-grid ${isStuck ? stateLooks[mark.state].ground : 'bg-subtle text-soft'}`}>
      Your edit: {markWords(mark, zone, hasNetwork)}
      {isStuck ? (
        <Link to="/outbox" search={{ edit: edit?.id }} className="ml-2 rounded-sm font-medium text-link underline">
          {wayWords(mark.state)}
        </Link>
      ) : null}
    </p>
  );
}

/** Everything about one row, beside the grid; from below on a narrow screen. */
export function RowPanel({ panel, onFocus, row, clientId, names, zone, asset, saysEntity, filters, onClose, onMark }: RowPanelProps) {
  const security = row.security_id === null ? undefined : names.security.get(row.security_id);
  const usd = signedUsd(row);
  const { numbers } = usePreferences();
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
        {row.pending ? <OwnEdit id={row.id} mark={row.pending} zone={zone} /> : null}
        <MatchSection
          key={row.id}
          {...{ row, clientId, names, onMark }}
          filter={
            <ValueFilter
              row={row}
              line={{ column: 'match', label: 'Match', text: matchWord(row.match_state) || 'None' }}
              filters={filters}
            />
          }
        />
        {asset && security ? <AssetSection ticker={security.ticker} actions={asset} /> : null}
        <dl className="px-4 py-2">
          {linesOf(row, { names, zone, numbers, saysEntity }).map((line) => (
            <div key={line.label} className="group flex min-h-8 items-start gap-3 py-1 text-grid">
              <dt className="w-24 shrink-0 py-0.5 text-muted">{line.label}</dt>
              <dd className="flex min-w-0 grow items-start gap-2">
                <span className={`figures min-w-0 grow py-0.5 break-words ${line.isMono ? 'font-mono text-small break-all' : ''}`}>
                  {line.text}
                </span>
                {line.copy === undefined ? null : <CopyButton text={line.copy} label={line.label.toLowerCase()} />}
                <ValueFilter row={row} line={line} filters={filters} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </aside>
  );
}
