import { Link } from '@tanstack/react-router';
import { textOfError } from '#app/notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { FormProblem } from '#app/ui/form-problem.tsx';
import { useTicketHistory } from './use-ticket-history.ts';

/** The height above which the box scrolls, in pixels. @source specification section 9 */
export const historyHeight = 150;

/** What the reporter reported so far, the newest first. */
export function TicketHistory({ reporter, onLeave }: { reporter: string; onLeave: () => void }) {
  const { data, error, refetch } = useTicketHistory(reporter);
  if (error)
    return (
      <div className="flex items-center gap-2">
        <FormProblem text={textOfError(error)} />
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  return (
    <section aria-label="Tickets of this reporter" className="text-grid">
      <h3 className="pb-1 font-medium text-soft">
        Tickets of <bdi>{reporter}</bdi>
      </h3>
      {/* a box that scrolls can be reached by keys */}
      <div
        role="group"
        aria-label="History"
        tabIndex={0}
        style={{ maxHeight: historyHeight }}
        className="overflow-y-auto rounded border border-line"
      >
        {data === undefined ? (
          <p className="px-3 py-2 text-muted">Loading…</p>
        ) : data.issues.length === 0 ? (
          <p className="px-3 py-2 text-muted">Sorry, there are no tickets associated with this reporter.</p>
        ) : (
          <ul>
            {data.issues.map(({ id, key, fields }) => (
              <li key={id} className="flex items-baseline gap-3 border-b border-line px-3 py-1.5 last:border-b-0">
                <Link
                  to="/tickets/$ticketId"
                  params={{ ticketId: id }}
                  onClick={onLeave}
                  className="figures shrink-0 font-medium text-link underline"
                >
                  {key}
                </Link>
                <span className="min-w-0 grow truncate" title={fields.summary}>
                  <bdi>{fields.summary}</bdi>
                </span>
                <span className="shrink-0 text-muted">{fields.status.name}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
