import { ApiError } from '#contract/errors.ts';

interface EndPorts {
  /** Asks the server who is signed in; where nobody is that is told to the app as by any call. */
  ask: () => Promise<unknown>;
  /** Has the engine go on: there is a session. */
  goOn: () => Promise<unknown>;
  /** Waits before the server is asked once more. */
  rest: () => Promise<unknown>;
  isCurrent: () => boolean;
}

/**
 * The engine heard that the session is over. It may be another one by now: a tab that was put by hears of it when it is woken, and its
 * person signed in again in another one meanwhile. So the server is asked, and nobody is sent out by what is old.
 */
export async function lookWhetherOver({ ask, goOn, rest, isCurrent }: EndPorts): Promise<void> {
  while (isCurrent()) {
    try {
      await ask();
      await goOn();
      return;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_authenticated') return;
    }
    await rest();
  }
}
