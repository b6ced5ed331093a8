import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { ApiError } from '#contract/errors.ts';
import { ReportIssue } from '#app/screens/tickets/report-issue.tsx';
import { MissingPartError } from '#app/lazy-screen.ts';
import { textOfError } from '#app/notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/states.tsx';

/** Says what happened, what was kept and what to do. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const isDenied = error instanceof ApiError && error.code === 'permission_denied';
  const tryAgain = (): void => {
    if (error instanceof MissingPartError) void error.again().finally(reset);
    else reset();
  };
  return (
    <div role="alert">
      <EmptyState
        title={isDenied ? 'You are not allowed to see this' : 'This screen failed'}
        actions={
          <>
            {isDenied ? null : (
              <>
                <Button onClick={tryAgain}>Try again</Button>
                <ReportIssue />
              </>
            )}
            <Link to="/home" className="inline-flex h-9 items-center font-medium text-link underline">
              Go to Home
            </Link>
          </>
        }
      >
        <p>{textOfError(error)}</p>
        {isDenied ? null : <p className="mt-2">Your records and the edits that wait on this device are kept.</p>}
      </EmptyState>
    </div>
  );
}
