import { parentPort, workerData } from 'node:worker_threads';
import { type ReadOptions, readImport } from './read-file.ts';

// One file, one thread: reads what it was started with, answers once and ends.
const { bytes, fileName, options } = workerData as { bytes: Uint8Array; fileName: string; options: ReadOptions };
parentPort?.postMessage(readImport(bytes, fileName, options));
