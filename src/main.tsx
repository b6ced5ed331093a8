import { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Workbox } from 'workbox-window';
import { createClient } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { isSessionPath } from '#domain/session.ts';
import { getMe } from '#contract/session.ts';
import { withRenewal } from '#api-client/renewal.ts';
import { App } from '#app/app.tsx';
import { type AppUpdate, createAppUpdate } from '#app/app-update.ts';
import { createDraftStore, type DraftStore } from '#app/drafts/draft-store.ts';
import { createExportStore } from '#app/export-store.ts';
import { openSink } from '#app/file-sink.ts';
import { forgetWithPerson } from '#app/forget-answers.ts';
import { createNoticeStore } from '#app/notice-store.ts';
import { deniedText } from '#app/notices.tsx';
import { openPreferences } from '#app/preferences.ts';
import { queryBehaviour } from '#app/query-behaviour.ts';
import { holdReplica } from '#app/replica-holder.ts';
import { type AppRouter, createAppRouter } from '#app/router.tsx';
import { absoluteBase, readRuntimeConfig } from '#app/runtime-config.ts';
import { saveFile } from '#app/save-file.ts';
import type { Services } from '#app/services.tsx';
import { suspendUnlock } from '#app/session/offline-unlock.ts';
import { openSession } from '#app/session/session.ts';
import { noteCopy } from '#app/session/copies-here.ts';
import { followRemovals } from '#app/session/ordered-removal.ts';
import { leaseOverText, lookAtLease } from '#app/session/lease.ts';
import { askedRemovals, removeAskedCopies } from '#app/session/copy-removal.ts';
import { isPageAgain } from '#app/session/page-again.ts';
import { bePresent, isLeftBehind, leftBehindText } from '#app/session/presence.ts';
import { onWakeUp } from '#app/wake-ups.ts';
import { watchCall } from '#app/watched-call.ts';
import { startEngine } from '#workers/start.ts';
import '#app/app.css';

// The composition root of the page: the one file of the client that reads window, storages, clock and network.

interface TrustedPolicy {
  createScriptURL(url: string): unknown;
}
declare global {
  interface Window {
    // not in TypeScript's DOM types; Chromium, Safari and Firefox have it
    trustedTypes?: { createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): TrustedPolicy };
  }
}

/** The one policy that makes worker addresses: only of this origin. */
const policy = window.trustedTypes?.createPolicy('tieout', {
  createScriptURL: (url) => {
    if (new URL(url, window.location.href).origin !== window.location.origin) throw new TypeError(`${url} is not an address of this app`);
    return url;
  },
});

// the DOM's types know no trusted addresses; the browser takes them where it takes text
function trusted(url: string): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}

/** How often it is seen to whether a newer build was looked for, in milliseconds. */
const lookTickMs = 60_000;

async function registerServiceWorker(update: AppUpdate): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  // the first worker takes an open page over without a reload; a later one only when the person accepts it
  let isFirst = serviceWorker.controller === null;
  serviceWorker.addEventListener('controllerchange', () => {
    update.tookOver(isFirst);
    isFirst = false;
  });
  const workbox = new Workbox(trusted('/service-worker.js'));
  workbox.addEventListener('waiting', () => update.offer(() => workbox.messageSkipWaiting()));
  const registration = await workbox.register();
  if (!registration) return;
  update.lookBy(async () => {
    await registration.update();
    return registration.installing !== null || registration.waiting !== null;
  });
  // an installed app may stay open for weeks, and a browser looks by itself only where a page is opened
  onWakeUp({ window, document, clock: Date.now }, update.lookNowAndThen);
  window.setInterval(update.lookNowAndThen, lookTickMs);
}

/** The tabs of this browser, as they hear each other of an update. */
function openUpdateChannel(): Parameters<typeof createAppUpdate>[0]['channel'] {
  const channel = new BroadcastChannel('tieout-update');
  return {
    post: (message) => channel.postMessage(message),
    hear: (heard) => channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => heard(data)),
  };
}

/** What is typed is on the disk before the page goes, as far as a browser says that it may. */
function keepWhenLeft(drafts: DraftStore): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void drafts.flush();
  });
  window.addEventListener('pagehide', drafts.leave);
}

