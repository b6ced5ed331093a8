import { useEffect, useState, useSyncExternalStore } from 'react';
import { v7 as uuid } from 'uuid';
import type { Me } from '#contract/session.ts';
import { asCallback, type EngineStatus } from '#workers/start.ts';
import { startingStatus } from './engine-status.tsx';
import { wishToLast } from './lasting-storage.ts';
import { textOfError } from './notices.tsx';
import { useServices } from './services.tsx';
import { onWakeUp } from './wake-ups.ts';

const endedText = 'The part of the app that syncs has stopped. Reload the page to go on; your edits are kept.';

/** Opens the engine for the signed-in user and follows its status. A session the server ended sends the person out. */
export function useEngine(user: Me): EngineStatus {
  const { clock, engine, engineEnded, apiBaseUrl, endedByServer, notices, session } = useServices();
  const signInId = useSyncExternalStore(session.subscribe, session.signInId);
  const [status, setStatus] = useState(startingStatus);
  useEffect(() => {
    const id = uuid();
    let isCurrent = true;
    const onStatus = (next: EngineStatus): void => {
      if (!isCurrent) return;
      setStatus(next);
      // what is heard late, before the worker is opened or in a tab that was put by, may be of a session before this one
      if (next.phase === 'signed_out' && next.signed_out_of === session.signInId()) endedByServer();
    };
    const open = async (): Promise<void> => {
      await engine.watchStatus(id, asCallback(onStatus));
      // whoever left meanwhile closed it, and opened again it would only learn that they are signed out
      if (!isCurrent) return;
      await engine.open({ userId: user.id, apiBaseUrl, signInId });
      await wishToLast(window.matchMedia('(display-mode: standalone)').matches);
    };
    void engineEnded.then(() => {
      if (isCurrent) setStatus((last) => ({ ...last, phase: 'stopped', problem: endedText }));
    });
    open().catch((error: unknown) => notices.notice('error', textOfError(error)));
    const endWakeUps = onWakeUp({ window, document, clock }, () => void engine.wakeUp());
    return () => {
      isCurrent = false;
      endWakeUps();
      void engine.unwatch(id);
      // whoever signed out did it in another tab perhaps, whose worker need not be this one's
      if (session.user()?.id !== user.id) void engine.close(user.id);
    };
  }, [clock, engine, engineEnded, apiBaseUrl, endedByServer, notices, session, signInId, user.id]);
  return status;
}
