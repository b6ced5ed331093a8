import { useEffect, useState } from 'react';
import { v7 as uuid } from 'uuid';
import { getMe, type Me } from '#contract/session.ts';
import { asCallback, type EngineStatus } from '#workers/start.ts';
import { startingStatus } from './engine-status.tsx';
import { wishToLast } from './lasting-storage.ts';
import { textOfError } from './notices.tsx';
import { pause } from './pause.ts';
import { useServices } from './services.tsx';
import { lookWhetherOver } from './session/session-end.ts';
import { onWakeUp } from './wake-ups.ts';

/** Before the server, which did not answer, is asked once more whether the session is over. Milliseconds. */
const restMs = 5_000;
const endedText = 'The part of the app that syncs has stopped. Reload the page to go on; your edits are kept.';

/** Opens the engine for the signed-in user and follows its status. A session the server ended sends the person out. */
export function useEngine(user: Me): EngineStatus {
  const { call, clock, engine, engineEnded, apiBaseUrl, notices, session } = useServices();
  const [status, setStatus] = useState(startingStatus);
  useEffect(() => {
    const id = uuid();
    let isCurrent = true;
    let isOpening = false;
    let isLooking = false;
    const isOver = (): void => {
      if (isLooking) return;
      isLooking = true;
      const openAnew = (): Promise<void> => engine.open({ userId: user.id, apiBaseUrl });
      void lookWhetherOver({ ask: () => call(getMe, {}), goOn: openAnew, rest: () => pause(restMs), isCurrent: () => isCurrent }).finally(
        () => {
          isLooking = false;
        },
      );
    };
    const onStatus = (next: EngineStatus): void => {
      if (!isCurrent) return;
      setStatus(next);
      // what the worker says before it is opened is of the session before this one
      if (next.phase === 'signed_out' && isOpening) isOver();
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
  }, [call, clock, engine, engineEnded, apiBaseUrl, notices, session, user.id]);
  return status;
}
