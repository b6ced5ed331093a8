import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '#contract/errors.ts';
import type { Ticket } from '#contract/tickets.ts';
import { fileSizeText } from '#domain/byte-text.ts';
import { formatDate } from '#domain/dates.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { priorityWords } from './ticket-words.ts';
import { useTicket } from './use-ticket-history.ts';

const route = getRouteApi('/_app/tickets/$ticketId');

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-small text-muted">{label}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line pt-4">
      <h2 className="pb-2 text-base font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function isKnownPriority(name: string): name is keyof typeof priorityWords {
  return Object.hasOwn(priorityWords, name);
}

function TicketPage({ ticket: { id, key, fields } }: { ticket: Ticket }) {
  const { zone } = usePreferences();
  const { apiBaseUrl } = useServices();
  const at = (iso: string): string => `${formatDate(Date.parse(iso), zone)} ${zone}`;
  const { name } = fields.priority;
  return (
    <>
      <PageHead title={fields.summary} crumbs={<span className="figures">Ticket {key}</span>} />
      <div className="page-inset flex max-w-[880px] flex-col gap-4 pb-10">
        <dl className="flex flex-wrap gap-x-10 gap-y-3">
          <Field label="Status">{fields.status.name}</Field>
          <Field label="Priority">{isKnownPriority(name) ? priorityWords[name] : name}</Field>
          <Field label="Reporter">
            <bdi>{fields.reporter.emailAddress}</bdi>
          </Field>
          <Field label="Submitted">
            <span className="figures">{at(fields.created)}</span>
          </Field>
        </dl>
        <Part title="Description">
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {fields.description}
          </p>
        </Part>
        <Part title="Attachment">
          {fields.attachment.length === 0 ? <p className="text-muted">None</p> : null}
          {fields.attachment.map(({ id: attachmentId, filename, size }) => (
            <p key={attachmentId}>
              <a href={`${apiBaseUrl}/ticket/attachment/${encodeURIComponent(id)}`} download={filename} className="text-link underline">
                <bdi>{filename}</bdi>
              </a>{' '}
              <span className="text-muted">{fileSizeText(size)}</span>
            </p>
          ))}
        </Part>
        <Part title="Activity">
          {fields.activity.length === 0 ? <p className="text-muted">Sorry, there is no activity on this ticket yet.</p> : null}
          <ul className="flex flex-col gap-2">
            {fields.activity.map(({ id: activityId, created, author, body }) => (
              <li key={activityId}>
                <p className="break-words">
                  <bdi>{body}</bdi>
                </p>
                <p className="text-grid text-muted">
                  <bdi>{author.emailAddress}</bdi>, <span className="figures">{at(created)}</span>
                </p>
              </li>
            ))}
          </ul>
        </Part>
      </div>
    </>
  );
}

/** One ticket: what it says, how it stands, and what happened to it. The server alone knows it, so it needs the network. */
export function TicketScreen() {
  const { ticketId } = route.useParams();
  const { data, error, refetch } = useTicket(ticketId);
  if (data) return <TicketPage ticket={data} />;
  if (!error) return <SkeletonRows rows={6} />;
  const isUnknown = error instanceof ApiError && error.code === 'not_found';
  return (
    <EmptyState
      title={isUnknown ? 'There is no such ticket' : 'The ticket cannot be shown'}
      actions={
        <>
          {isUnknown ? null : <Button onClick={() => void refetch()}>Try again</Button>}
          <Link to="/home" className="inline-flex h-9 items-center font-medium text-link underline">
            Go to Home
          </Link>
        </>
      }
    >
      {isUnknown ? 'It does not exist, or you may not see it.' : textOfError(error)}
    </EmptyState>
  );
}
