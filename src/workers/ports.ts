import type { Alarm } from '#api-client/call.ts';
import type { StorageUse } from '#replica/budget.ts';
import type { StoreHost } from '#replica/store.ts';

/** A way to whatever else in this browser opened one by the same name. */
export interface Channel {
  /** Tells the others, none of which may hear it. */
  post: (message: unknown) => void;
  close: () => void;
}

/** What the engine needs of the world; the composition root and the tests hand it in. */
export interface EnginePorts {
  stores: StoreHost;
  fetch: typeof fetch;
  /** Where the app is served. */
  origin: string;
  /** The build of the app: another one may do what the server would not take of this. */
  build: string;
  /** What some room on the disk is kept with, for edits when there is no other. */
  ballast: () => Uint8Array<ArrayBuffer>;
  /** What the browser keeps for the app and allows; null where it does not say. */
  usage: () => Promise<StorageUse | null>;
  now: () => number;
  random: () => number;
  /**
   * Runs work while holding a lock no other worker of this browser holds; waits for it, gives up when aborted. Null where the browser
   * has no locks, as over plain http: then nothing is sent or pulled, and what is here is read and edited.
   */
  withLock: ((name: string, signal: AbortSignal, work: () => Promise<void>) => Promise<void>) | null;
  /** How many workers of this browser, of whatever build, hold a lock or wait for it. */
  countLock: (name: string) => Promise<number>;
  /** Opens the way to other workers of this browser; null where it has none. */
  channel: ((name: string, onMessage: (message: unknown) => void) => Channel) | null;
  /** Lets whatever else waits go first, and resolves at once after. */
  breathe: () => Promise<void>;
  /** Resolves after some milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** False where the device is certain to have no network; then nothing is tried. */
  isOnline: () => boolean;
  /** Whether the person told the browser to save data: what nobody looks at then waits. */
  isSavingData: () => boolean;
  alarm: Alarm;
}
