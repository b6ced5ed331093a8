import { Button } from '#app/ui/button.tsx';
import { useIsOnline } from '#app/ui/use-media-query.ts';
import { useBeginOauth } from './use-begin-oauth.ts';

/** The other way in: by the OpenID provider of this place. */
export function ProviderButton({ label }: { label: string }) {
  const isOnline = useIsOnline();
  const { begin, isBusy, problem } = useBeginOauth();
  return (
    <div className="mt-5 flex flex-col gap-4 border-t border-line pt-5">
      {problem ? (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-grid">
          {problem}
        </p>
      ) : null}
      <Button disabled={isBusy || !isOnline} onClick={() => void begin()}>
        <span className="truncate">Sign in with {label}</span>
      </Button>
    </div>
  );
}
