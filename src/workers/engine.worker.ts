import './no-jit.ts';
import { expose } from 'comlink';
import { v7 as uuid } from 'uuid';
import { alarmClock } from '#api-client/call.ts';
import type { StorageUse } from '#replica/budget.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { SyncEngine } from './engine.ts';
import type { EnginePorts } from './ports.ts';
import { engineOfTab } from './tab-engine.ts';

// The composition root of the worker: the one file here that reads globals.

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

// a message to oneself comes after what is already waiting, without the four milliseconds that timers are held back
const turns = new MessageChannel();
const breathers: (() => void)[] = [];
turns.port1.onmessage = () => breathers.shift()?.();

function breathe(): Promise<void> {
  return new Promise((resolve) => {
    breathers.push(resolve);
    turns.port2.postMessage(null);
  });
}

/** How much room is kept for edits, in bytes. */
const ballastBytes = 5 * 2 ** 20;

/** Random, or the disk would hold it in next to nothing. */
function ballast(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(ballastBytes);
  const most = 65_536;
  for (let at = 0; at < bytes.length; at += most) crypto.getRandomValues(bytes.subarray(at, at + most));
  return bytes;
}

async function usage(): Promise<StorageUse | null> {
  // not every browser has it, nor says both
  const { usage: usedBytes, quota: quotaBytes } = (await (navigator.storage as StorageManager | undefined)?.estimate()) ?? {};
  return usedBytes === undefined || quotaBytes === undefined ? null : { usedBytes, quotaBytes };
}

// not every place has them, either
const locks = navigator.locks as LockManager | undefined;

const ports: EnginePorts = {
  origin: self.location.origin,
  stores: browserStores,
  fetch: globalThis.fetch.bind(globalThis),
  // the name of this file holds a hash of what the worker is made of
  build: self.location.pathname,
  ballast,
  usage,
  now: Date.now,
  random: Math.random,
  withLock: locks
    ? async (name, signal, work) => {
        await locks.request(name, { signal }, work);
      }
    : null,
  countLock: async (name) => {
    const { held = [], pending = [] } = (await locks?.query()) ?? {};
    return [...held, ...pending].filter((lock) => lock.name === name).length;
  },
  channel:
    typeof BroadcastChannel === 'function'
      ? (name, onMessage) => {
          const channel = new BroadcastChannel(name);
          channel.onmessage = ({ data }) => onMessage(data);
          return { post: (message) => channel.postMessage(message), close: () => channel.close() };
        }
      : null,
  pause,
  breathe,
  // false is certain; true says nothing
  isOnline: () => navigator.onLine,
  // browsers without it save none
  isSavingData: () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true,
  alarm: alarmClock,
};

/** A lock that is held for as long as this worker lives, once it is held. */
function holdLife(): Promise<string | null> {
  const life = `tieout-worker-${uuid()}`;
  return new Promise((resolve) => {
    const hold = (): Promise<never> => {
      resolve(life);
      return new Promise(() => undefined);
    };
    if (locks) locks.request(life, hold).catch(() => resolve(null));
    else resolve(null);
  });
}

const engine = new SyncEngine(ports);
self.addEventListener('online', () => void engine.wakeUp());

if ('onconnect' in self) {
  const life = holdLife();
  self.onconnect = (event: MessageEvent) => {
    const port = event.ports[0];
    if (port) expose(engineOfTab(engine, locks ?? null, life), port);
  };
} else {
  expose(engine);
}
