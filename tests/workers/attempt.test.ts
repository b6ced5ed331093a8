import { describe, expect, test } from 'vitest';
import { type ApiCall, type CallOptions, createClient } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { deleteEntity, getEntity, listEntities } from '#contract/entities.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { listClients, updateClient } from '#contract/clients.ts';
import { deleteView } from '#contract/saved-views.ts';
import { markTransfer } from '#contract/transaction-matches.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { attempt } from '#workers/attempt.ts';

const row = (id: string, client_name: string) => ({ id, client_name, version: 1 });
/** @param generation of a server that compares versions; null of any other. */
const portsWith = (call: ApiCall, generation: string | null = 'now') => ({
  call,
  now: () => 0,
  random: () => 0,
  build: 'test',
  keepsKeys: generation !== null,
  generation,
});
/** What no row is ever in. */
const noVersion = 999_999_999_999_999;
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
  const { event } = await attempt(portsWith(call, null), edit);
  return { event, isSent: asked.includes(updateClient) };
}

test.each([
  ['the present one', 'now', true],
  ['nobody said, as by edits of older builds', undefined, false],
  ['another one', 'before', false],
  ['one that was not known', null, false],
])(
  '[CF31] an edit is sent on its version where that is of the present database, else the server says first how its row is: %s',
  async (_, of, isBound) => {
    const asked: [Endpoint, number | undefined][] = [];
    // by chance its row has the same version here
    const current = { ...row('yew', 'Yew'), parent_id: null, version: 3 };
    const call = (async (endpoint: Endpoint, _input: unknown, options: { ifVersion?: number } = {}) => {
      asked.push([endpoint, options.ifVersion]);
      if (options.ifVersion !== 3)
        throw new ApiError({ code: 'stale_version', isSaid: true, detail: 'The row was changed', beside: { current } });
      return row('yew', 'Yew and Sons');
    }) as ApiCall;
    const base = { version: 3, fields: { client_name: 'Yew', parent_id: null }, ...(of === undefined ? {} : { generation: of }) };
    const ports = portsWith(call);
    const first = await attempt(ports, { ...edit, base });
    expect(asked).toEqual([[updateClient, isBound ? 3 : noVersion]]);
    if (isBound) return;
    // as it was, on the version it has here
    expect(first).toMatchObject({ event: 'rebase', changes: { base: { ...base, version: 3, generation: 'now' } } });
    expect(await attempt(ports, { ...edit, ...first.changes })).toMatchObject({ event: 'accepted' });
  },
);

test.each([
  ['sent on none', null],
  ['sent on a version it is not in any more', 3],
])(
  '[CF34] an edit that may have arrived is sent under its key though its row is as it leaves it, so that no copy of it that comes late has an effect: %s',
  async (_, version) => {
    const met = { ...row('yew', 'Yew and Sons'), parent_id: null };
    const bound: (number | undefined)[] = [];
    const call = (async (endpoint: Endpoint, _input: unknown, { ifVersion }: { ifVersion?: number } = {}) => {
      if (endpoint !== updateClient) return [met];
      bound.push(ifVersion);
      if (ifVersion !== 1)
        throw new ApiError({ code: 'stale_version', isSaid: true, detail: 'The row was changed', beside: { current: met } });
      return met;
    }) as ApiCall;
    const ports = portsWith(call);
    const base = { version, generation: 'now', fields: { client_name: 'Yew' } };
    const first = await attempt(ports, { ...edit, base, may_have_arrived: true });
    expect(first).toMatchObject({ event: 'rebase', changes: { base: { version: 1, generation: 'now' } } });
    expect(await attempt(ports, { ...edit, ...first.changes })).toMatchObject({ event: 'accepted', answer: met });
    expect(bound).toEqual([version ?? noVersion, 1]);
    // one of which no copy is on its way needs none of that
    expect(await attempt(ports, { ...edit, base })).toMatchObject({ event: 'accepted', changes: { is_met: true } });
  },
);

