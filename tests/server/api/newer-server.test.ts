import { createHash } from 'node:crypto';
import cookie from '@fastify/cookie';
import { eq } from 'drizzle-orm';
import Fastify, { type FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineEndpoint } from '#contract/endpoint.ts';
import { idempotency } from '#server/database/tables/idempotency.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { aUser } from '#tests/support/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

/** A version of the server that takes a change in a shape, and says how often it made it. */
function aVersion(input: z.ZodType<object>) {
  const app = Fastify();
  app.register(cookie);
  let made = 0;
  const { database, clock } = server;
  const of = { app, database, clock: clock.now, config: { isSecure: false } } as unknown as Server;
  const endpoint = defineEndpoint({
    name: 'change',
    method: 'PUT',
    path: '/change',
    permission: 'signed_in',
    input,
    output: z.object({ made: z.number() }),
  });
  route(of, endpoint, async () => ({ made: (made += 1) }));
  return app;
}

/** Somebody who sends one change again and again. */
async function aSender(payload: object) {
  const { id, email } = await aUser(server.database.db);
  const { jar } = await server.signedIn(email);
  const key = uuidv7();
  const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '), 'idempotency-key': key };
  return { user_id: id, send: (to: FastifyInstance) => to.inject({ method: 'PUT', url: '/change', headers, payload }) };
}

const change = z.object({ text: z.string() });

test('[ID4] a change that was made before the server was updated gets its answer, though that reads more into it, or would not take it any more', async () => {
  const { send } = await aSender({ text: 'Said' });
  const versions = [change, change.extend({ note: z.string().prefault('none') }), z.object({ text: z.string().max(2) })];
  const answers = [];
  for (const input of versions) answers.push(await send(aVersion(input)));
  expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual(answers.map(() => [200, { made: 1 }]));
  expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true', 'true']);
});

test('[ID4] also where that was a version that kept what it had read', async () => {
  const { user_id, send } = await aSender({ text: 'Said', unknown: 'Ignored' });
  const version = aVersion(change);
  expect((await send(version)).json()).toEqual({ made: 1 });
  const read = createHash('sha256').update(JSON.stringify(['PUT', '/change', { text: 'Said' }, '']));
  await server.database.db
    .update(idempotency)
    .set({ request_hash: read.digest('hex') })
    .where(eq(idempotency.user_id, user_id));
  expect((await send(version)).json()).toEqual({ made: 1 });
});
