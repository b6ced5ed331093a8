import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import { type ApiCall, createClient } from '#api-client/call.ts';
import type { Client } from '#contract/clients.ts';
import { ApiError } from '#contract/errors.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import type { OutboxRow, OutboxStore } from '#replica/outbox-tables.ts';
import { startTerm } from '#replica/sending.ts';
import { replay, type ReplayPorts } from '#workers/replay.ts';
import { planted } from '#tests/support/stored.ts';

const minuteMs = 60_000;
const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

/** A server that answers renames of clients, some otherwise, once it may. */
function answering(others: Readonly<Record<string, () => Response>>, may: Promise<void> = Promise.resolve()): ApiCall {
  const fetch = async (address: RequestInfo | URL): Promise<Response> => {
    const id = String(address).split('/').at(-1) ?? '';
    const client: Client = { id, organization_id: 'o', client_name: 'New', version: 4 };
    await may;
    return others[id]?.() ?? Response.json(client);
  };
  return createClient({ baseUrl: 'http://server', fetch });
}

/** @param onOutcomes told while outcomes are being written, and given a moment then. */
async function aSender(call: ApiCall, settle: ReplayPorts['settle'] = async () => undefined, onOutcomes: () => void = () => undefined) {
  const held = await openReplica(browserStores, uuidv7(), 0);
  opened.push(held);
  const write: OutboxStore['write'] = async (tables, work) => {
    const written = await held.outbox.write(tables, work);
    if (tables.includes('receipts') && (await pendingMutations(held.outbox)).some(({ state }) => state === 'acked')) {
      onOutcomes();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return written;
  };
  const replica = { ...held, outbox: { ...held.outbox, write } };
  const { outbox } = replica;
  const epoch = await startTerm(outbox);
  const { signal } = new AbortController();
  let now = 0;
  const fixed = { build: 'build', generation: 'g', keepsKeys: true, isQuiet: () => false };
  return {
    rename: (id: string) =>
      enqueue(outbox, {
        id: uuidv7(),
        name: 'updateClient',
        input: { id, client_name: 'New' },
        title: id,
        now,
        clientId: null,
        entityId: null,
        seen: { id, client_name: 'Old', version: 3, _generation: 'g' },
      }),
    plant: (changes: object, edit: OutboxRow) => planted(outbox, 'mutations', [{ ...edit, ...changes }]),
    edits: () => pendingMutations(outbox),
    send: (chance = 0.5) => {
      now += 2 * minuteMs;
      return replay({ ...fixed, random: () => chance, replica, epoch, call, settle, signal, now: () => (now += 1) });
    },
  };
}

const newer = [{ name: 'moveClient' }, { v: 2, input: { other: 'shape' } }];
test.each(newer)('[OB19] an accepted edit of a newer build is left as it is, and holds up none: %j', async (changes) => {
  const { rename, plant, edits, send } = await aSender(answering({}));
  await rename('a');
  await plant({ state: 'acked', answer: {}, ...changes }, (await edits())[0]!);
  const before = await edits();
  await rename('b');
  await send();
  expect(await edits()).toEqual(before);
});

test('[OB55] what attempts came to is kept though the work ends by a fault, and none is sent anew for it', async () => {
  let sent = 0;
  const refuse = () => {
    sent += 1;
    return Response.json({ detail: 'Not so' }, { status: 422 });
  };
  let tell = (): void => undefined;
  const isFaulty = new Promise<void>((resolve) => {
    tell = resolve;
  });
  // the fault is known by the time an answer comes
  const call = answering(
    { b: refuse },
    isFaulty.then(() => new Promise((resolve) => setImmediate(resolve))),
  );
  const { rename, plant, edits, send } = await aSender(call, () => {
    tell();
    return Promise.reject(new Error('The rows cannot be written'));
  });
  await rename('a');
  await plant({ state: 'acked', answer: {} }, (await edits())[0]!);
  await rename('b');
  await rename('c');
  for (let round = 0; round < 3; round += 1) await expect(send()).rejects.toThrow('The rows cannot be written');
  expect((await edits()).map(({ title, state }) => [title, state])).toEqual([
    ['a', 'acked'],
    ['b', 'refused'],
    ['c', 'acked'],
  ]);
  expect(sent).toBe(1);
});

test('[OB55] nor is an outcome lost that comes while others are written', async () => {
  let tell = (): void => undefined;
  const isWriting = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const sent: string[] = [];
  const call = createClient({
    baseUrl: 'http://server',
    fetch: async (address) => {
      const id = String(address).split('/').at(-1) ?? '';
      sent.push(id);
      if (id === 'late') await isWriting;
      return Response.json({ id, organization_id: 'o', client_name: 'New', version: 4 });
    },
  });
  const { rename, edits, send } = await aSender(call, undefined, tell);
  await rename('soon');
  await rename('late');
  await send();
  expect([await edits(), sent]).toEqual([[], ['soon', 'late']]);
});

describe('accepted edits whose rows are read back', () => {
  const failed = new ApiError({ code: 'internal', detail: 'Internal server error', isSaid: true });
  const network = new ApiError({ code: 'network', detail: 'The server could not be reached' });
  /** A dozen of them, at a server that has no answer for some. */
  async function withUnanswered(isUnanswered: (at: number) => boolean, fault = failed, { rows = 12, chance = 0.5 } = {}) {
    const asked: number[] = [];
    const { rename, plant, edits, send } = await aSender(answering({}), async (accepted) => {
      if (accepted.length > 0) asked.push(accepted.length);
      if (accepted.some(({ title }) => isUnanswered(Number(title)))) throw fault;
    });
    for (let at = 0; at < 12; at += 1) {
      await rename(String(at));
      const input = { trx_id: `out ${at % rows}`, counterpart_id: `into ${at}`, is_transfer: true };
      await plant({ name: 'markTransfer', input, lane: `trx:${at}`, state: 'acked', answer: null }, (await edits()).at(-1)!);
    }
    const { notReadBack } = await send(chance);
    return { stay: (await edits()).map(({ title }) => title), notReadBack, asked };
  }

  test('[OB76] one that the server cannot answer holds up no other, and it is told that it stays', async () => {
    const { stay, notReadBack } = await withUnanswered((at) => at === 0 || at === 7);
    expect([stay, notReadBack]).toEqual([['0', '7'], failed]);
    expect(await withUnanswered(() => false)).toMatchObject({ stay: [], notReadBack: null, asked: [12] });
  });

  test('[OB76] but those that touched its row after it, which it would hide', async () => {
    expect((await withUnanswered((at) => at === 1, failed, { rows: 5 })).stay).toEqual(['1', '6', '11']);
    expect((await withUnanswered((at) => at === 6, failed, { rows: 5 })).stay).toEqual(['6', '11']);
  });

  test('[OB76] nor do as many as are asked about before a server counts as one that answers none: it is begun anywhere', async () => {
    const most = ['0', '1', '2', '3', '4', '5', '6', '7'];
    expect((await withUnanswered((at) => at < 8, failed, { chance: 0 })).stay).toHaveLength(12);
    expect((await withUnanswered((at) => at < 8, failed, { chance: 0.9 })).stay).toEqual(most);
  });

  test('[OB76] a server that answers none of several, or nothing, is not asked for each', async () => {
    expect((await withUnanswered(() => true)).asked).toEqual([12, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(await withUnanswered((at) => at === 3, network)).toMatchObject({ asked: [12], notReadBack: network });
  });
});

const page = () => new Response('<html>Request blocked</html>', { status: 403 });

test('[OB56] an edit that gets no answer though others do meanwhile, time and again, is set aside for the person', async () => {
  const { rename, edits, send } = await aSender(answering({ blocked: page, behind: page }));
  await rename('blocked');
  for (let round = 0; round < 12; round += 1) {
    await rename(`free ${round}`);
    await send();
  }
  expect(await edits()).toMatchObject([{ title: 'blocked', state: 'parked', may_have_arrived: true }]);
});

test('[OB56] one that gets none while none does is sent again for as long as that takes', async () => {
  const { rename, edits, send } = await aSender(answering({ one: page, other: page }));
  await rename('one');
  await rename('other');
  for (let round = 0; round < 60; round += 1) await send();
  await rename('free');
  await send();
  expect((await edits()).map(({ title, state }) => [title, state])).toEqual([
    ['one', 'uncertain'],
    ['other', 'uncertain'],
  ]);
});