const decision: OutboxRow = {
  ...edit,
  name: 'markTransfer',
  input: { trx_id: 'out', counterpart_id: 'into', is_transfer: true },
  lane: 'trx:out',
  base: { version: null, fields: { match_state: 'PENDING', quantity: '1' } },
  may_have_arrived: true,
};

test.each([
  ['made so by an attempt before it', 'APPROVED', '1', true, 'accepted'],
  ['made so by an attempt before it, and changed since', 'APPROVED', '2', true, 'accepted'],
  ['made so by another hand', 'APPROVED', '1', false, 'conflict'],
  ['as the person saw it', 'PENDING', '1', false, 'rebase'],
])(
  '[CF37] a decision that may have arrived, and of whose row the version is not known, is sent so that its key alone can be answered: the row is %s',
  async (_, match_state, quantity, isOurs, event) => {
    const current = { id: 'out', version: 4, match_state, quantity };
    const bound: (number | undefined)[] = [];
    const call = ((_endpoint: Endpoint, _input: unknown, { ifVersion }: { ifVersion?: number } = {}) => {
      bound.push(ifVersion);
      const stale = new ApiError({ code: 'stale_version', isSaid: true, detail: 'The row was changed', beside: { current } });
      return isOurs ? Promise.resolve({ id: 'match' }) : Promise.reject(stale);
    }) as ApiCall;
    const ports = portsWith(call);
    expect(await attempt(ports, decision)).toMatchObject({ event });
    expect(bound).toEqual([noVersion]);
  },
);

test('[CF37] what is sent so has no effect, and is not called uncertain where no answer comes', async () => {
  const call = (() => Promise.reject(new ApiError({ code: 'network', detail: 'Lost', status: 0 }))) as ApiCall;
  const ports = portsWith(call);
  const { event, mayHaveArrived } = await attempt(ports, { ...decision, may_have_arrived: false });
  expect([event, mayHaveArrived]).toEqual(['try_later', undefined]);
  const known = { version: 1, generation: 'now', fields: { match_state: 'PENDING' } };
  expect(await attempt(ports, { ...decision, base: known })).toMatchObject({ event: 'no_answer', mayHaveArrived: true });
});

test.each([
  ['that may have arrived', { may_have_arrived: true }, [], 'accepted'],
  ['that was looked at and was gone', { base: { version: 0, generation: 'now', fields: {} } }, [], 'accepted'],
  ['of a row that is there all the same', { may_have_arrived: true }, [{ id: 'yew', version: 1 }], 'refuse'],
  [
    'that was gone, of a row that is there again',
    { base: { version: 0, generation: 'now', fields: {} } },
    [{ id: 'yew', version: 1 }],
    'refuse',
  ],
  ['that never left the device', {}, [], 'refuse'],
])(
  '[CF35] where the server knows nothing of what is to be deleted, an edit that may have arrived is done; any other is for the person: one %s',
  async (_, said, listed, event) => {
    const call = ((endpoint: Endpoint) =>
      endpoint === deleteView
        ? Promise.reject(new ApiError({ code: 'not_found', isSaid: true, detail: 'View not found' }))
        : Promise.resolve(listed)) as ApiCall;
    const deletion = {
      ...edit,
      name: 'deleteView' as const,
      input: { id: 'yew' },
      base: { version: 1, generation: 'now', fields: {} },
      ...said,
    };
    const outcome = await attempt(portsWith(call), deletion);
    expect(outcome).toMatchObject({ event, ...(event === 'accepted' ? { changes: { is_met: true } } : {}) });
  },
);

