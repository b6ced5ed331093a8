import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { ApiCall, CallOptions } from '#api-client/call.ts';
import { listClients } from '#contract/clients.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import { discard, retry } from '#replica/decisions.ts';
import type { Fields } from '#replica/merge.ts';
import { enqueue } from '#replica/outbox.ts';
import { newestReceipts } from '#replica/receipts.ts';
import { attempt } from '#workers/attempt.ts';
import { anOutbox, foundOn, generation, refused, type SomeRow } from '#tests/support/sent-edits.ts';

const id = uuidv7();
const client: SomeRow = { id, client_name: 'Acme', version: 3 };
const view = { id, name: 'Was', list: 'transactions' as const, search: 'q=1' };
const heldView: SomeRow = { ...view, version: 3, _generation: generation };

/** A server that compares versions, with one row. */
function aServer(row: SomeRow) {
  const server = { row };
  const call = (async (_endpoint: Endpoint, input: Fields, { ifVersion }: CallOptions = {}) => {
    const current = server.row;
    if (ifVersion !== current.version) throw new ApiError({ code: 'stale_version', detail: 'Changed', isSaid: true, beside: { current } });
    server.row = { ...current, ...input, version: current.version + 1 };
    return server.row;
  }) as ApiCall;
  return { server, call };
}

describe('what may have arrived, said otherwise as it was before', () => {
  test('[OB51] is written where it did arrive', async () => {
    const { outbox, add, shown, setAside, sayOtherwise, sendAll } = await anOutbox();
    const { server, call } = aServer({ ...client, client_name: 'Beta', version: 4 });
    await add('updateClient', { id, client_name: 'Beta' }, await shown('clients', client));
    await setAside();
    await sayOtherwise({ client_name: 'Acme' });
    expect([await sendAll(call), server.row['client_name']]).toEqual([['accepted'], 'Acme']);
    expect((await newestReceipts(outbox, 1))[0]).not.toHaveProperty('is_met');
  });

  test('[CF34] is sent though the row is as it says, so that what was sent first has no effect where it comes late', async () => {
    const { add, shown, setAside, sayOtherwise, sendAll } = await anOutbox();
    const { server, call } = aServer(client);
    await add('updateClient', { id, client_name: 'Beta' }, await shown('clients', client));
    await setAside();
    await sayOtherwise({ client_name: 'Acme' });
    expect(await sendAll(call)).toEqual(['accepted']);
    expect(server.row).toMatchObject({ client_name: 'Acme', version: 4 });
  });

  test('[OB51] is not called done where the server has what was sent first, and no conflict with it', async () => {
    const { add, shown, setAside, sayOtherwise, first } = await anOutbox();
    const organization_id = uuidv7();
    const isNow = (role_id: string) => ({ memberships: [{ organization_id, role_id }] });
    const user = { id, name: 'A', is_enabled: true, client_ids: [], entity_ids: [], version: 3, ...isNow('auditor') };
    await add('setUserRole', { id, organization_id, role_id: 'accountant' }, await shown('users', user));
    await setAside();
    await sayOtherwise({ role_id: 'auditor' });
    const { kind } = foundOn(await first(), { ...user, ...isNow('accountant'), version: 4 });
    expect(['unchanged', 'rebase']).toContain(kind);
  });
});

test('[CF12] an edit behind one of a first build that is let go of is still compared with what its person saw', async () => {
  const { outbox, add, shown, meet, first, sendAll } = await anOutbox();
  const copy = { ...client, _generation: generation };
  const { server, call } = aServer(copy);
  // these kept nothing of what the person saw
  const edit = { name: 'updateClient', input: { id, client_name: 'Beta' }, title: 'Beta' } as const;
  await enqueue(outbox, { ...edit, id: uuidv7(), now: 1, clientId: null, entityId: null });
  await add('updateClient', { id, client_name: 'Gamma' }, await shown('clients', copy));
  await meet(refused);
  await discard(outbox, (await first()).seq, 20);
  server.row = { ...copy, client_name: 'Theirs', version: 4 };
  expect([await sendAll(call), server.row['client_name']]).toEqual([['conflict'], 'Theirs']);
});

