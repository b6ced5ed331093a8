import type { BenchPage, OrderName, Orders } from './orders.ts';

interface Reply {
  readonly number: number;
  readonly answer?: unknown;
  readonly error?: string;
}

let worker: Worker | null = null;
let orders = 0;
const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();

function start(file: string): void {
  worker = new Worker(`/${file}`, { type: 'module' });
  worker.onmessage = ({ data: reply }: MessageEvent<Reply>) => {
    const waiter = waiting.get(reply.number);
    waiting.delete(reply.number);
    if (reply.error === undefined) waiter?.resolve(reply.answer);
    else waiter?.reject(new Error(reply.error));
  };
  worker.onerror = ({ message, filename, lineno }) => {
    for (const { reject } of waiting.values()) reject(new Error(`The worker failed: ${message} (${filename}:${lineno})`));
  };
}

function order<Name extends OrderName>(name: Name, content: Orders[Name]['order']): Promise<Orders[Name]['answer']> {
  const number = ++orders;
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve: resolve as (answer: unknown) => void, reject });
    worker?.postMessage({ number, name, order: content });
  });
}

async function coldOpen(file: string, counted: boolean): Promise<number> {
  const began = performance.now();
  start(file);
  const { rows } = await order('open', { counted });
  const ms = performance.now() - began;
  if (rows === 0) throw new Error('Nothing was stored');
  return ms;
}

type MeasuredPerformance = Performance & { measureUserAgentSpecificMemory(): Promise<{ bytes: number }> };

async function memory(): Promise<number> {
  return (await (performance as MeasuredPerformance).measureUserAgentSpecificMemory()).bytes;
}

const page: BenchPage = { start, coldOpen, order, memory };
Object.assign(globalThis, { bench: page });
