import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { browserStores } from '#replica/dexie-store.ts';
import type { Fields } from '#replica/merge.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { enqueue, type NewMutation, pendingMutations } from '#replica/outbox.ts';
import { foldRow, type NounRow } from '#replica/overlay.ts';
import type { SeenRow } from '#replica/rebase.ts';
import { newestReceipts } from '#replica/receipts.ts';
import { startTerm } from '#replica/sending.ts';
import { claimHeads, idleTurn, settleAttempt } from '#tests/support/outbox.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

const [id, client_id, organization_id] = [uuidv7(), uuidv7(), uuidv7()];
const office = { id, organization_id, client_name: 'Acme', version: 3 };
const person = { id, name: 'Jane', is_enabled: true, memberships: [], version: 3 };
const form = {
  entity_name: 'Fund I',
  entity_type_id: null,
  portfolio_id: null,
  fund_id: null,
  state: null,
  city: 'Bern',
  zip_code: null,
  country: null,
  accounting_system_id: null,
  allocation_method_id: null,
  active: true,
};
type Form = typeof form;
const held = { ...form, id, client_id, version: 3 };

async function anOutbox() {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  opened.push(replica);
  const { outbox } = replica;
  const epoch = await startTerm(outbox);
  const add = <N extends MutationName>(
    name: N,
    input: MutationInput<N>,
    seen: SeenRow | null,
    { title = name, now = 1, deps = [] }: { title?: NewMutation<N>['title']; now?: number; deps?: string[] } = {},
  ) => enqueue(outbox, { id: uuidv7(), name, input, title, now, clientId: null, entityId: null, seen, deps });
  const edits = () => pendingMutations(outbox);
  const standing = async () => (await edits()).map(({ name, state }) => `${name} ${state}`);
  const receipts = async () => (await newestReceipts(outbox, 10)).map(({ title, outcome }) => `${title} ${outcome}`);
  /** The entity as the screen shows it. */
  const shown = async (row: object | undefined) => foldRow('entities', row as NounRow['entities'] | undefined, await edits());
  return { outbox, epoch, add, edits, standing, receipts, shown };
}

describe('changes of one row', () => {
  test('[OB44] those that wait for their first sending are sent as one, made on what the first was made on', async () => {
    const { add, edits, receipts, shown } = await anOutbox();
    await add('updateEntity', { ...form, id, city: 'Basel' }, held, { title: 'City' });
    await add(
      'updateEntity',
      { ...((await shown(held)) as Form), id, entity_name: 'Fund II' },
      { ...held, city: 'Basel' },
      { title: 'Name' },
    );
    expect(await edits()).toMatchObject([
      {
        title: 'Name',
        input: { city: 'Basel', entity_name: 'Fund II' },
        base: { version: 3, fields: { city: 'Bern', entity_name: 'Fund I' } },
      },
    ]);
    expect(await receipts()).toEqual(['City replaced']);
  });

  test('[OB44] however they follow each other, the last one leaves the row as all of them did', async () => {
    const change = fc.oneof(
      fc.record({ entity_name: fc.constantFrom('Fund I', 'Fund II', 'Fund III') }),
      fc.record({ city: fc.constantFrom('Bern', 'Basel', null) }),
      fc.record({ active: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), fc.boolean(), async (changes, isNew) => {
        const { add, edits, shown } = await anOutbox();
        const row = isNew ? undefined : held;
        let all: Fields = { ...form };
        if (isNew) await add('createEntity', { ...form, id, client_id }, null);
        for (const said of changes) {
          const seen = (await shown(row)) as unknown as SeenRow;
          all = { ...all, ...said };
          await add('updateEntity', { ...form, ...all, id }, seen);
        }
        expect(await shown(row)).toMatchObject(all);
        expect((await edits()).map(({ name }) => name)).toEqual([...(isNew ? ['createEntity'] : []), 'updateEntity']);
      }),
      { numRuns: 100 },
    );
  });

  test('[OB44] none gives way behind an edit of another kind, nor one that is refused, asks the person, may have arrived or is followed', async () => {
    const { outbox, add, edits, epoch, standing } = await anOutbox();
    await add('updateUser', { id, name: 'Jo', is_enabled: true }, person);
    await add('setUserRole', { id, organization_id, role_id: null }, person);
    await add('updateUser', { id, name: 'Joan', is_enabled: true }, person);
    await add('updateUser', { id, name: 'Jane', is_enabled: false }, person);
    const three = ['updateUser queued', 'setUserRole queued', 'updateUser queued'];
    expect(await standing()).toEqual(three);
    for (const event of ['no_answer', 'refuse'] as const) {
      const [head] = await claimHeads(outbox, epoch, 10, 1);
      await settleAttempt(outbox, epoch, head!.seq, { event, mayHaveArrived: event === 'no_answer' });
      await add('setUserRole', { id, organization_id, role_id: null }, person);
    }
    const client = { ...office, id: uuidv7() };
    for (const client_name of ['Beta', 'Gamma']) await add('updateClient', { id: client.id, client_name }, client);
    const [head] = await claimHeads(outbox, epoch, 10, 4);
    await settleAttempt(outbox, epoch, head!.seq, { event: 'refuse' });
    await add('updateClient', { id: client.id, client_name: 'Delta' }, client);
    // nor does what is refused while another waits behind it
    await idleTurn(outbox, epoch, 11);
    expect((await standing()).slice(-2)).toEqual(['updateClient refused', 'updateClient queued']);
    const followed = { ...office, id: uuidv7() };
    await add('updateClient', { id: followed.id, client_name: 'Beta' }, followed);
    const first = (await edits()).at(-1)!;
    await add('archiveAsset', { id: uuidv7(), client_id, security_id: uuidv7(), is_spam: false }, null, { deps: [first.id] });
    await add('updateClient', { id: followed.id, client_name: 'Gamma' }, followed);
    expect((await standing()).slice(-3)).toEqual(['updateClient queued', 'archiveAsset queued', 'updateClient queued']);
  });

  test('[OB46] the words of an edit that takes the place of others tell of the row they were made on', async () => {
    const { add, edits } = await anOutbox();
    const rename = (client_name: string, seen: string) =>
      add(
        'updateClient',
        { id, client_name },
        { ...office, client_name: seen },
        { title: (was) => `${String(was?.client_name)} to ${client_name}` },
      );
    await rename('Beta', 'Acme');
    expect((await edits()).map(({ title }) => title)).toEqual(['Acme to Beta']);
    await rename('Gamma', 'Beta');
    expect((await edits()).map(({ title }) => title)).toEqual(['Acme to Gamma']);
  });
});