/** The client over a server that lists these clients, so many at a time, and answers anything else with what is given. */
function listing(clients: readonly object[], perPage: number, other: () => Response, sent: string[] = []): ApiCall {
  return createClient({
    baseUrl: 'http://server',
    fetch: async (address, { method } = {}) => {
      const { pathname, searchParams } = new URL(String(address));
      if (method === 'GET' && pathname === '/clients/') {
        const skip = Number(searchParams.get('skip'));
        return Response.json(clients.slice(skip, skip + perPage));
      }
      sent.push(`${method} ${pathname}`);
      return other();
    },
  });
}
const unread = { id: 'yew', named: 'in another shape' };
const full = (rows: number) => Array.from({ length: rows }, (_, at) => ({ ...row(`alder-${at}`, 'Alder'), organization_id: 'office' }));

test.each([
  ['the only one', 0],
  ['on a second page alone', 100],
  ['behind a page that is full', 500],
])('[OB75] nor where the row that cannot be read is %s', async (_, before) => {
  const sent: string[] = [];
  const call = listing(
    [...full(before), unread],
    Math.max(before, 1),
    () => Response.json({ ...row('yew', 'Yew and Sons'), organization_id: 'office' }),
    sent,
  );
  expect(await attempt(portsWith(call, null), { ...edit, may_have_arrived: false })).toMatchObject({ event: 'fault' });
  expect(sent).toEqual([]);
});

test('[OB75] nor is it where not even the ids of a page say which rows they are', async () => {
  const sent: string[] = [];
  const call = listing(
    [...full(100), { named: 'in another shape' }],
    100,
    () => Response.json({ ...row('yew', 'Yew and Sons'), organization_id: 'office' }),
    sent,
  );
  expect(await attempt(portsWith(call, null), { ...edit, may_have_arrived: false })).toMatchObject({ event: 'fault' });
  expect(sent).toEqual([]);
});

test('[OB75] nor does a deletion wait that is done, where that client is all there is in the list', async () => {
  const call = listing([{ ...unread, id: 'ash' }], 500, () => Response.json({ detail: 'Entity not found' }, { status: 404 }));
  const base = { version: 1, generation: 'now', fields: {} };
  const deletion: OutboxRow = { ...edit, name: 'deleteEntity', input: { id: 'yew' }, client_id: 'ash', base, may_have_arrived: true };
  expect(await attempt(portsWith(call), deletion)).toMatchObject({ event: 'accepted', changes: { is_met: true } });
});

test('[OB75] nor does a deletion wait that is done, where the client its row lay in cannot be read', async () => {
  const body = [row('oak', 'Oak'), { id: 'ash', named: 'in another shape' }];
  const call = (async (endpoint: Endpoint, _input: unknown, { onLeftOut }: CallOptions = {}) => {
    if (endpoint !== listClients) throw new ApiError({ code: 'not_found', isSaid: true, detail: 'Entity not found' });
    onLeftOut?.(1, body);
    return body.slice(0, 1);
  }) as ApiCall;
  const base = { version: 1, generation: 'now', fields: {} };
  const deletion: OutboxRow = { ...edit, name: 'deleteEntity', input: { id: 'yew' }, client_id: 'ash', base, may_have_arrived: true };
  expect(await attempt(portsWith(call), deletion)).toMatchObject({ event: 'accepted', changes: { is_met: true } });
});

test('[OB28] a row that a whole page of others does not hold is not taken for deleted: the edit is sent; in a shorter page it is', async () => {
  const others = (count: number) => [...Array(count).keys()].map((at) => row(`alder-${at}`, 'Alder'));
  expect(await outcomeWith([...others(499), row('yew', 'Yew')])).toEqual({ event: 'accepted', isSent: true });
  expect(await outcomeWith(others(500))).toEqual({ event: 'accepted', isSent: true });
  expect(await outcomeWith(others(499))).toEqual({ event: 'conflict', isSent: false });
});

