import { useState } from 'react';
import { isAllowed } from '#domain/permissions.ts';
import { useUserIfAny } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { ReportDialog } from './report-dialog.tsx';

/** The way to a ticket from where something went wrong; nothing for who may write none. */
export function ReportIssue() {
  const user = useUserIfAny();
  const [pageUrl, setPageUrl] = useState<string | null>(null);
  if (!user || !isAllowed(user, { anyOf: ['ticket_write'] })) return null;
  return (
    <>
      <Button onClick={() => setPageUrl(window.location.href)}>Report an issue</Button>
      <ReportDialog pageUrl={pageUrl} onClose={() => setPageUrl(null)} />
    </>
  );
}