describe('a deletion', () => {
  test('[OB45] takes the place of all that was said of its row before, made on what that was made on', async () => {
    const { add, edits, receipts } = await anOutbox();
    await add('updateEntity', { ...form, id, city: 'Basel' }, held, { title: 'City' });
    await add('deleteEntity', { id }, { ...held, city: 'Basel' }, { title: 'Gone' });
    expect(await edits()).toMatchObject([{ title: 'Gone', base: { version: 3, fields: { city: 'Bern' } } }]);
    expect(await receipts()).toEqual(['City replaced']);
  });

  test('[OB45] of a row that no edit has made yet sends nothing, and every edit of it leaves a receipt', async () => {
    const { add, edits, receipts, shown } = await anOutbox();
    await add('createEntity', { ...form, id, client_id }, null, { title: 'New' });
    await add('updateEntity', { ...form, id, city: 'Basel' }, { ...held, version: 0 }, { title: 'City' });
    await add('deleteEntity', { id }, { ...held, version: 0 }, { title: 'Gone' });
    expect([await edits(), await shown(undefined)]).toEqual([[], undefined]);
    expect(await receipts()).toEqual(['Gone accepted', 'City replaced', 'New replaced']);
    // a name that is free again, or what the person thinks better of
    await add('createEntity', { ...form, id, client_id }, null, { title: 'New again' });
    expect((await edits()).map(({ title, base }) => [title, base])).toEqual([['New again', { version: 0, fields: null }]]);
  });

  test.each(['no_answer', 'refuse'] as const)('[OB45] of a row whose making met %s is sent where the server may have it', async (event) => {
    const { outbox, add, epoch, standing } = await anOutbox();
    await add('createEntity', { ...form, id, client_id }, null);
    const [head] = await claimHeads(outbox, epoch, 10, 1);
    await settleAttempt(outbox, epoch, head!.seq, { event, mayHaveArrived: event === 'no_answer' });
    await add('deleteEntity', { id }, { ...held, version: 0 });
    expect(await standing()).toEqual(event === 'no_answer' ? ['createEntity uncertain', 'deleteEntity queued'] : []);
  });

  test('[OB45] of a row whose making others follow is sent behind it', async () => {
    const { add, edits, standing } = await anOutbox();
    await add('createOrganization', { id, name: 'Office' }, null);
    const [made] = await edits();
    await add('createClient', { id: client_id, organization_id: id, client_name: 'Acme' }, null, { deps: [made!.id] });
    await add('deleteOrganization', { id }, { id, name: 'Office', version: 0 });
    expect(await standing()).toEqual(['createOrganization queued', 'createClient queued', 'deleteOrganization queued']);
  });
});