describe('what may have arrived and was set aside', () => {
  test('[OB44] gives way to nothing that was said of its row later: it stays and has no receipt, and the later word is written', async () => {
    const { outbox, add, shown, setAside, turn, edits, first, sendAll } = await anOutbox();
    const { server, call } = aServer({ ...heldView, search: 'q=2', version: 4 });
    await add('saveView', { ...view, search: 'q=2' }, heldView);
    const seen = await shown('saved_views', heldView);
    await setAside();
    await add('saveView', view, seen);
    await turn();
    expect((await edits()).map(({ state }) => state)).toEqual(['parked', 'queued']);
    expect(await newestReceipts(outbox, 9)).toEqual([]);
    await retry(outbox, (await first()).seq);
    expect([await sendAll(call), server.row['search']]).toEqual([['accepted', 'accepted'], 'q=1']);
  });

  test('[OB44] gives way to nothing where it was a deletion: what undoes it is no conflict with it', async () => {
    const { add, setAside, turn, edits } = await anOutbox();
    await add('deleteView', { id }, heldView);
    await setAside();
    await add('saveView', view, null);
    await turn();
    expect(foundOn((await edits()).at(-1)!, null).kind).not.toBe('conflict');
  });

  test('[OB45] stays before a deletion of its row, though it was said otherwise and refused since', async () => {
    const { add, shown, setAside, sayOtherwise, meet, turn, edits } = await anOutbox();
    const office = { id, name: 'Was', version: 3 };
    await add('updateOrganization', { id, name: 'Mine' }, await shown('organizations', office));
    await setAside();
    await sayOtherwise({ name: 'Mine, too' });
    await meet(refused);
    await add('deleteOrganization', { id }, await shown('organizations', office));
    await turn();
    expect((await edits()).map(({ name }) => name)).toEqual(['updateOrganization', 'deleteOrganization']);
  });

  test.each([
    ['its answer was lost', 'meet'],
    ['its sender died before it knew, and nobody could look for it since', 'die'],
  ] as const)(
    '[OB38] is not said otherwise where a server that keeps no keys may have made it: tried again it is looked for, and made once: %s',
    async (_, how) => {
      const { outbox, add, meet, die, first, sayOtherwise } = await anOutbox();
      const rows: Fields[] = [];
      let isUp = true;
      const call = (async (endpoint: Endpoint, input: Fields) => {
        if (endpoint === listClients && isUp) return rows;
        if (endpoint !== listClients) rows.push({ ...input, id: uuidv7(), version: 1 });
        throw new ApiError({ code: 'unavailable', detail: 'Bad gateway' });
      }) as ApiCall;
      const ports = { call, now: () => 0, random: () => 0, build: 'test', keepsKeys: false, generation: null };
      await add('createClient', { id, organization_id: uuidv7(), client_name: 'Yew' }, null);
      if (how === 'die') {
        await die((edit) => attempt(ports, edit));
        isUp = false;
      }
      // by then it was tried for an hour
      await meet(async (edit) => ({ ...(await attempt(ports, edit)), event: 'poison' }));
      expect(await first()).toMatchObject({ state: 'parked', may_have_arrived: true });
      expect(await sayOtherwise({ client_name: 'Yew and Sons' })).toBe(false);
      isUp = true;
      await retry(outbox, (await first()).seq);
      expect(await meet((edit) => attempt(ports, edit))).toMatchObject({ event: 'accepted' });
      expect(rows).toHaveLength(1);
    },
  );

  test('[OB11] is let go of with a receipt that says so, though it was said otherwise since', async () => {
    const { outbox, add, shown, setAside, sayOtherwise, first } = await anOutbox();
    await add('updateClient', { id, client_name: 'Beta' }, await shown('clients', client));
    await setAside();
    await sayOtherwise({ client_name: 'Gamma' });
    await discard(outbox, (await first()).seq, 30);
    expect(await newestReceipts(outbox, 1)).toMatchObject([{ outcome: 'discarded', detail: 'It may have reached the server' }]);
  });
});

test('[OB47] a deletion that is undone takes nothing back of what somebody else made of the row while an edit before it was on its way', async () => {
  const { add, shown, send, sendAll, edits } = await anOutbox();
  const { server, call } = aServer({ ...heldView, name: 'Theirs', version: 4 });
  await add('saveView', { ...view, search: 'q=2' }, heldView);
  const seen = await shown('saved_views', heldView);
  expect(await send(call, () => add('deleteView', { id }, seen))).toMatchObject({ event: 'rebase' });
  // the notice offers the view as it was shown
  await add('saveView', { ...view, search: 'q=2' }, null);
  expect(await edits()).toHaveLength(1);
  await sendAll(call);
  expect(server.row).toMatchObject({ name: 'Theirs', search: 'q=2' });
});
