import { cpSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright';
import { browserPid } from './browser-process.ts';
import { aFolder, freePort, openBrowser, type RunningServer, signIn, startServer } from './e2e.ts';
import { type Gateway, openGateway } from './gateway.ts';

/** Faults asked for in a long run; without, as many as a run of all tests has time for. */
export const kills = Number(process.env.KILLS ?? 5);
/** Faults one copy goes through before another one begins. */
export const killsPerCopy = 12;

/** How many faults each copy goes through, one after another, so that they make up the number asked for. */
export function killsOfCopies(all = kills): number[] {
  return Array.from({ length: Math.ceil(all / killsPerCopy) }, (_, index) => Math.min(killsPerCopy, all - index * killsPerCopy));
}

/** Calls for rows, and not for who is signed in or whether the server lives. */
export const pulling = /^GET \/api\/(?!users\/me|diagnosis)/;

/**
 * A renewed session is on the browser's disk only half a minute later, and the server ends a session whose former cookie comes back
 * after ten seconds: a browser killed between the two has to sign in again. That is left out here, so that nothing but the fault matters.
 */
const renewals = /^POST \/api\/refresh_token/;
/** Everything of the API that signing in does not need. */
const allButSigningIn = /\/api\/(?!login|users\/me)/;

/** A browser and the page of it that is looked at. */
export interface BrowserTab {
  context: BrowserContext;
  page: Page;
}

/** One browser on its profile, with the number of its process. */
export interface FaultBrowser extends BrowserTab {
  pid: number;
}

/** The server on demo data behind a gateway, and browsers in which the accountant is signed in and nothing is pulled. */
export interface FaultScene {
  url: string;
  /** The server past the gateway. */
  serverUrl: string;
  gateway: Gateway;
  server: () => RunningServer;
  /** A profile of its own, by its folder. */
  profile: () => string;
  open: (profile: string) => Promise<FaultBrowser>;
  /** The server on the same data again, after it has ended. */
  restart: () => Promise<void>;
  dataFolder: string;
  close: () => Promise<void>;
}

interface FaultSceneOptions {
  /** A database that was made already, to be copied: to make one takes seconds. */
  template?: string;
  /** How many demo data have, where the template has none. */
  transactions?: number;
}

export async function openFaultScene(name: string, { template, transactions = 0 }: FaultSceneOptions): Promise<FaultScene> {
  const data = aFolder(`${name}-data`);
  if (template !== undefined) cpSync(template, data.path, { recursive: true });
  const signedIn = aFolder(`${name}-profile`);
  const closing: (() => unknown)[] = [data.remove, signedIn.remove];
  const close = async (): Promise<void> => {
    for (const end of closing.splice(0).toReversed()) await end();
  };
  try {
    const env = { DATA_DIR: data.path, PORT: String(await freePort()), DEMO_TRANSACTIONS: String(transactions) };
    let server = await startServer(env);
    closing.push(() => server.stop('SIGKILL'));
    const gateway = await openGateway(server.url);
    closing.push(gateway.close);
    const open = async (profile: string): Promise<FaultBrowser> => {
      const { context, page } = await openBrowser(profile);
      closing.push(() => context.close());
      return { pid: browserPid(profile), context, page };
    };
    gateway.refuse(allButSigningIn);
    const first = await open(signedIn.path);
    await signIn(first.page, gateway.url);
    // what is kept of the session reaches the disk when the browser is closed as people close it
    await first.context.close();
    gateway.refuse(renewals);
    return {
      url: gateway.url,
      serverUrl: server.url,
      gateway,
      server: () => server,
      open,
      profile: () => {
        const folder = aFolder(`${name}-profile`);
        closing.push(folder.remove);
        cpSync(signedIn.path, folder.path, { recursive: true });
        return folder.path;
      },
      restart: async () => {
        server = await startServer(env);
      },
      dataFolder: data.path,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
