import { lazyRouteComponent } from '@tanstack/react-router';

/** A part of the app is not there: it went with an older build, or the network did. */
export class MissingPartError extends Error {
  constructor(cause: unknown) {
    super('This part of the app could not be loaded. What you typed elsewhere is still here; reload the page once it is saved.', { cause });
    this.name = 'MissingPartError';
  }
}

/**
 * A screen that is loaded when it is gone to. Of one that is not there the router would read the page anew at once, with all that is typed
 * in it: whether that may be done the app's update decides, which hears of every missing part.
 */
export function lazyScreen<Screens extends Record<string, unknown>, Name extends keyof Screens>(load: () => Promise<Screens>, name: Name) {
  const loaded = (): Promise<Screens> =>
    load().catch((cause: unknown) => {
      throw new MissingPartError(cause);
    });
  return lazyRouteComponent(loaded, name);
}
