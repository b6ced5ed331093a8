import { reportDevice } from '#contract/devices.ts';
import { browserOf } from '#server/cookies.ts';
import { hearOf } from '#server/repositories/devices.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function deviceRoutes(server: Server): void {
  const { isSecure } = server.config;
  route(server, reportDevice, async (report, { db, user, now, request }) => {
    const browser = browserOf(request, isSecure);
    return { lost: browser === undefined ? null : await hearOf(db, user, { ...report, browser }, now) };
  });
}
