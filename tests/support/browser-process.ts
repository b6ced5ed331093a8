import { readdirSync, readFileSync } from 'node:fs';
import type { BrowserContext } from 'playwright';

function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // it has ended meanwhile
    return [];
  }
}

/** The number of the browser's process on a profile folder; all its processes are one group of that number. */
export function browserPid(profile: string): number {
  const pid = readdirSync('/proc').find((name) => {
    const command = /^\d+$/.test(name) ? commandOf(name) : [];
    return command.includes(`--user-data-dir=${profile}`) && !command.some((part) => part.startsWith('--type='));
  });
  if (pid === undefined) throw new Error(`No browser runs on ${profile}`);
  return Number(pid);
}

/** Kills a browser with all its processes as a crash or a power cut does. Resolves when it is gone. */
export async function killBrowser({ context, pid }: { context: BrowserContext; pid: number }): Promise<void> {
  const gone = context.waitForEvent('close');
  process.kill(-pid, 'SIGKILL');
  await gone;
}
