import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { countWords } from '#domain/count-words.ts';
import { useServices } from '#app/services.tsx';
import { SessionPage } from './session-page.tsx';
import { useEndSession } from './use-end-session.ts';
import { useOwedSignOut } from '#app/session/use-owed-sign-out.ts';
import { useRemovals } from '#app/session/use-removals.ts';
import { RemovedAlert } from './removed-alert.tsx';

const keptText = 'Edits that had not reached the server are kept in this browser and go on when you sign in again.';
const removingText = 'Your work is being removed from this computer.';
const goneText = 'Nothing of your work is kept on this computer.';
const leftText =
  'Some of your work could not be removed from this computer yet: it is in use. Close every tab of Tieout and open it once more, so that it goes.';

const route = getRouteApi('/logout');

export function LogoutScreen() {
  const { error } = route.useSearch();
  const { session } = useServices();
  const [isShared] = useState(session.isShared);
  const end = useEndSession();
  useOwedSignOut();
  const removed = useRemovals(end !== null);
  const sharedText = end === null ? removingText : end.isLeft ? leftText : goneText;
  return (
    <SessionPage title={end === null ? 'Signing out' : 'You are signed out'}>
      {error ? <p className="mb-4 rounded bg-warn-soft px-3 py-2 text-grid break-words">{error}</p> : null}
      {end?.lost ? (
        <p role="alert" className="mb-4 rounded bg-bad-soft px-3 py-2 text-grid">
          {`${countWords(end.lost, 'edit')} could not be sent and ${end.lost === 1 ? 'is' : 'are'} gone: on a shared computer nothing is kept. Make ${end.lost === 1 ? 'it' : 'them'} again.`}
        </p>
      ) : null}
      {removed ? <RemovedAlert note={removed} /> : <p className="mb-5 text-soft">{isShared ? sharedText : keptText}</p>}
      <div className="h-9">
        {/* who went on before the session has ended would be led back into it, and thrown out a moment later */}
        {end === null ? null : (
          <Link
            to="/login"
            replace
            className="inline-flex h-9 w-full items-center justify-center rounded bg-primary font-semibold text-on-primary hover:brightness-95"
          >
            Sign in
          </Link>
        )}
      </div>
    </SessionPage>
  );
}
