/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

// The app itself is kept for offline use; the API's answers never are: what the user may see lives in the replica.
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [/^\/api(\/|$)/, /^\/config\.json$/] }));

// a new version waits until the person accepts it, so that no tab changes under their hands
self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const message: unknown = event.data;
  if (typeof message === 'object' && message !== null && 'type' in message && message.type === 'SKIP_WAITING') void self.skipWaiting();
});

// the first installation takes over open pages, so that they work offline at once; an update does so only when accepted
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});
