import { fsyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { feedChannel } from './feed-channel.ts';

// PGlite on its own thread: on the server's thread one long query would stop every request.

/** What the server asks of this thread. Statements run strictly in the order they arrive. */
export type PgliteCall =
  | { id: number; op: 'query'; text: string; params: unknown[]; asArrays: boolean; asText: boolean }
  | { id: number; op: 'exec'; text: string }
  | { id: number; op: 'count_fsync' }
  | { id: number; op: 'close' };

export interface PgliteAnswer {
  id: number;
  result?: unknown;
  error?: { message: string; code: string | undefined; detail: string | undefined; constraint: string | undefined };
}

/** Where a change was just committed, told unasked. */
export interface PgliteNotice {
  notice: string;
}

/** What of Emscripten's file system over Node this thread mends. */
interface NodeFileSystem {
  stream_ops: { fsync?: (stream: { nfd: number }) => number };
}

const asText = (value: string) => value;
/** Drizzle parses dates and intervals itself, so they must come as text. */
const textParsers = Object.fromEntries([1082, 1114, 1184, 1186, 1231, 1115, 1185, 1187, 1182].map((oid) => [oid, asText]));

/** Makes every commit reach the disk: PGlite's Node file system lacks fsync, and its defaults turn it off. */
async function openDurable(dataDir: string, onFsync: () => void): Promise<PGlite> {
  const startParams = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync'];
  const database = await PGlite.create({ dataDir, startParams });
  const files = (database.Module as unknown as { NODEFS: NodeFileSystem }).NODEFS;
  files.stream_ops.fsync = (stream) => {
    fsyncSync(stream.nfd);
    onFsync();
    return 0;
  };
  const setting = await database.query<{ fsync: string }>('show fsync');
  if (setting.rows[0]?.fsync !== 'on') throw new Error('The embedded database opened without fsync: commits would not be durable');
  return database;
}

async function serve(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('pglite.worker.ts runs as a worker thread only');
  const { dataDir } = workerData as { dataDir: string };
  let fsyncs = 0;
  const database = await openDurable(dataDir, () => {
    fsyncs += 1;
  });

  await database.listen(feedChannel, (notice) => port.postMessage({ notice } satisfies PgliteNotice));

  async function run(call: PgliteCall): Promise<unknown> {
    switch (call.op) {
      case 'query': {
        const options = {
          rowMode: call.asArrays ? ('array' as const) : ('object' as const),
          ...(call.asText ? { parsers: textParsers } : {}),
        };
        const { rows, affectedRows } = await database.query(call.text, call.params, options);
        return { rows, affectedRows };
      }
      case 'exec':
        await database.exec(call.text);
        return undefined;
      case 'count_fsync':
        return fsyncs;
      case 'close':
        await database.close();
        return undefined;
    }
  }

  let queue: Promise<void> = Promise.resolve();
  port.on('message', (call: PgliteCall) => {
    queue = queue.then(async () => {
      try {
        port.postMessage({ id: call.id, result: await run(call) } satisfies PgliteAnswer);
      } catch (cause) {
        const { message, code, detail, constraint } = cause as Error & Partial<Record<'code' | 'detail' | 'constraint', string>>;
        port.postMessage({ id: call.id, error: { message, code, detail, constraint } } satisfies PgliteAnswer);
      }
    });
  });
  port.postMessage('ready');
}

await serve();
