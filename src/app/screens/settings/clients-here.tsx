import { Switch } from '@headlessui/react';
import { formatDate } from '#domain/dates.ts';
import { bytesOfTransaction } from '#replica/budget.ts';
import { useStatus } from '#app/engine-status.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { byteText } from '#domain/byte-text.ts';
import { type KeptClient, useKeptClients } from './use-kept-clients.ts';

function standing({ isKnown, isKept, isUnderWay, isLeaving, isLetGo, isComplete }: KeptClient): string {
  if (!isKnown) return 'Being looked at';
  if (isLeaving) return 'Goes once its edits are sent';
  if (isLetGo && !isKept) return 'No room';
  if (!isKept) return isUnderWay ? 'Being removed' : 'Not kept here';
  return isComplete ? 'Complete' : 'Being fetched';
}

function rowsHere({ isKnown, rows, rowsInAll }: KeptClient): string {
  if (!isKnown) return '–';
  const here = rows.toLocaleString('en-US');
  return rowsInAll === null || rowsInAll <= rows ? here : `${here} of ${rowsInAll.toLocaleString('en-US')}`;
}

/** Each client's part of what is on this device, and whether it is to be there. */
export function ClientsHere({ usedBytes }: { usedBytes: number | null }) {
  const { clients, keep } = useKeptClients();
  const { last_sync_at: lastSyncAt } = useStatus();
  const { zone } = usePreferences();
  if (clients === undefined) return null;
  const all = clients.reduce((sum, { rows }) => sum + rows, 0);
  // how much each takes the browser does not say; of what is not here the usual is told
  const size = ({ rows, rowsInAll }: KeptClient): string => {
    const here = usedBytes === null || all === 0 ? 0 : (usedBytes * rows) / all;
    const bytes = here + bytesOfTransaction * Math.max(0, (rowsInAll ?? rows) - rows);
    return bytes === 0 ? '' : byteText(bytes);
  };
  // a round that ended has asked for everything that is kept
  const freshness = ({ isKnown, isKept, isComplete }: KeptClient): string =>
    isKnown && isKept && isComplete && lastSyncAt !== null ? formatDate(lastSyncAt, zone) : '–';
  return (
    <>
      <p className="text-grid text-muted">
        Clients that are not kept here need the network: their names stay, their transactions come back from the server when you keep them
        again.
      </p>
      {clients.some(({ isLetGo }) => isLetGo) ? (
        <p className="rounded bg-warn-soft px-3 py-2 text-grid">
          There was no room on this device for all clients. One that went for that comes back when you open it; free some space on the disk,
          or leave out others.
        </p>
      ) : null}
      <div className="overflow-x-auto">
        <table className="figures w-full text-grid" aria-label="Clients on this device">
          <thead>
            <tr className="text-left text-small text-muted">
              <th className="pb-1 font-medium">Client</th>
              <th className="pb-1 pl-4 text-right font-medium">Rows</th>
              <th className="pb-1 pl-4 text-right font-medium max-sm:hidden">About</th>
              <th className="pb-1 pl-4 font-medium">Here</th>
              <th className="pb-1 pl-4 font-medium whitespace-nowrap">As of ({zone})</th>
              <th className="pb-1 pl-4 text-right font-medium">Keep</th>
            </tr>
          </thead>
          <tbody>
            {clients.map((client) => (
              <tr key={client.id} className="border-t border-line">
                <td className="max-w-0 w-full truncate py-1.5">{client.name}</td>
                <td className="py-1.5 pl-4 text-right whitespace-nowrap">{rowsHere(client)}</td>
                <td className="py-1.5 pl-4 text-right whitespace-nowrap text-soft max-sm:hidden">{size(client)}</td>
                <td className="py-1.5 pl-4 whitespace-nowrap text-soft">{standing(client)}</td>
                <td className="py-1.5 pl-4 whitespace-nowrap text-soft">{freshness(client)}</td>
                <td className="py-1.5 pl-4">
                  <Switch
                    checked={client.isKept}
                    disabled={!client.isKnown}
                    onChange={(isKept) => keep(client.id, isKept)}
                    aria-label={`Keep ${client.name} on this device`}
                    className="group relative ml-auto block h-5 w-9 rounded-full border border-control bg-subtle transition-colors duration-[120ms] data-checked:border-primary data-checked:bg-primary data-disabled:opacity-40"
                  >
                    <span
                      aria-hidden="true"
                      className="absolute top-[2px] left-[2px] size-3.5 rounded-full bg-muted transition-transform duration-[120ms] group-data-checked:translate-x-4 group-data-checked:bg-on-primary"
                    />
                  </Switch>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
