import { sql } from 'drizzle-orm';
import { ApiError } from '#contract/errors.ts';
import { getDiagnosis } from '#contract/system.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function systemRoutes(server: Server): void {
  route(server, getDiagnosis, async (_input, { db }) => {
    const started = performance.now();
    try {
      await db.execute(sql`select 1`);
    } catch {
      throw new ApiError({ code: 'unavailable', detail: 'The database does not answer' });
    }
    const latency = Math.round((performance.now() - started) * 10) / 10;
    const version = server.config.version;
    return {
      version_ctrl: [
        { name: 'REST API', version },
        { name: 'Exchange integrations', version },
      ],
      // the specification has the two lists in opposite orders
      latency_info: [
        { name: 'Exchange integrations', latency_ms: null },
        { name: 'REST API', latency_ms: latency },
      ],
    };
  });
}
