import pg from 'pg';
import { feedChannel, type OnNotice } from './feed-channel.ts';

const retryMs = 1_000;

/**
 * Hears what any server on a PostgreSQL tells, on a connection of its own. One that breaks is made anew, and as something
 * may have been missed meanwhile, everybody (`user`) is told then.
 * @returns what ends the listening.
 */
export async function listenTo(url: string, onNotice: OnNotice): Promise<() => Promise<void>> {
  let isOver = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, keepAlive: true });
    next.on('notification', ({ payload }) => onNotice(payload || 'user'));
    // a connection that breaks says so once or twice; its end is what counts
    next.on('error', () => undefined);
    client = next;
    await next.connect();
    next.once('end', () => again(0));
    await next.query(`listen ${feedChannel}`);
  }

  function again(waitMs: number): void {
    if (isOver) return;
    clearTimeout(retry);
    retry = setTimeout(() => {
      connect().then(
        () => onNotice('user'),
        () => again(retryMs),
      );
    }, waitMs).unref();
  }

  await connect();
  return async () => {
    isOver = true;
    clearTimeout(retry);
    await client?.end().catch(() => undefined);
  };
}