test('[OB28] nor is one that is in a later page, or may be, of a server that gives fewer rows at a time than it is asked for', async () => {
  const others = [...Array(150).keys()].map((at) => row(`alder-${at}`, 'Alder'));
  const outcomeAmong = async (listed: readonly { id: string }[]) => {
    const sent: Endpoint[] = [];
    const call = (async (endpoint: Endpoint, { skip = 0 }: { skip?: number }) => {
      if (endpoint === listClients) return listed.slice(skip, skip + 100);
      sent.push(endpoint);
      return row('yew', 'Yew and Sons');
    }) as unknown as ApiCall;
    const { event } = await attempt(portsWith(call, null), edit);
    return { event, isSent: sent.length > 0 };
  };
  expect(await outcomeAmong([...others, row('yew', 'Yew')])).toEqual({ event: 'accepted', isSent: true });
  expect(await outcomeAmong([...others, row('yew', 'Oak')])).toEqual({ event: 'conflict', isSent: false });
  expect(await outcomeAmong(others)).toEqual({ event: 'accepted', isSent: true });
});

test.each([
  ['lacks it once', 1, edit, { event: 'accepted', lists: 2, sent: 1 }],
  ['lacks it twice', 2, edit, { event: 'accepted', lists: 3, sent: 1 }],
  ['lacks it three times, one after another', 3, edit, { event: 'conflict', lists: 3, sent: 0 }],
  // nobody doubts it
  ['is to lack it', 1, { ...edit, base: { version: 0, fields: null } }, { event: 'accepted', lists: 1, sent: 1 }],
  [
    'lacks it, as its person knows, though it is there again',
    2,
    { ...edit, base: { version: 0, fields: { client_name: 'Ash' } } },
    { event: 'conflict', lists: 3, sent: 0 },
  ],
] satisfies [string, number, OutboxRow, object][])(
  '[OB67] a row that one list lacks is not taken for deleted where no versions are compared, for it may be there: the list %s',
  async (_, lacking, of, expected) => {
    let [lists, sent] = [0, 0];
    const call = (async (endpoint: Endpoint) => {
      if (endpoint === updateClient) sent += 1;
      else lists += 1;
      if (endpoint === updateClient) return row('yew', 'Yew and Sons');
      return [row('ash', 'Ash'), ...(lists > lacking ? [row('yew', 'Yew')] : [])];
    }) as ApiCall;
    const { event } = await attempt(portsWith(call, null), of);
    expect({ event, lists, sent }).toEqual(expected);
  },
);

test('[OB67] nor is a transaction that one answer lacks though it was asked for alone', async () => {
  const fields = { is_transfer: null, transfer_id: null };
  const base = { version: 1, fields };
  const out = { id: 'out', version: 1, ...fields };
  const lacking = async (lacks: number) => {
    let answers = 0;
    const call = (async (endpoint: Endpoint, { trx_id: [id] = [] }: { trx_id?: readonly string[] }) => {
      if (endpoint === markTransfer) return out;
      if (id === 'out') answers += 1;
      return id === 'out' && answers <= lacks ? [] : [{ ...out, id }];
    }) as unknown as ApiCall;
    const { event } = await attempt(portsWith(call, null), { ...decision, base });
    return { event, answers };
  };
  expect(await lacking(2)).toEqual({ event: 'accepted', answers: 3 });
  expect(await lacking(3)).toEqual({ event: 'conflict', answers: 3 });
});

test('[OB67] nor is a view that is to be deleted, and the deletion is not called done for it', async () => {
  let lists = 0;
  const sent: Endpoint[] = [];
  const view = { id: 'yew', version: 1, name: 'Yew', list: 'transactions', search: '' };
  const call = (async (endpoint: Endpoint) => {
    if (endpoint === deleteView) sent.push(endpoint);
    else lists += 1;
    return endpoint === deleteView ? {} : lists === 1 ? [] : [view];
  }) as ApiCall;
  const base = { version: 1, fields: { name: 'Yew', list: 'transactions', search: '' } };
  const { event } = await attempt(portsWith(call, null), { ...edit, name: 'deleteView', input: { id: 'yew' }, base });
  expect([event, sent]).toEqual(['accepted', [deleteView]]);
});

