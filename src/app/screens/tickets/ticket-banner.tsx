import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useHasNetwork } from '#app/engine-status.tsx';
import type { TicketProgress } from './ticket-progress.ts';

const looks = { info: 'bg-selected', ok: 'bg-ok-soft', warn: 'bg-warn-soft' } as const;

function Banner({ look, children }: { look: keyof typeof looks; children: ReactNode }) {
  return <p className={`rounded px-3 py-2 text-grid ${looks[look]}`}>{children}</p>;
}

function TicketLine({ progress: { ticket, submitted }, onLeave }: { progress: TicketProgress; onLeave: () => void }) {
  const hasNetwork = useHasNetwork();
  switch (ticket.step) {
    case 'waiting':
      return (
        <Banner look="info">
          {hasNetwork && !ticket.isUnanswered
            ? 'Ticket is being submitted…'
            : 'There is no network. The ticket is kept on this device and sent when the network is back; Outbox shows it.'}
        </Banner>
      );
    case 'accepted':
      return (
        <Banner look="ok">
          <span className="font-semibold text-ok">Ticket has been submitted!</span>{' '}
          {submitted ? (
            <Link to="/tickets/$ticketId" params={{ ticketId: submitted.id }} onClick={onLeave} className="font-medium underline">
              {submitted.key}
            </Link>
          ) : null}
        </Banner>
      );
    case 'let_go':
      return <Banner look="warn">The ticket was discarded.</Banner>;
    case 'refused':
      return null;
  }
}

function AttachmentLine({ progress: { ticket, attachment } }: { progress: TicketProgress }) {
  if (!attachment || ticket.step !== 'accepted') return null;
  switch (attachment.step) {
    case 'waiting':
      return <Banner look="info">Attachment being uploaded…</Banner>;
    case 'accepted':
      return <Banner look="ok">Attachment successfully added to ticket</Banner>;
    case 'let_go':
      return <Banner look="warn">The screenshot was discarded.</Banner>;
    case 'refused':
      return <Banner look="warn">The screenshot was not added: {attachment.reason}. Outbox keeps it.</Banner>;
  }
}

/** What has become of the ticket and of its screenshot. */
export function TicketBanner({ progress, onLeave }: { progress: TicketProgress | null; onLeave: () => void }) {
  return (
    <div role="status" className="flex flex-col gap-2 empty:hidden">
      {progress ? (
        <>
          <TicketLine progress={progress} onLeave={onLeave} />
          <AttachmentLine progress={progress} />
        </>
      ) : null}
    </div>
  );
}
