import { lazyRouteComponent } from '@tanstack/react-router';

/** A part of the app is not there: it went with an older build, or the network did. */
export class MissingPartError extends Error {
  /** Asks for it once more. */
  readonly again: () => Promise<unknown>;

  constructor(again: () => Promise<unknown>, cause: unknown) {
    super('This part of the app could not be loaded: there is no network, or a newer version is here. Try again, or reload the page.', {
      cause,
    });
    this.name = 'MissingPartError';
    this.again = again;
  }
}

interface Preloaded {
  preload?: () => Promise<void> | undefined;
}

/**
 * A screen that is loaded when it is gone to. Of one that is not there the router would read the page anew at once, with all that is typed
 * in it: whether that may be done the app's update decides, which hears of every missing part.
 */
export function lazyScreen<Screens extends Record<string, unknown>, Name extends keyof Screens>(load: () => Promise<Screens>, name: Name) {
  const loaded = (): Promise<Screens> =>
    load().catch((cause: unknown) => {
      throw new MissingPartError(async () => (screen as Preloaded).preload?.(), cause);
    });
  const screen: unknown = lazyRouteComponent(loaded, name);
  return screen as ReturnType<typeof lazyRouteComponent<Screens, Name>>;
}
