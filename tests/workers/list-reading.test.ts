import { describe, expect, test } from 'vitest';
import type { ApiCall, CallOptions } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { listClients } from '#contract/clients.ts';
import { listEntities } from '#contract/entities.ts';
import { ApiError } from '#contract/errors.ts';
import { readStream } from '#workers/list-reading.ts';
import { streams } from '#workers/streams.ts';

/** What a server makes of `skip` in a list of which the specification knows one page alone. */
type Skips = 'skips' | 'refuses' | 'ignores';

interface Question {
  client_id?: string;
  organization_id?: string;
  skip?: number;
  limit?: number;
}

interface Kind {
  skips: Skips;
  knowsClients?: boolean;
  /** One client that comes in no shape that can be read. */
  broken?: string;
  /** The most entities it gives at a time, however many are asked for. */
  cap?: number;
}

/** A server with so many entities of each of its clients, which gives no more of them at a time than the specification says. */
function aServer(sizes: readonly number[], { skips, knowsClients = true, broken, cap = 400 }: Kind) {
  const clients = sizes.map((_, no) => ({ id: `client ${no}` }));
  const entities = sizes.flatMap((size, no) =>
    Array.from({ length: size }, (_, at) => ({ id: `entity ${no}.${at}`, client_id: `client ${no}` })),
  );
  const asked: Question[] = [];
  const call = (async (endpoint: Endpoint, question: Question, { onLeftOut }: CallOptions = {}) => {
    if (endpoint === listClients) {
      const readable = clients.filter(({ id }) => id !== broken);
      if (readable.length < clients.length) onLeftOut?.(clients.length - readable.length, clients);
      return readable;
    }
    if (endpoint !== listEntities) throw new Error('Nothing else is asked');
    asked.push(question);
    if (question.skip !== undefined && skips === 'refuses') throw new ApiError({ code: 'invalid', detail: 'Unknown parameter' });
    const wanted = knowsClients ? question.client_id : undefined;
    const from = skips === 'skips' ? (question.skip ?? 0) : 0;
    return entities.filter(({ client_id }) => wanted === undefined || client_id === wanted).slice(from, from + cap);
  }) as unknown as ApiCall;
  const [stream] = streams.filter(({ noun }) => noun === 'entities');
  return { read: () => readStream({ call, pageLimit: null }, stream!, ''), asked, all: entities.length };
}

describe('a list of which the specification knows one page alone', () => {
  test('[SY33] is one question where that page is not full', async () => {
    const { read, asked } = aServer([100, 299], { skips: 'refuses' });
    const { rows, absence } = await read();
    expect([rows.length, absence, asked.length]).toEqual([399, 'missed', 1]);
  });

  test('[SY33] is looked behind where that page is shorter than it was asked to be, and round: a server may give no more at a time', async () => {
    const capped = aServer([250], { skips: 'skips', cap: 100 });
    expect((await capped.read()).rows.length).toBe(250);
    for (const skips of ['skips', 'refuses', 'ignores'] as const) {
      const { read, asked } = aServer([100], { skips });
      const { rows, absence } = await read();
      expect([rows.length, absence, asked.length]).toEqual([100, 'missed', 2]);
    }
  });

  test('[SY33] is read to its end at a server that skips all the same', async () => {
    const { read, all } = aServer([300, 300, 300], { skips: 'skips' });
    const { rows, absence } = await read();
    expect([rows.length, absence]).toEqual([all, 'missed']);
  });

  test.each(['refuses', 'ignores'] as const)('[SY33] is read in parts at one that %s to skip', async (skips) => {
    const { read, all } = aServer([150, 0, 399, 1], { skips });
    const { rows, absence } = await read();
    expect([rows.length, absence]).toEqual([all, 'missed']);
  });

  test.each(['refuses', 'ignores'] as const)(
    '[SY33] says nothing of what it lacks where a part is cut, too, at one that %s to skip',
    async (skips) => {
      const { read } = aServer([10, 500], { skips });
      const { rows, absence } = await read();
      expect([rows.length, absence]).toEqual([410, 'nothing']);
    },
  );

  test('[SY33] has the entities of a client that cannot be read', async () => {
    const { read, all } = aServer([150, 0, 399, 1], { skips: 'refuses', broken: 'client 2' });
    const { rows, absence } = await read();
    expect([rows.length, absence]).toEqual([all, 'missed']);
  });

  test('[SY33] says nothing of what it lacks where parts are not known there', async () => {
    const { read } = aServer([300, 300], { skips: 'refuses', knowsClients: false });
    const { rows, absence } = await read();
    expect([rows.length, absence]).toEqual([400, 'nothing']);
  });
});

test('[PG12] a page of which rows could not be read is as long as the server gave it', async () => {
  const given = Array.from({ length: 900 }, (_, no) => ({ id: `entity ${no}` }));
  const call = (async (_: Endpoint, { skip = 0 }: Question, { onLeftOut }: CallOptions = {}) => {
    const page = given.slice(skip, skip + 400);
    const readable = page.filter(({ id }) => id !== 'entity 7');
    if (readable.length < page.length) onLeftOut?.(page.length - readable.length, page);
    return readable;
  }) as unknown as ApiCall;
  const [stream] = streams.filter(({ noun }) => noun === 'entities');
  const { rows, absence } = await readStream({ call, pageLimit: null }, stream!, '');
  expect([rows.length, absence]).toEqual([899, 'missed']);
});
