import { useRef, useState } from 'react';
import type { OwnSession } from '#contract/session.ts';
import { formatDate } from '#domain/dates.ts';
import { Button } from '#app/ui/button.tsx';
import { SkeletonRows } from '#app/ui/states.tsx';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { useIsOnline } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { RemoveCopyDialog } from './remove-copy-dialog.tsx';
import { type Ending, type SignInsState, useSignIns } from './use-sign-ins.ts';

interface SignInRowProps {
  signIn: OwnSession;
  isEnding: boolean;
  onEnd: (id: string) => void;
  onAskRemoval: () => void;
}

function SignInRow({ signIn, isEnding, onEnd, onAskRemoval }: SignInRowProps) {
  const { zone } = usePreferences();
  const began = formatDate(Date.parse(signIn.started_at), zone);
  return (
    <tr className="h-9 border-t border-line">
      <td className="whitespace-nowrap">{began}</td>
      <td className="pl-4 whitespace-nowrap text-soft">{formatDate(Date.parse(signIn.last_renewed_at), zone)}</td>
      <td className="w-full pl-4 text-right whitespace-nowrap">
        {signIn.is_present ? (
          'This one'
        ) : (
          <span className="inline-flex flex-col-reverse items-end gap-1 py-1 sm:flex-row sm:gap-2">
            {signIn.keeps_copy ? (
              <Button
                size="small"
                look="quiet"
                disabled={isEnding}
                aria-label={`Remove copy under the sign-in of ${began}`}
                onClick={onAskRemoval}
              >
                Remove copy
              </Button>
            ) : null}
            <Button size="small" disabled={isEnding} aria-label={`Revoke the sign-in of ${began}`} onClick={() => onEnd(signIn.id)}>
              Revoke
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

interface SignInListProps {
  state: Extract<SignInsState, { step: 'here' }>;
  isEnding: boolean;
  end: (ending: Ending) => void;
}

function SignInList({ state, isEnding, end }: SignInListProps) {
  const { zone } = usePreferences();
  const [removing, setRemoving] = useState<OwnSession | null>(null);
  const { present, others } = state;
  return (
    <>
      <div className="overflow-x-auto">
        <table className="figures w-full text-grid" aria-label="Sign-ins">
          <thead>
            <tr className="text-left text-small text-muted">
              <th className="pb-1 font-medium whitespace-nowrap">Began ({zone})</th>
              <th className="pb-1 pl-4 font-medium whitespace-nowrap">Last renewed</th>
              <th className="pb-1 pl-4">
                <span className="sr-only">End it</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {[...(present ? [present] : []), ...others].map((signIn) => (
              <SignInRow
                key={signIn.id}
                signIn={signIn}
                isEnding={isEnding}
                onEnd={(id) => end({ id })}
                onAskRemoval={() => setRemoving(signIn)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {others.length === 0 ? <p className="text-grid text-muted">You are signed in nowhere else.</p> : null}
      {others.length > 1 ? (
        <div>
          <Button disabled={isEnding} onClick={() => end('others')}>
            Revoke all others
          </Button>
        </div>
      ) : null}
      <p className="text-grid text-muted">
        A device whose sign-in was revoked can read and send nothing more. The records and the edits that are already on it stay there,
        unless you have the copy removed, too.
      </p>
      {removing ? (
        <RemoveCopyDialog
          began={formatDate(Date.parse(removing.started_at), zone)}
          onRemove={() => end({ id: removing.id, remove_copy: true })}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </>
  );
}

function SignInsByState({ state, isEnding, end }: ReturnType<typeof useSignIns>) {
  if (state.step === 'offline') {
    return <p className="text-grid text-muted">There is no network. Where you are signed in is known to the server alone.</p>;
  }
  if (state.step === 'loading') return <SkeletonRows rows={2} />;
  if (state.step === 'failed') {
    return (
      <>
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-grid">
          {state.text}
        </p>
        <div>
          <Button onClick={state.again}>Try again</Button>
        </div>
      </>
    );
  }
  return <SignInList state={state} isEnding={isEnding} end={end} />;
}

/** Where the person is signed in, with a way to end what is not this one. Known to the server alone, so it needs the network. */
export function SignIns() {
  const signIns = useSignIns(useIsOnline());
  const box = useRef<HTMLDivElement>(null);
  // whatever the server says of them, or that it can say nothing now, the keyboard stays in the section
  const onFocus = useLostFocus(() => box.current?.focus());
  return (
    <div ref={box} tabIndex={-1} onFocus={onFocus} className="flex flex-col gap-3">
      <SignInsByState {...signIns} />
    </div>
  );
}
