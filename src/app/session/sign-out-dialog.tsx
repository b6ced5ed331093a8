import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { discardMany } from '#replica/decisions.ts';
import { dropAllDrafts } from '#replica/drafts.ts';
import { unacceptedEdits } from '#replica/unsent.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices, useUser } from '#app/services.tsx';
import { editCount, waitingWords } from '#app/shell/outbox-words.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { useIsOnline } from '#app/ui/use-media-query.ts';
import { useUnaccepted } from '#app/outbox-edits.tsx';
import { useReplica } from '#app/use-replica.ts';
import { forgetTraces } from '#app/kept-keys.ts';
import { askRemoval } from './copy-removal.ts';
import { forgetUnlock } from './offline-unlock.ts';
import { sendNow } from './sign-out.ts';

/** The sign-out itself, and what the person may do first with edits that still wait. */
function useSignOut(): { signOut: () => Promise<void>; send: () => Promise<void>; drop: () => Promise<void> } {
  const services = useServices();
  const replica = useReplica();
  const user = useUser();
  const navigate = useNavigate();
  const waiting = useUnaccepted();
  const signOut = async (): Promise<void> => {
    askRemoval(services.local, user.id);
    forgetUnlock(services.local, user.email);
    forgetTraces(services.local, user.id);
    await navigate({ to: '/logout', replace: true });
  };
  return {
    signOut,
    send: async () => {
      const left = await sendNow(services, replica);
      if (left > 0) throw new Error(`${editCount(left)} still here. Open Outbox for the reasons.`);
      await signOut();
    },
    drop: async () => {
      const seqs = waiting.map(({ seq }) => seq);
      if ((await discardMany(replica.outbox, seqs, services.clock())) > 0)
        throw new Error('An edit is on its way to the server just now and cannot be discarded. Try again in a moment.');
      await dropAllDrafts(replica.outbox);
      await signOut();
    },
  };
}

/** Signs out, or asks first where edits were not sent. */
export function useBeginSignOut(ask: () => void): () => void {
  const { notices } = useServices();
  const { outbox } = useReplica();
  const { signOut } = useSignOut();
  return () => {
    unacceptedEdits(outbox)
      .then(({ length }) => (length > 0 ? ask() : signOut()))
      .catch((error: unknown) => notices.notice('error', textOfError(error)));
  };
}

/** Asks what to do with the edits that were not sent. */
export function SignOutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { signOut, send, drop } = useSignOut();
  const isOnline = useIsOnline();
  const { session } = useServices();
  const edits = useUnaccepted();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const canKeep = !session.isShared();
  const run = async (step: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    setProblem(null);
    try {
      await step();
    } catch (error) {
      setProblem(textOfError(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Sign out"
      actions={
        <>
          <Button look="danger" disabled={isBusy} onClick={() => void run(drop)}>
            Discard {editCount(edits.length)}
          </Button>
          {canKeep ? (
            <Button disabled={isBusy} onClick={() => void run(signOut)}>
              Keep for me
            </Button>
          ) : null}
          <Button look="primary" disabled={isBusy || !isOnline} onClick={() => void run(send)}>
            {isBusy ? 'Working' : 'Send now'}
          </Button>
        </>
      }
    >
      <p>{`Not everything has reached the server: ${waitingWords(edits)}.`}</p>
      <ul className="my-2 list-disc pl-5 text-grid text-soft">
        <li>Send now: sends them, then signs out.{isOnline ? '' : ' This needs the network.'}</li>
        {canKeep ? <li>Keep for me: they stay in this browser and go on when you sign in again.</li> : null}
        <li>Discard: they are gone for good, and so is what you typed into forms and did not save.</li>
      </ul>
      {problem ? (
        <p role="alert" className="mt-2 rounded bg-bad-soft px-3 py-2 text-grid text-ink">
          {problem}
        </p>
      ) : null}
    </Dialog>
  );
}
