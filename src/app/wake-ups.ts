/** After so long out of sight, in milliseconds, what a page shows may be old: timers of hidden pages, and of laptops that sleep, come late. */
const hiddenMs = 60_000;

export interface WakeUpPorts {
  window: EventTarget;
  document: EventTarget & { readonly visibilityState: string };
  clock: () => number;
}

/**
 * Calls back when the network is back, and when somebody looks at the page again after a while, or at one the browser had put by.
 * Browsers tell pages of the network; Chromium tells no worker. @returns how to have it end.
 */
export function onWakeUp({ window, document, clock }: WakeUpPorts, wake: () => void): () => void {
  let hiddenAt: number | null = document.visibilityState === 'hidden' ? clock() : null;
  const onVisibility = (): void => {
    const since = hiddenAt;
    hiddenAt = document.visibilityState === 'hidden' ? (since ?? clock()) : null;
    // a clock that was put back meanwhile says nothing of how long it was
    if (hiddenAt === null && since !== null && Math.abs(clock() - since) >= hiddenMs) wake();
  };
  const onShow = (event: Event): void => {
    if ((event as PageTransitionEvent).persisted) wake();
  };
  window.addEventListener('online', wake);
  window.addEventListener('pageshow', onShow);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    window.removeEventListener('online', wake);
    window.removeEventListener('pageshow', onShow);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