test.each([
  ['a client, in its list', edit],
  ['a view, in a list without pages', { ...edit, name: 'saveView', input: { id: 'yew', name: 'Mine', list: 'transactions', search: '' } }],
  ['a transaction, among those asked for', { ...decision, input: { ...(decision.input as object), trx_id: 'yew' } }],
] satisfies [string, OutboxRow][])(
  '[OB75] a row that is there and cannot be read is not written over, nor taken for deleted, where no versions are compared: %s',
  async (_, of) => {
    const body = [
      { ...row('oak', 'Oak'), name: 'Oak', list: 'transactions', search: '' },
      { id: 'yew', named: 'in another shape' },
    ];
    const sent: Endpoint[] = [];
    const call = (async (endpoint: Endpoint, _input: unknown, { onLeftOut }: CallOptions = {}) => {
      if (endpoint.method !== 'GET') sent.push(endpoint);
      onLeftOut?.(1, body);
      return body.slice(0, 1);
    }) as ApiCall;
    const { event, error } = await attempt(portsWith(call, null), { ...of, may_have_arrived: false });
    expect({ event, code: error?.code, sent }).toEqual({ event: 'fault', code: 'bad_answer', sent: [] });
  },
);

describe('an edit that makes something, at a server that keeps no keys', () => {
  const create: OutboxRow = {
    ...edit,
    name: 'createClient',
    input: { id: 'mine', organization_id: 'office', client_name: 'Yew' },
    lane: 'client:mine',
    may_have_arrived: true,
    error: { code: 'network', detail: 'The server could not be reached' },
  };
  delete create.base;
  const ticket: OutboxRow = { ...create, name: 'submitTicket', input: { id: 'mine' }, lane: 'ticket:mine' };

  /** What becomes of it at a server that has these clients, and answers what is sent so. */
  async function met(
    of: OutboxRow,
    clients: readonly object[],
    answer: 'made' | 'lost' | 'failed' = 'made',
    skips = true,
    body: readonly object[] = clients,
  ) {
    let sent = 0;
    const call = (async (endpoint: Endpoint, input: { skip?: number; limit?: number }, { onLeftOut }: CallOptions = {}) => {
      if (endpoint === listClients) {
        const from = skips ? (input.skip ?? 0) : 0;
        if (body.length > clients.length) onLeftOut?.(body.length - clients.length, body);
        return clients.slice(from, from + (input.limit ?? 500));
      }
      sent += 1;
      if (answer === 'made') return { id: 'theirs', client_name: 'Yew' };
      throw new ApiError({ code: answer === 'lost' ? 'network' : 'internal', detail: answer });
    }) as ApiCall;
    const { event, answer: row, changes, mayHaveArrived } = await attempt(portsWith(call, null), of);
    return { event, row, sent, changes, mayHaveArrived };
  }
  const others = [row('ash', 'Ash'), row('elm', 'Elm')];

  test('[OB38] is done where it is found there, under whatever id', async () => {
    const theirs = row('theirs', 'Yew');
    expect(await met(create, [...others, theirs])).toMatchObject({ event: 'accepted', row: theirs, sent: 0, changes: { is_met: true } });
  });

  test('[OB38] is sent once more where it is not, and where that is lost, too, the person is asked', async () => {
    expect(await met(create, others)).toMatchObject({ event: 'accepted', sent: 1 });
    const again = await met(create, others, 'lost');
    expect(again).toMatchObject({ event: 'no_answer', sent: 1, mayHaveArrived: true, changes: { resent: 'once' } });
    expect(await met({ ...create, resent: 'once' }, others)).toMatchObject({ event: 'poison', sent: 0, changes: { resent: 'asked' } });
    expect(await met({ ...create, resent: 'once' }, [row('theirs', 'Yew')])).toMatchObject({ event: 'accepted', sent: 0 });
  });

  test('[OB70] is not sent once more though two lists lack it, for one of them may lack what is there; where three do, one after another, it is', async () => {
    const lacking = async (lacks: number) => {
      let [lists, sent] = [0, 0];
      const call = (async (endpoint: Endpoint) => {
        if (endpoint === listClients) lists += 1;
        else sent += 1;
        return endpoint === listClients ? [...others, ...(lists > lacks ? [row('theirs', 'Yew')] : [])] : row('again', 'Yew');
      }) as ApiCall;
      const { event, answer } = await attempt(portsWith(call, null), create);
      return { event, answer, lists, sent };
    };
    expect(await lacking(2)).toEqual({ event: 'accepted', answer: row('theirs', 'Yew'), lists: 3, sent: 0 });
    expect(await lacking(3)).toEqual({ event: 'accepted', answer: row('again', 'Yew'), lists: 3, sent: 1 });
  });

  test('[OB74] is not sent once more where the list has rows that could not be read: one of them may be it', async () => {
    const listing = (unread: readonly string[]) =>
      met(create, others, 'made', true, [...others, ...unread.map((id) => ({ id, named: 'in another shape' }))]);
    expect(await listing(['theirs'])).toMatchObject({ event: 'poison', sent: 0, changes: { resent: 'asked' } });
    expect(await listing([])).toMatchObject({ event: 'accepted', sent: 1 });
  });

  test('[OB74] nor where they are all that a later page has', async () => {
    const sent: string[] = [];
    const call = listing(
      [...full(100), { ...unread, id: 'theirs' }],
      100,
      () => Response.json({ ...row('again', 'Yew'), organization_id: 'office' }),
      sent,
    );
    expect(await attempt(portsWith(call, null), create)).toMatchObject({ event: 'poison', changes: { resent: 'asked' } });
    expect(sent).toEqual([]);
  });

  test('[OB38] is not taken for another one by its name that says otherwise', async () => {
    const entity: OutboxRow = {
      ...create,
      name: 'createEntity',
      input: { id: 'mine', client_id: 'office', entity_name: 'Trust', city: 'Zug' },
      lane: 'entity:mine',
    };
    const listing = (rows: readonly object[]) =>
      (async (endpoint: Endpoint) => {
        if (endpoint === listEntities) return rows;
        throw new Error('Nothing is sent');
      }) as ApiCall;
    const attempted = async (rows: readonly object[]) => (await attempt(portsWith(listing(rows), null), entity)).event;
    expect(await attempted([{ id: 'theirs', entity_name: 'Trust', city: 'Bern' }])).toBe('poison');
    expect(await attempted([{ id: 'theirs', entity_name: 'Trust', city: 'Zug' }])).toBe('accepted');
    expect(await attempted([{ id: 'mine', entity_name: 'Trust', city: 'Bern' }])).toBe('accepted');
  });

  test('[OB66] is done where its row, asked for by its id, is as it left it, be it that no list has it', async () => {
    const input = { id: 'mine', client_id: 'office', entity_name: 'Trust', city: 'Zug' };
    const entity: OutboxRow = { ...create, name: 'createEntity', input, lane: 'entity:mine', base: { version: 0, fields: null } };
    const made = { ...input, version: 1 };
    const among = async (rows: readonly { id: string }[], of = entity) => {
      let sent = 0;
      const call = (async (endpoint: Endpoint, asked: { id: string }) => {
        if (endpoint === listEntities) return [];
        const found = rows.find(({ id }) => id === asked.id);
        if (endpoint !== getEntity) sent += 1;
        else if (!found) throw new ApiError({ code: 'not_found', isSaid: true, detail: 'Not found' });
        return found ?? made;
      }) as ApiCall;
      const { event, answer, changes } = await attempt(portsWith(call, null), of);
      return { event, answer, changes, sent };
    };
    expect(await among([made])).toEqual({ event: 'accepted', answer: made, changes: { is_met: true }, sent: 0 });
    expect(await among([made], { ...entity, resent: 'asked' })).toMatchObject({ event: 'accepted', sent: 0 });
    expect(await among([])).toMatchObject({ event: 'accepted', sent: 1 });
    // what somebody else made of it the person decides about
    expect(await among([{ ...made, city: 'Bern' } as { id: string }])).toMatchObject({ event: 'conflict', sent: 0 });
  });

  test('[OB38] is asked about again where it was lost once more after the person had it sent, whatever a look met meanwhile', async () => {
    const asked: OutboxRow = { ...ticket, resent: 'asked', error: { code: 'conflict', detail: 'asked' } };
    const again = await met(asked, [], 'lost');
    expect(again).toMatchObject({ event: 'no_answer', sent: 1, changes: { resent: 'once' } });
    expect(await met({ ...asked, resent: 'once' }, [])).toMatchObject({ event: 'poison', sent: 0 });
    const busy = (async () => {
      throw new ApiError({ code: 'unavailable', detail: 'Busy' });
    }) as unknown as ApiCall;
    // how it was lost stays known
    expect(await attempt(portsWith(busy, null), create)).not.toHaveProperty('error');
  });

  test('[OB38] is sent as often as the server says it failed, and it is not there', async () => {
    const failed: OutboxRow = { ...create, error: { code: 'internal', detail: 'Internal server error' } };
    const again = await met(failed, others, 'failed');
    expect([again.event, again.sent, again.changes?.resent]).toEqual(['fault', 1, undefined]);
  });

  test('[OB38] waits for the person where nobody can look, and is sent when they say so', async () => {
    const full = Array.from({ length: 500 }, (_, no) => row(`other ${no}`, `Other ${no}`));
    expect(await met(create, full, 'made', false)).toMatchObject({ event: 'poison', sent: 0, changes: { resent: 'asked' } });
    expect(await met(ticket, [])).toMatchObject({ event: 'poison', sent: 0, changes: { resent: 'asked' } });
    expect(await met({ ...ticket, resent: 'asked' }, [])).toMatchObject({ event: 'accepted', sent: 1 });
    expect(await met({ ...create, resent: 'asked' }, full, 'made', false)).toMatchObject({ event: 'accepted', sent: 1 });
  });

  test('[OB38] is sent at once that cannot have arrived, and at a server that keeps keys under its own', async () => {
    expect(await met({ ...create, may_have_arrived: false }, [row('theirs', 'Yew')])).toMatchObject({ event: 'accepted', sent: 1 });
    let keys: (string | undefined)[] = [];
    const call = (async (_endpoint: Endpoint, _input: unknown, options: { idempotencyKey?: string } = {}) => {
      keys = [...keys, options.idempotencyKey];
      return row('mine', 'Yew');
    }) as ApiCall;
    expect(await attempt(portsWith(call), create)).toMatchObject({ event: 'accepted' });
    expect(keys).toEqual([create.id]);
  });
});

