import { type MouseEvent, type ReactNode, useRef } from 'react';
import { useLiveQuery } from 'dexie-react-hooks';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import { exactAmount, plainDecimal } from '#domain/amounts.ts';
import { formatDate } from '#domain/dates.ts';
import { typeName } from '#domain/transaction-types.ts';
import { matchesOfTransaction } from '#replica/nouns.ts';
import type { GridRow } from '#workers/start.ts';
import { Button } from '#app/ui/button.tsx';
import { ariaKeys } from '#app/ui/chords.ts';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { useReplica } from '#app/use-replica.ts';
import { matchWord, reasonText, shownQuantity, signedQuantity } from '#domain/transaction-words.ts';
import { rowKeys } from './transaction-keys.ts';
import { useCounterpart } from './use-counterpart.ts';
import { type Mark, otherLegOf } from './use-mark-transfer.ts';
import type { Names } from './use-names.ts';

interface MatchProps {
  row: GridRow;
  clientId: string;
  names: Names;
}

interface CounterpartProps {
  /** Undefined while it is looked for, null where it is not on this device. */
  counterpart: GridRow | null | undefined;
  id: string;
  names: Names;
  /** Whether it is said how the row is marked by now: it need not be with this one. */
  tellsState: boolean;
}

function Counterpart({ counterpart, id, names, tellsState }: CounterpartProps) {
  const { zone, numbers } = usePreferences();
  if (counterpart === undefined) return <span aria-hidden="true" className="bones block h-4 w-48" />;
  if (counterpart === null) return <p className="text-grid break-all text-muted">The other row is not on this device: {id}</p>;
  const security = counterpart.security_id === null ? undefined : names.security.get(counterpart.security_id);
  return (
    <div className="text-grid">
      <p className="font-medium">{names.account.get(counterpart.account_id)?.account_name ?? counterpart.account_id}</p>
      <p className="figures text-soft">
        {formatDate(Date.parse(counterpart.trx_date), zone)}, {typeName(counterpart.trx_type_id)}
      </p>
      <p className="figures text-soft" title={plainDecimal(signedQuantity(counterpart))}>
        {shownQuantity(signedQuantity(counterpart), security, numbers)} {security?.ticker}
      </p>
      {tellsState && counterpart.match_state !== null && counterpart.match_state !== 'REJECTED' ? (
        <p className="text-soft">Marked since: {matchWord(counterpart.match_state)}</p>
      ) : null}
    </div>
  );
}

const stateLooks = { PENDING: 'bg-warn-soft text-warn', APPROVED: 'bg-ok-soft text-ok', REJECTED: 'bg-subtle text-muted' } as const;

interface OneMatchProps extends MatchProps {
  match: TransactionMatch;
  /** Null where the user may not decide. */
  onPair: ((event: MouseEvent, counterpart: GridRow) => void) | null;
}

function Match({ match, onPair, ...rest }: OneMatchProps) {
  const { numbers } = usePreferences();
  const other = otherLegOf(match, rest.row.id);
  const counterpart = useCounterpart(rest.clientId, rest.row, other);
  const isRejected = match.state === 'REJECTED';
  return (
    <li className="rounded border border-line p-3">
      <div className="mb-1.5 flex items-center gap-2 text-small">
        <span className={`rounded-full px-2 py-0.5 font-semibold ${stateLooks[match.state]}`}>{matchWord(match.state)}</span>
        <span className="text-muted">{match.source === 'engine' ? 'Suggested' : 'By hand'}</span>
        {match.score === null ? null : <span className="figures ml-auto text-muted">Score {match.score}</span>}
      </div>
      {other === null ? (
        <p className="text-grid text-muted">No other row: marked alone</p>
      ) : (
        <Counterpart counterpart={counterpart} id={other} names={rest.names} tellsState={isRejected} />
      )}
      {match.reason ? <p className="mt-1.5 text-grid text-soft">{reasonText(match.reason)}</p> : null}
      {match.quantity_difference === null ? null : (
        <p className="figures mt-0.5 text-grid text-muted">Difference {exactAmount(match.quantity_difference, numbers)}</p>
      )}
      {onPair && counterpart && isRejected ? (
        <Button size="small" className="mt-2" onClick={(event) => onPair(event, counterpart)}>
          Mark transfer with this row
        </Button>
      ) : null}
    </li>
  );
}

interface MatchSectionProps extends MatchProps {
  /** Null where the user may not decide. */
  onMark: ((mark: Mark) => void) | null;
  /** Beside how the row stands: what narrows the list to it. */
  filter: ReactNode;
}

/** The matches of a row with the other legs, and the decision. */
export function MatchSection({ onMark, filter, ...rest }: MatchSectionProps) {
  const replica = useReplica();
  const matches = useLiveQuery(() => matchesOfTransaction(replica, rest.row.id), [replica, rest.row.id]);
  // a row that is decided may leave the list: the second click of a double one would decide about the row that takes its place
  const decide = ({ detail: clicks }: MouseEvent, mark: Mark): void => {
    if (clicks < 2) onMark?.(mark);
  };
  const section = useRef<HTMLElement>(null);
  // a pair that is marked again takes its button along
  const onFocus = useLostFocus(() => section.current?.focus());
  return (
    <section ref={section} tabIndex={-1} aria-label="Match" onFocus={onFocus} className="ring-inner border-b border-line px-4 py-3">
      <div className="group mb-2 flex items-center gap-2">
        <h3 className="grow text-grid font-semibold">Match</h3>
        <span className="text-grid text-soft">{matchWord(rest.row.match_state) || 'None'}</span>
        {filter}
      </div>
      {matches && matches.length > 0 ? (
        <ul className="flex flex-col gap-2">
          {matches.map((match) => (
            <Match
              key={match.id}
              match={match}
              onPair={onMark && ((event, counterpart) => decide(event, { isTransfer: true, counterpart }))}
              {...rest}
            />
          ))}
        </ul>
      ) : null}
      {onMark ? (
        <div className="mt-3 flex gap-2">
          <Button
            size="small"
            look={rest.row.match_state === 'PENDING' ? 'primary' : 'plain'}
            aria-keyshortcuts={ariaKeys(rowKeys.transfer)}
            onClick={(event) => decide(event, { isTransfer: true })}
          >
            Mark transfer
          </Button>
          <Button size="small" aria-keyshortcuts={ariaKeys(rowKeys.notTransfer)} onClick={(event) => decide(event, { isTransfer: false })}>
            Not a transfer
          </Button>
        </div>
      ) : null}
    </section>
  );
}
