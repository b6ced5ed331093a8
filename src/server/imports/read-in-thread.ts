import { Worker } from 'node:worker_threads';
import { type FileReading, refused } from './imported-row.ts';
import type { ReadOptions } from './read-file.ts';

/** Longest time one file may take, in milliseconds. */
const longestMs = 30_000;
/** Memory one file may take, in megabytes. */
const memoryMb = 1_024;

/** Files read at once: the memory of as many is what imports may take of the machine. */
const atOnce = 2;
let reading = 0;
const waiting: (() => void)[] = [];

/** Does work once fewer than so many others are done. */
async function inLine<T>(work: () => Promise<T>): Promise<T> {
  if (reading < atOnce) reading += 1;
  else await new Promise<void>((resolve) => void waiting.push(resolve));
  try {
    return await work();
  } finally {
    // the place goes to whoever waits for it longest
    const next = waiting.shift();
    if (next) next();
    else reading -= 1;
  }
}

/**
 * Reads an import on a thread of its own: a large or hostile file holds up no request, and one that takes too long or too
 * much memory is refused. Beyond a few at once the others wait.
 */
export function readInThread(bytes: Uint8Array, fileName: string, options: ReadOptions): Promise<FileReading> {
  return inLine(() => readNow(bytes, fileName, options));
}

function readNow(bytes: Uint8Array, fileName: string, options: ReadOptions): Promise<FileReading> {
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
