import { expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { listClients, updateClient } from '#contract/clients.ts';
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

test.each([
  ['the present one', 'now', true],
  ['nobody said, as by edits of older builds', undefined, true],
  ['another one', 'before', false],
  ['one that was not known', null, false],
])(
  '[CF31] an edit is sent on its version where that is of the present database, else its row is looked at first: %s',
  async (_, of, isBound) => {
    const asked: [Endpoint, number | undefined][] = [];
    const call = (async (endpoint: Endpoint, _input: unknown, options: { ifVersion?: number } = {}) => {
      asked.push([endpoint, options.ifVersion]);
      return endpoint === updateClient ? row('yew', 'Yew and Sons') : [row('yew', 'Yew')];
    }) as ApiCall;
    const base = { version: 3, fields: { client_name: 'Yew' }, ...(of === undefined ? {} : { generation: of }) };
    const outcome = await attempt({ call, now: () => 0, random: () => 0, build: 'test', generation: 'now' }, { ...edit, base });
    expect(asked).toEqual([isBound ? [updateClient, 3] : [listClients, undefined]]);
    // as it was, on the version it has here
    if (!isBound) expect(outcome).toEqual({ event: 'rebase', changes: { base: { ...base, version: 1, generation: 'now' } } });
  },
);

test('[OB28] a row that a whole page of others does not hold is not taken for deleted: the edit is sent; in a shorter page it is', async () => {
  const others = (count: number) => [...Array(count).keys()].map((at) => row(`alder-${at}`, 'Alder'));
  expect(await outcomeWith([...others(499), row('yew', 'Yew')])).toEqual({ event: 'accepted', isSent: true });
  expect(await outcomeWith(others(500))).toEqual({ event: 'accepted', isSent: true });
  expect(await outcomeWith(others(499))).toEqual({ event: 'conflict', isSent: false });
});
