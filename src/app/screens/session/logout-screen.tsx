import { getRouteApi, Link } from '@tanstack/react-router';
import { SessionPage } from './session-page.tsx';
import { useEndSession } from './use-end-session.ts';

const route = getRouteApi('/logout');

export function LogoutScreen() {
  const { error } = route.useSearch();
  const hasEnded = useEndSession();
  return (
    <SessionPage title={hasEnded ? 'You are signed out' : 'Signing out'}>
      {error ? <p className="mb-4 rounded bg-warn-soft px-3 py-2 text-grid break-words">{error}</p> : null}
      <p className="mb-5 text-soft">Edits that had not reached the server are kept in this browser and go on when you sign in again.</p>
      <Link
        to="/login"
        className="inline-flex h-9 w-full items-center justify-center rounded bg-primary font-semibold text-on-primary hover:brightness-95"
      >
        Sign in
      </Link>
    </SessionPage>
  );
}
