import type { FastifyInstance } from 'fastify';

/** How long a request that is under way may take once the server is to stop, in milliseconds. */
const graceMs = 10_000;

/**
 * How to stop a server: what is asked already is answered, and no connection on which nothing is asked is waited for. Browsers open
 * such ahead of need, and Node counts one that never bore a request as busy.
 * @returns stops it; resolves when nothing is open any more.
 */
export function stopperOf(app: FastifyInstance): () => Promise<void> {
  const { server } = app;
  let open = 0;
  let isStopping = false;
  const leave = (): void => {
    if (isStopping && open === 0) server.closeAllConnections();
  };
  server.on('request', (_request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
      leave();
    });
  });
  return async () => {
    isStopping = true;
    const closed = app.close();
    const late = setTimeout(() => server.closeAllConnections(), graceMs);
    leave();
    await closed;
    clearTimeout(late);
  };
}
