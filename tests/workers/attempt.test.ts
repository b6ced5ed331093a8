import { expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import { listClients, updateClient } from '#contract/clients.ts';
import { deleteView } from '#contract/saved-views.ts';
import { markTransfer } from '#contract/transaction-matches.ts';
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
  ['nobody said, as by edits of older builds', undefined, false],
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

test.each([
  ['looked at first', null],
  ['sent on a version it is not in any more', 3],
])(
  '[CF34] an edit that may have arrived is sent under its key though its row is as it leaves it, so that no copy of it that comes late has an effect: %s',
  async (_, version) => {
    const met = { ...row('yew', 'Yew and Sons'), parent_id: null };
    const bound: (number | undefined)[] = [];
    const call = (async (endpoint: Endpoint, _input: unknown, { ifVersion }: { ifVersion?: number } = {}) => {
      if (endpoint !== updateClient) return [met];
      bound.push(ifVersion);
      if (ifVersion !== 1) throw new ApiError({ code: 'stale_version', detail: 'The row was changed', beside: { current: met } });
      return met;
    }) as ApiCall;
    const ports = { call, now: () => 0, random: () => 0, build: 'test', generation: 'now' };
    const base = { version, generation: 'now', fields: { client_name: 'Yew' } };
    const first = await attempt(ports, { ...edit, base, may_have_arrived: true });
    expect(first).toMatchObject({ event: 'rebase', changes: { base: { version: 1, generation: 'now' } } });
    expect(await attempt(ports, { ...edit, ...first.changes })).toMatchObject({ event: 'accepted', answer: met });
    expect(bound).toEqual([version ?? 999_999_999_999_999, 1]);
    // one of which no copy is on its way needs none of that
    expect(await attempt(ports, { ...edit, base })).toMatchObject({ event: 'accepted', changes: { is_met: true } });
  },
);

const decision: OutboxRow = {
  ...edit,
  name: 'markTransfer',
  input: { trx_id: 'out', counterpart_id: 'into', is_transfer: true },
  lane: 'trx:out',
  base: { version: null, fields: { match_state: 'PENDING' } },
  may_have_arrived: true,
};

test.each([
  ['an attempt before it', true, 'accepted'],
  ['another hand', false, 'conflict'],
])(
  '[CF37] a decision that may have arrived, about a row that is as it leaves it, is sent so that its key alone can be answered: made so by %s',
  async (_, isOurs, event) => {
    const marked = { id: 'out', version: 4, match_state: 'APPROVED' };
    const call = ((endpoint: Endpoint, _input: unknown, { ifVersion }: { ifVersion?: number } = {}) => {
      if (endpoint !== markTransfer) return Promise.resolve([marked]);
      const stale = new ApiError({ code: 'stale_version', detail: 'The row was changed', beside: { current: marked } });
      return isOurs || ifVersion === undefined || ifVersion === marked.version ? Promise.resolve({ id: 'match' }) : Promise.reject(stale);
    }) as ApiCall;
    const ports = { call, now: () => 0, random: () => 0, build: 'test', generation: 'now' };
    expect(await attempt(ports, decision)).toMatchObject({ event, ...(isOurs ? {} : { hasNotArrived: true }) });
  },
);

test.each([
  ['that may have arrived', { may_have_arrived: true }, [], 'accepted'],
  ['that was looked at and was gone', { base: { version: 0, generation: 'now', fields: {} } }, [], 'accepted'],
  ['of a row that is there all the same', { may_have_arrived: true }, [{ id: 'yew', version: 1 }], 'refuse'],
  ['that never left the device', {}, [], 'refuse'],
])(
  '[CF35] where the server knows nothing of what is to be deleted, an edit that may have arrived is done; any other is for the person: one %s',
  async (_, said, listed, event) => {
    const call = ((endpoint: Endpoint) =>
      endpoint === deleteView
        ? Promise.reject(new ApiError({ code: 'not_found', detail: 'View not found' }))
        : Promise.resolve(listed)) as ApiCall;
    const deletion = {
      ...edit,
      name: 'deleteView' as const,
      input: { id: 'yew' },
      base: { version: 1, generation: 'now', fields: {} },
      ...said,
    };
    const outcome = await attempt({ call, now: () => 0, random: () => 0, build: 'test', generation: 'now' }, deletion);
    expect(outcome).toMatchObject({ event, ...(event === 'accepted' ? { changes: { is_met: true } } : {}) });
  },
);

test('[OB28] a row that a whole page of others does not hold is not taken for deleted: the edit is sent; in a shorter page it is', async () => {
  const others = (count: number) => [...Array(count).keys()].map((at) => row(`alder-${at}`, 'Alder'));
  expect(await outcomeWith([...others(499), row('yew', 'Yew')])).toEqual({ event: 'accepted', isSent: true });
  expect(await outcomeWith(others(500))).toEqual({ event: 'accepted', isSent: true });
  expect(await outcomeWith(others(499))).toEqual({ event: 'conflict', isSent: false });
});
