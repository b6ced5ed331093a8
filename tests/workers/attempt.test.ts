import { expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { updateClient } from '#contract/clients.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { attempt } from '#workers/attempt.ts';

const row = (id: string, client_name: string) => ({ id, client_name, version: 1 });
const edit: OutboxRow = {
  seq: 1,
  id: 'edit',
  v: 1,
  name: 'updateClient',
  input: { id: 'yew', client_name: 'Yew and Sons' },
  lane: 'client:yew',
  state: 'sending',
  attempts: 1,
  next_attempt_at: 0,
  created_at: 0,
  title: 'Rename Yew',
  client_id: null,
  entity_id: null,
  base: { version: null, fields: { client_name: 'Yew' } },
};

/** What becomes of the edit at a server that lists these clients, whatever it is asked for. */
async function outcomeWith(listed: readonly unknown[]) {
  const asked: Endpoint[] = [];
  const call = (async (endpoint: Endpoint) => {
    asked.push(endpoint);
    return endpoint === updateClient ? row('yew', 'Yew and Sons') : listed;
  }) as ApiCall;
  const { event } = await attempt({ call, now: () => 0, random: () => 0, build: 'test', generation: null }, edit);
  return { event, isSent: asked.includes(updateClient) };
}

test('[OB28] a row that a whole page of others does not hold is not taken for deleted: the edit is sent; in a shorter page it is', async () => {
  const others = (count: number) => [...Array(count).keys()].map((at) => row(`alder-${at}`, 'Alder'));
  expect(await outcomeWith([...others(499), row('yew', 'Yew')])).toEqual({ event: 'accepted', isSent: true });
  expect(await outcomeWith(others(500))).toEqual({ event: 'accepted', isSent: true });
  expect(await outcomeWith(others(499))).toEqual({ event: 'conflict', isSent: false });
});
