import { getRouteApi, Link } from '@tanstack/react-router';
import { useServices } from '#app/services.tsx';
import { SessionPage } from './session-page.tsx';
import { useFinishOauth } from './use-finish-oauth.ts';

const route = getRouteApi('/oauth/callback');

export function OauthCallbackScreen() {
  const { config } = useServices();
  const refusal = useFinishOauth(route.useSearch());
  if (refusal === null) {
    return (
      <SessionPage title="Signing in">
        <p role="status" className="text-soft">
          {config.oauth?.label ?? 'The provider'} sent you back. One moment.
        </p>
      </SessionPage>
    );
  }
  return (
    <SessionPage title="You are not signed in">
      <p role="alert" className="mb-4 rounded bg-bad-soft px-3 py-2 text-grid">
        {refusal.text}
      </p>
      {refusal.isUnknown ? (
        <p className="mb-4 text-grid text-soft">
          There is no user here with an e-mail address that the provider has verified as yours. Ask whoever looks after the users of this
          place.
        </p>
      ) : null}
      <Link
        to="/login"
        className="inline-flex h-9 w-full items-center justify-center rounded bg-primary font-semibold text-on-primary hover:brightness-95"
      >
        Back to sign-in
      </Link>
    </SessionPage>
  );
}
