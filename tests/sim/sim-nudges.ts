import { nudgeLimits } from '#contract/feed.ts';
import type { SimServer } from './sim-server.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { Weather } from './sim-net.ts';

type Part = { done: false; value: string } | { done: true };

/** A stream of nudges as one of a device's workers reads it: it ends when it is given up, and where the network is gone when one comes. */
export function nudgesOf(
  scheduler: Scheduler,
  server: SimServer,
  { weather, signal }: { weather: () => Weather; signal: AbortSignal | null | undefined },
  actor: Actor,
): Response {
  let reading: ((part: Part) => void) | null = null;
  // the first says that changes are heard of from now on
  let hasNews = true;
  let isOver = false;

  let cancelBeat = (): void => undefined;

  const end = (): void => {
    isOver = true;
    cancelBeat();
    server.followers.delete(tell);
    reading?.({ done: true });
    reading = null;
  };
  const give = (resolve: (part: Part) => void, value: string): void => {
    if (isOver || weather().isOffline) {
      end();
      resolve({ done: true });
    } else resolve({ done: false, value });
  };
  const pass = (): void => {
    if (!reading || !hasNews) return;
    const resolve = reading;
    reading = null;
    hasNews = false;
    cancelBeat();
    const late = nudgeLimits.gatherMs + scheduler.random.below(weather().delayMs + 1);
    void scheduler.after(late, 'nudge', actor).done.then(() => give(resolve, 'event: nudge\ndata:\n\n'));
  };
  /** A stream that is silent beats. */
  const beatLater = (): void => {
    const { done, cancel } = scheduler.after(nudgeLimits.heartbeatMs, 'beat', actor);
    cancelBeat = cancel;
    void done.then(() => {
      const resolve = reading;
      reading = null;
      if (resolve) give(resolve, ':\n\n');
    });
  };
  function tell(): void {
    if (actor.isDead) return end();
    hasNews = true;
    pass();
  }

  server.followers.add(tell);
  signal?.addEventListener('abort', end);
  const read = (): Promise<Part> =>
    new Promise((resolve) => {
      if (isOver) return resolve({ done: true });
      reading = resolve;
      beatLater();
      pass();
    });
  const response = {
    ok: true,
    status: 200,
    headers: new Headers({ 'content-type': 'text/event-stream' }),
    body: { pipeThrough: () => ({ getReader: () => ({ read }) }) },
  };
  return response as unknown as Response;
}
