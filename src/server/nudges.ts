import { PassThrough, type Readable } from 'node:stream';
import { ApiError } from '#contract/errors.ts';
import { nudgeLimits } from '#contract/feed.ts';
import { visibleScopes } from './repositories/change-log.ts';
import { findOpenSession, type SignedIn } from './repositories/sessions.ts';
import type { Server } from './server.ts';

/** One stream of nudges to one browser. */
interface Follower {
  userId: string;
  sessionId: string;
  stream: PassThrough;
  /** The scopes whose changes it is told of; null until they are known, when any change may be one. */
  scopes: ReadonlySet<string> | null;
  /** What the person may see, or the session, may have changed since it was last looked at. */
  isStale: boolean;
  lastNudge: number;
  takeBackNudge: (() => void) | undefined;
  takeBackHeartbeat: (() => void) | undefined;
}

export interface Nudges {
  /**
   * A stream for one person: a nudge when something they may see may have changed, at most one a second; closed with the session.
   * @throws ApiError `throttled` where the person has as many as there may be.
   */
  follow(user: SignedIn): Readable;
  /** Ends every stream. */
  close(): Promise<void>;
}

/** Tells browsers that it is time to ask for changes; what changed is theirs to ask. */
export function openNudges({ database, clock, timers }: Pick<Server, 'database' | 'clock' | 'timers'>): Nudges {
  const followers = new Set<Follower>();
  let listening: Promise<() => Promise<void>> | undefined;

  function end(follower: Follower): void {
    followers.delete(follower);
    follower.takeBackNudge?.();
    follower.takeBackHeartbeat?.();
    follower.stream.end();
  }

  function write(follower: Follower, text: string): void {
    // a browser that does not read is told nothing more until it does: one nudge is as good as many
    if (followers.has(follower) && !follower.stream.writableNeedDrain) follower.stream.write(text);
  }

  /** Sees whether the session is open, and what the person may see now. */
  async function look(follower: Follower): Promise<boolean> {
    follower.isStale = false;
    const viewer = await findOpenSession(database.db, follower.sessionId, clock());
    if (!viewer) return false;
    follower.scopes = new Set((await visibleScopes(database.db, viewer)).map((scope) => scope.key));
    return true;
  }

  /** Does something for a stream; one it cannot be done for ends, and the browser comes again. */
  async function attend(follower: Follower, text: string, mustLook: boolean): Promise<void> {
    try {
      if (mustLook && !(await look(follower))) end(follower);
      else write(follower, text);
    } catch {
      end(follower);
    }
  }

  function nudge(follower: Follower): void {
    if (follower.takeBackNudge) return;
    const send = (): void => {
      follower.takeBackNudge = undefined;
      follower.lastNudge = clock();
      // the data line is empty, but without one a browser drops the event
      void attend(follower, 'event: nudge\ndata:\n\n', follower.isStale);
    };
    const restMs = Math.min(nudgeLimits.everyMs, follower.lastNudge + nudgeLimits.everyMs - clock());
    // one commit tells of several places: they make one nudge
    follower.takeBackNudge = timers.after(Math.max(nudgeLimits.gatherMs, restMs), send);
  }

  function beat(follower: Follower): void {
    follower.takeBackHeartbeat = timers.after(nudgeLimits.heartbeatMs, () => {
      void attend(follower, ':\n\n', true).then(() => followers.has(follower) && beat(follower));
    });
  }

  function tell(scope: string): void {
    for (const follower of followers) {
      const isOwn = scope === 'user' || scope === `user:${follower.userId}`;
      if (isOwn) follower.isStale = true;
      if (isOwn || follower.scopes === null || follower.scopes.has(scope)) nudge(follower);
    }
  }

  return {
    follow(user) {
      const held = [...followers].filter((follower) => follower.userId === user.id);
      if (held.length >= nudgeLimits.streams)
        throw new ApiError({ code: 'throttled', detail: 'Too many open streams', retryAfterMs: nudgeLimits.heartbeatMs });
      const follower: Follower = {
        userId: user.id,
        sessionId: user.session_id,
        stream: new PassThrough(),
        scopes: null,
        isStale: false,
        lastNudge: Number.NEGATIVE_INFINITY,
        takeBackNudge: undefined,
        takeBackHeartbeat: undefined,
      };
      followers.add(follower);
      follower.stream.once('close', () => end(follower));
      listening ??= database.listen(tell).catch((error: unknown) => {
        // whoever comes next has it tried again
        listening = undefined;
        throw error;
      });
      // said once changes are heard of: whoever asks for changes after it misses none
      listening.then(() => attend(follower, ': listening\n\n', true)).catch(() => end(follower));
      beat(follower);
      return follower.stream;
    },
    async close() {
      for (const follower of followers) end(follower);
      const stop = await listening?.catch(() => undefined);
      await stop?.();
    },
  };
}