test('[CF40] only the API itself says that a row is gone: of a page of somebody else that is found nowhere nothing follows', async () => {
  const remove: OutboxRow = {
    ...edit,
    name: 'deleteEntity',
    input: { id: 'yew' },
    lane: 'entity:yew',
    base: { version: 3, fields: { entity_name: 'Yew' } },
  };
  const met = async (isSaid: boolean) => {
    let sent = 0;
    const call = (async (endpoint: Endpoint) => {
      if (endpoint === deleteEntity) sent += 1;
      throw new ApiError({ code: 'not_found', detail: 'Not found', isSaid });
    }) as unknown as ApiCall;
    return [(await attempt(portsWith(call, null), { ...remove, may_have_arrived: true })).event, sent];
  };
  expect(await met(true)).toEqual(['accepted', 1]);
  expect(await met(false)).toEqual(['try_later', 0]);
});

test('[CF44] what somebody on the way says when a row is looked at before it is written over is no answer: the edit waits for one', async () => {
  const met = async (code: ErrorCode, isSaid: boolean) => {
    let sent = 0;
    const call = (async (endpoint: Endpoint) => {
      if (endpoint === updateClient) sent += 1;
      else throw new ApiError({ code, detail: 'No', isSaid });
      return row('yew', 'Yew and Sons');
    }) as unknown as ApiCall;
    const { event, mayHaveArrived } = await attempt(portsWith(call, null), edit);
    return [event, mayHaveArrived ?? false, sent];
  };
  for (const code of ['permission_denied', 'not_found', 'unsupported', 'invalid'] as const) {
    expect([code, await met(code, false)]).toEqual([code, ['try_later', false, 0]]);
    // who may not read the list may write the row
    expect([code, await met(code, true)]).toEqual([code, ['accepted', false, 1]]);
  }
});

