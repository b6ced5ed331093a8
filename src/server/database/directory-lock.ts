import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function claim(file: string): boolean {
  try {
    const handle = openSync(file, 'wx');
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes a directory for this process alone: the embedded database has no lock of its own, and two writers lose rows silently.
 * A lock left by a process that is gone is taken over.
 * @returns a function that gives the directory back.
 * @throws where another living process holds it.
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'server.pid');
  if (!claim(file)) {
    const owner = Number(readFileSync(file, 'utf8'));
    if (owner !== process.pid && owner > 0 && isAlive(owner)) {
      throw new Error(`${directory} is in use by process ${owner}. Stop that server first, or choose another folder with DATA_DIR.`);
    }
    rmSync(file, { force: true });
    if (!claim(file)) throw new Error(`${directory} is being opened by another process at this moment.`);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  return () => {
    process.off('exit', release);
    release();
  };
}
