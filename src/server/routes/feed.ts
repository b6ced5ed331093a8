import { ApiError, feedRefusals } from '#contract/errors.ts';
import { feedCapabilities, feedProtocol, followNudges, hello, listChanges, listSizes } from '#contract/feed.ts';
import { largestPage } from '#contract/wire.ts';
import { openNudges } from '#server/nudges.ts';
import { feedStateOf } from '#server/repositories/change-log.ts';
import { countTransactions } from '#server/repositories/transactions.ts';
import { readChanges } from '#server/repositories/feed.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function feedRoutes(server: Server): void {
  route(server, hello, async (_input, { db, user, now }) => {
    const { server_gen, floor, perm_version } = await feedStateOf(db, user.id);
    return {
      protocol: feedProtocol.current,
      server_gen,
      server_time: new Date(now).toISOString(),
      min_client: feedProtocol.oldest,
      perm_version,
      floor,
      max_limit: largestPage,
      caps: [...feedCapabilities],
    };
  });

  route(server, listChanges, async ({ protocol, ...query }, { db, user, now }) => {
    if (protocol < feedProtocol.oldest) throw new ApiError({ code: 'client_too_old', detail: feedRefusals.clientTooOld });
    return readChanges(db, user, query, now);
  });

  route(server, listSizes, (_input, { db, user }) => countTransactions(db, user));

  const nudges = openNudges(server);
  server.app.addHook('preClose', () => nudges.close());
  route(server, followNudges, async (_input, { user, reply }) => {
    const stream = nudges.follow(user);
    // nothing between here and the browser may hold a nudge back, and a connection that ends with its stream keeps no server open
    void reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    return stream;
  });
}