test.each([
  ['as it was', 'PENDING', true, 'refuse', 0],
  ['as such a mark leaves it', 'APPROVED', true, 'accepted', 1],
  // where it says that they are no pair, somebody else may have said so of its row alone
  ['as it was, and it says that they are none', 'PENDING', false, 'accepted', 1],
  ['as such a mark leaves it, and it says that they are none', 'REJECTED', false, 'accepted', 1],
  ['paired by somebody else, and it says that they are none', 'APPROVED', false, 'refuse', 0],
])(
  '[CF45] at a server without versions a mark that may have arrived is not sent over another pairing: its row is as it leaves it, the other one %s',
  async (_, match_state, is_transfer, event, times) => {
    const fields = { match_state: 'PENDING', quantity: '1', security_id: 's', trx_type_id: 2, trx_date: '2026-09-14T00:00:00.000Z' };
    const marked: OutboxRow = {
      ...edit,
      name: 'markTransfer',
      input: { trx_id: 'out', counterpart_id: 'in', is_transfer },
      lane: 'trx:out',
      base: { version: 1, fields },
      rests_on: { id: 'in', version: 1, fields },
      may_have_arrived: true,
    };
    const rows = [
      { ...fields, id: 'out', match_state: is_transfer ? 'APPROVED' : 'REJECTED', version: 2 },
      { ...fields, id: 'in', match_state, version: 2 },
    ];
    let sent = 0;
    const call = (async (endpoint: Endpoint) => {
      if (endpoint === markTransfer) sent += 1;
      return endpoint === markTransfer ? { id: 'match', version: 1 } : rows;
    }) as unknown as ApiCall;
    const outcome = await attempt(portsWith(call, null), marked);
    expect([outcome.event, sent, outcome.changes?.rests_on !== undefined]).toEqual([event, times, event === 'refuse']);
  },
);

