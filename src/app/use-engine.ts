import { useEffect, useState } from 'react';
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
  const [status, setStatus] = useState(startingStatus);
  useEffect(() => {
    const id = uuid();
    let isCurrent = true;
    let isOpening = false;
    const onStatus = (next: EngineStatus): void => {
      if (!isCurrent) return;
      setStatus(next);
      // what the worker says before it is opened is of the session before this one, and so is what a tab that was put by hears late
      if (next.phase === 'signed_out' && isOpening && session.isOverSince(next.signed_out_at ?? Infinity)) endedByServer();
    };
    const open = async (): Promise<void> => {
      await engine.watchStatus(id, asCallback(onStatus));
      // whoever left meanwhile closed it, and opened again it would only learn that they are signed out
      if (!isCurrent) return;
      isOpening = true;
      await engine.open({ userId: user.id, apiBaseUrl });
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
  }, [clock, engine, engineEnded, apiBaseUrl, endedByServer, notices, session, user.id]);
  return status;
}
