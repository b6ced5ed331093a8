import type { FastifyRequest } from 'fastify';
import { findRemoval, reportDevice, reportRemoval } from '#contract/devices.ts';
import { browserOf } from '#server/cookies.ts';
import { noteRemoval, openRemovalOf, placeSession } from '#server/repositories/device-removals.ts';
import { hearOf } from '#server/repositories/devices.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';
import { addressOf } from '#server/request-address.ts';
import { signInLimiter } from '#server/sign-in.ts';

export function deviceRoutes(server: Server): void {
  const { config, database } = server;
  const countAddress = signInLimiter(config.signInsPerMinute * 10, 'questions of devices');

  /** The browser a request comes from, where it has a name. */
  const nameOf = (request: FastifyRequest): string | undefined => {
    const name = browserOf(request, config.isSecure);
    // one name goes to every port of a host, and what a browser keeps does not
    return name === undefined ? undefined : `${name} ${request.headers.origin ?? ''}`.slice(0, 300);
  };

  route(server, reportDevice, async (report, { db, user, now, request }) => {
    const browser = nameOf(request);
    if (browser === undefined) return { lost: null };
    await placeSession(db, user, { browser, device_id: report.device_id });
    return { lost: await hearOf(db, user, { ...report, browser }, now) };
  });

  route(server, findRemoval, async ({ question, user_id, device_id }, { request, now }) => {
    countAddress(addressOf(request), now);
    const browser = nameOf(request);
    const removal = browser === undefined ? undefined : await openRemovalOf(database.db, user_id, { browser, device_id });
    return { question, removal: removal ?? null };
  });

  route(server, reportRemoval, async ({ device_id, ...order }, { request, now }) => {
    countAddress(addressOf(request), now);
    const browser = nameOf(request);
    if (browser !== undefined) await database.db.transaction((db) => noteRemoval(db, { ...order, device: { browser, device_id } }, now));
    return {};
  });
}