test('[CF43] a page of somebody on the way that refuses is no refusal: the edit may have arrived all the same, and is sent again', async () => {
  const { base: _base, ...own } = edit;
  const event = async (code: ErrorCode, isSaid: boolean) => {
    const call = (async () => {
      throw new ApiError({ code, detail: 'No', isSaid });
    }) as unknown as ApiCall;
    const { event: what, mayHaveArrived } = await attempt(portsWith(call), own);
    return [what, mayHaveArrived ?? false];
  };
  for (const code of ['permission_denied', 'not_found', 'conflict', 'unsupported', 'invalid', 'cursor_too_old'] as const) {
    expect([code, await event(code, false)]).toEqual([code, ['no_answer', true]]);
    expect([code, (await event(code, true))[0]]).toEqual([code, code === 'permission_denied' ? 'permission_denied' : 'refuse']);
  }
  // what a proxy lets through never arrived, and will not
  expect(await event('too_large', false)).toEqual(['refuse', false]);
});

test('[OB39] what was not tried, for there was no session to try it with, is not taken for what may have arrived', async () => {
  const call = (async () => {
    throw new ApiError({ code: 'network', detail: 'The server could not be reached', isUntried: true });
  }) as unknown as ApiCall;
  const { base: _base, ...own } = edit;
  const outcome = await attempt(portsWith(call), own);
  expect([outcome.event, outcome.mayHaveArrived ?? false]).toEqual(['try_later', false]);
});
