import { reportDevice } from '#contract/devices.ts';
import { browserOf } from '#server/cookies.ts';
import { hearOf } from '#server/repositories/devices.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function deviceRoutes(server: Server): void {
  const { isSecure } = server.config;
  route(server, reportDevice, async (report, { db, user, now, request }) => {
    const name = browserOf(request, isSecure);
    if (name === undefined) return { lost: null };
    // one name goes to every port of a host, and what a browser keeps does not
    const browser = `${name} ${request.headers.origin ?? ''}`.slice(0, 300);
    return { lost: await hearOf(db, user, { ...report, browser }, now) };
  });
}
