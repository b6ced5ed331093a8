import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseKind } from '#tests/support/database.ts';
import { aServer, type TestClock, type TestServer, testNow } from '#tests/support/server.ts';
import { withReference } from '#tests/support/world.ts';
import { aPlace } from '#tests/sim/real-place.ts';
import { RealServer } from '#tests/sim/real-server.ts';
import { simulate } from '#tests/sim/run.ts';

// The simulator's worlds once more, at the real server instead of the model: the model must not drift away from it. The server's ids and
// the database's own times are its own, so that a seed says what happens, and not to the letter how.

/** One seed alone: `SEED=17 npx vitest run --project pglite tests/flows/worlds.test.ts`. */
const only = Number(process.env.SEED ?? 0);
const most = databaseKind === 'pglite' ? 20 : 4;
const seeds = only > 0 ? [only] : Array.from({ length: most }, (_, index) => index + 1);
const steps = 80;

let now = () => testNow;
let server: TestServer;

beforeAll(async () => {
  // nudges are the simulator's: no timer of the server has to come
  const clock: TestClock = { now: () => now(), advance: () => undefined, timers: { after: () => () => undefined }, timersSet: () => 0 };
  server = await aServer({}, clock);
  await withReference(server.database.db);
});
afterAll(() => server.close());

test('[SM11] at the real server, too, nothing is lost, doubled, reordered or left out, and every copy comes to be as it', async () => {
  const failed: string[] = [];
  for (const seed of seeds) {
    const place = await aPlace(server);
    let real: RealServer | undefined;
    const { failure, recent } = await simulate(seed, steps, {
      make: (ports) => {
        now = ports.now;
        real = new RealServer(place, ports);
        return real;
      },
      prepare: async () => real?.fill(),
    });
    if (failure !== null)
      failed.push(
        `SEED=${seed} npx vitest run --project ${databaseKind} tests/flows/worlds.test.ts: ${failure}\n  ${recent.slice(-12).join('\n  ')}`,
      );
  }
  expect(failed).toEqual([]);
}, 900_000);
