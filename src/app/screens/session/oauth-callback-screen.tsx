import { Link } from '@tanstack/react-router';
import { SessionPage } from './session-page.tsx';

export function OauthCallbackScreen() {
  return (
    <SessionPage title="Sign-in by provider">
      <p className="mb-5 text-soft">Sign-in by an identity provider is not set up here. Use your email and password.</p>
      <Link
        to="/login"
        className="inline-flex h-9 w-full items-center justify-center rounded bg-primary font-semibold text-on-primary hover:brightness-95"
      >
        Sign in
      </Link>
    </SessionPage>
  );
}
