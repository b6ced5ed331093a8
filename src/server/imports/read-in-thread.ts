import { Worker } from 'node:worker_threads';
import { type FileReading, refused } from './imported-row.ts';
import type { ReadOptions } from './read-file.ts';

/** Longest time one file may take, in milliseconds. */
const longestMs = 30_000;
/** Memory one file may take, in megabytes. */
const memoryMb = 1_024;

/**
 * Reads an import on a thread of its own: a large or hostile file holds up no request, and one that takes too long or too
 * much memory is refused.
 */
export function readInThread(bytes: Uint8Array, fileName: string, options: ReadOptions): Promise<FileReading> {
  const tooMuch = refused('The file is too large or too tangled to be read. Split it into smaller files.');
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./read-file.worker.mjs', import.meta.url), {
      workerData: { bytes, fileName, options },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    const timer = setTimeout(() => end(tooMuch), longestMs);
    const end = (reading: FileReading): void => {
      clearTimeout(timer);
      resolve(reading);
      void worker.terminate();
    };
    worker.on('message', end);
    worker.on('error', () => end(tooMuch));
    worker.on('exit', () => end(tooMuch));
  });
}