async function start(root: HTMLElement): Promise<void> {
  const local = window.localStorage;
  const locks = navigator.locks ?? null;
  const clock = Date.now;
  const onStorage = (heard: (key: string | null) => void): void => window.addEventListener('storage', (event) => heard(event.key));
  const preferences = openPreferences(local, document.body, onStorage);
  const config = await readRuntimeConfig(window.fetch.bind(window), local);
  const apiBaseUrl = absoluteBase(config, window.location.origin);
  const session = openSession(local, window.sessionStorage, onStorage);
  // whose session ended on this page looks at it again: who is signed in by now began another one, in another tab
  if (session.takeEnded() && isPageAgain() && window.location.pathname === '/logout' && session.user())
    window.history.replaceState(null, '', '/');
  // a sign-out that was interrupted goes on, and copies that outlived one go
  if (askedRemovals(local).includes(session.user()?.id ?? '')) window.history.replaceState(null, '', '/logout');
  void removeAskedCopies(local, locks);
  const here = { session, local, locks, clock };
  const isLeft = await isLeftBehind(here);
  if (isLeft) window.history.replaceState(null, '', `/logout?${new URLSearchParams({ error: leftBehindText })}`);
  const known = session.user();
  // builds before did not note it
  if (known && !session.isShared()) noteCopy(local, known);
  const lease = known && !isLeft ? lookAtLease(local, known.id, clock()) : null;
  // before anything of it is painted
  if (lease?.isOver === true) window.history.replaceState(null, '', `/logout?${new URLSearchParams({ error: leaseOverText(lease) })}`);
  bePresent({ ...here, isLeft }, window);
  const after = (run: () => void, ms: number): void => void window.setTimeout(run, ms);
  const notices = createNoticeStore(after);
  const replica = holdReplica(clock);
  const log = (text: string): void => console.warn(text);
  const drafts = createDraftStore({ session, replica, tab: window.sessionStorage, locks, clock, log, after });
  const update = createAppUpdate({
    channel: openUpdateChannel(),
    locks,
    drafts,
    tab: window.sessionStorage,
    clock,
    after,
    reload: () => window.location.reload(),
  });
  keepWhenLeft(drafts);
  // without a network and a worker there would be nothing to read anew
  const canBeRead = (): boolean => navigator.onLine || Boolean(navigator.serviceWorker?.controller);
  window.addEventListener('vite:preloadError', () => {
    if (canBeRead()) update.partIsGone();
  });

  const isHere = new URL(apiBaseUrl).origin === window.location.origin;
  // who is signed in is what `getMe` is asked for
  const userId = (endpoint: Endpoint): string | null =>
    isHere && endpoint.permission !== 'anyone' && endpoint !== getMe ? (session.user()?.id ?? null) : null;
  const client = createClient({ baseUrl: apiBaseUrl, fetch: window.fetch.bind(window), userId });
  // the same lock as the workers': one of them renews the session, the others find it renewed
  const underRefreshLock = (work: () => Promise<void>): Promise<void> => (locks ? locks.request('tieout-refresh', work) : work());

  const { engine, ended: engineEnded } = startEngine(trusted);
  void engineEnded.then(() => {
    if (canBeRead()) update.partIsGone();
    else window.addEventListener('online', update.partIsGone, { once: true });
  });
  // whoever is here goes on at once: on a slow network the screens come a second later, which open it again and say what fails
  if (known && !isSessionPath(window.location.pathname))
    engine.open({ userId: known.id, apiBaseUrl, signInId: session.signInId() }).catch(() => undefined);
  const queries = new QueryClient({ defaultOptions: { queries: queryBehaviour } });
  forgetWithPerson(queries, session);
  const services: Services = {
    call: watchCall(withRenewal(client, underRefreshLock), {
      onSignedOut: () => services.endedByServer(),
      onDenied: (path) => notices.toast('error', deniedText(path)),
    }),
    engine,
    engineEnded,
    config,
    apiBaseUrl,
    hostName: window.location.hostname,
    version: import.meta.env.VITE_APP_VERSION ?? 'dev',
    isMac: /Mac|iPhone|iPad/.test(navigator.userAgent),
    clock,
    local,
    locks,
    session,
    preferences,
    replica,
    notices,
    exports: createExportStore({ engine, notices, openSink: (target) => openSink(target, saveFile) }),
    drafts,
    queries,
    update,
    icon: navigator,
    log,
    visit: (url) => window.location.assign(url),
    endedByServer: () => {
      const me = session.user();
      // who they were may have been disabled, or this sign-in revoked: it does not open without the server before that takes them again
      if (me) suspendUnlock(local, me.email);
      services.leave();
    },
    leave: (error) => {
      // of several tabs the one the person looks at knows where they were; one that only follows another's sign-out does not
      if (session.user() && document.visibilityState === 'visible') session.rememberPlace(router.state.location.href);
      if (router.state.location.pathname !== '/logout')
        // in the place of where they were: whoever signs in again and goes back is not signed out by that
        void router.navigate({ to: '/logout', search: error === undefined ? {} : { error }, replace: true });
    },
  };
  // of those who are signed in here no longer
  void followRemovals(services);
  const router: AppRouter = createAppRouter(services);
  createRoot(root).render(<App services={services} router={router} />);
  // a browser, or a policy of theirs, may have none: the app works while there is a network
  registerServiceWorker(update).catch((error: unknown) => log(`The app could not be kept for offline use: ${String(error)}`));
}

const root = document.getElementById('root');
if (root) start(root).catch((error: unknown) => root.append(`Tieout could not start: ${String(error)}`));
