import { lazy, Suspense } from 'react';

// fetched when it is first opened: the shell and the error screen are there before everything else
const TicketDialog = lazy(async () => ({ default: (await import('./ticket-dialog.tsx')).TicketDialog }));

/** The ticket dialog about a page; nothing where that is null. */
export function ReportDialog({ pageUrl, onClose }: { pageUrl: string | null; onClose: () => void }) {
  if (pageUrl === null) return null;
  return (
    <Suspense fallback={null}>
      <TicketDialog pageUrl={pageUrl} onClose={onClose} />
    </Suspense>
  );
}
