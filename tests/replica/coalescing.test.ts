import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { browserStores } from '#replica/dexie-store.ts';
import type { Fields } from '#replica/merge.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { enqueue, type NewMutation, pendingMutations } from '#replica/outbox.ts';
import { foldRow } from '#replica/overlay.ts';
import type { NounRow } from '#replica/reducers.ts';
import type { SeenRow } from '#replica/rebase.ts';
import { needlessText, newestReceipts } from '#replica/receipts.ts';
import { ackedMutations, retire, startTerm } from '#replica/sending.ts';
import { outcomeWords } from '#app/shell/outbox-words.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { claimHeads, idleTurn, sayOtherwise, settleAttempt } from '#tests/support/outbox.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

const [id, client_id, organization_id] = [uuidv7(), uuidv7(), uuidv7()];
const office = { id, organization_id, client_name: 'Acme', version: 3 };
const person = { id, name: 'Jane', is_enabled: true, memberships: [], version: 3 };
const form = { ...entityFields, entity_name: 'Fund I', entity_type_id: null, city: 'Bern', allocation_method_id: null };
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
        const names = (await edits()).map(({ name }) => name);
        expect(names.filter((name) => name === 'updateEntity').length).toBeLessThanOrEqual(1);
        expect(names.includes('createEntity')).toBe(isNew);
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

  test('[OB44] a form that was opened before another one was saved takes nothing back of what that one said', async () => {
    const { outbox, add, edits, shown, epoch } = await anOutbox();
    await add('updateEntity', { ...form, id, city: 'Basel' }, held);
    await add('updateEntity', { ...form, id, entity_name: 'Fund II' }, held);
    expect(await shown(held)).toMatchObject({ city: 'Basel', entity_name: 'Fund II' });
    // nor where that one is on its way
    await claimHeads(outbox, epoch, 10, 1);
    await add('updateEntity', { ...form, id, country: 'CH' }, held);
    expect(await shown(held)).toMatchObject({ city: 'Basel', entity_name: 'Fund II', country: 'CH' });
    expect((await edits()).map(({ saves }) => saves)).toEqual([2, undefined]);
    const user = { ...person, id: uuidv7() };
    await add('updateUser', { id: user.id, name: 'Jane', is_enabled: false }, user);
    await add('updateUser', { id: user.id, name: 'Joan', is_enabled: true }, user);
    expect((await edits()).at(-1)).toMatchObject({ input: { name: 'Joan', is_enabled: false }, saves: 2 });
    const view = { id: uuidv7(), name: 'Mine', list: 'transactions' as const, search: 'q=1' };
    await add('saveView', { ...view, name: 'Ours' }, { ...view, version: 3 });
    await add('saveView', { ...view, search: 'q=2' }, { ...view, version: 3 });
    expect((await edits()).at(-1)).toMatchObject({ input: { name: 'Ours', search: 'q=2' } });
  });

  test('[OB44] nor where that one said that a field is to be again as it was before one on its way', async () => {
    const { outbox, add, edits, shown, epoch } = await anOutbox();
    await add('updateEntity', { ...form, id, city: 'Basel' }, held);
    await claimHeads(outbox, epoch, 10, 1);
    const seen: SeenRow = { ...held, city: 'Basel', pending: { state: 'sending', since: 1, detail: null } };
    await add('updateEntity', { ...form, id, city: 'Bern' }, seen);
    await add('updateEntity', { ...form, id, city: 'Basel', zip_code: '4000' }, seen);
    expect(await shown(held)).toMatchObject({ city: 'Bern', zip_code: '4000' });
    expect((await edits()).at(-1)?.input).toMatchObject({ city: 'Bern', zip_code: '4000' });
  });

  test('[OB44] nor where an edit of another kind was made between the two', async () => {
    const { add, edits } = await anOutbox();
    await add('updateUser', { id, name: 'Jo', is_enabled: true }, person);
    await add('setUserRole', { id, organization_id, role_id: null }, person);
    await add('updateUser', { id, name: 'Jane', is_enabled: false }, person);
    expect((await edits()).map(({ input }) => input)).toEqual([
      { id, name: 'Jo', is_enabled: true },
      { id, organization_id, role_id: null },
      { id, name: 'Jo', is_enabled: false },
    ]);
  });

  test('[OB44] what takes all back that waited and was never tried is not sent', async () => {
    const { add, edits, receipts } = await anOutbox();
    await add('updateClient', { id, client_name: 'Beta' }, office, { title: 'There' });
    await add('updateClient', { id, client_name: 'Acme' }, { ...office, client_name: 'Beta' }, { title: 'Back' });
    expect(await edits()).toEqual([]);
    expect(await receipts()).toEqual(['Back discarded', 'There replaced']);
  });

  test('[OB44] a server that asked to wait is asked no sooner for it', async () => {
    const { outbox, add, epoch } = await anOutbox();
    await add('updateEntity', { ...form, id, city: 'Basel' }, held);
    const [head] = await claimHeads(outbox, epoch, 10, 1);
    await settleAttempt(outbox, epoch, head!.seq, { event: 'try_later', nextAttemptAt: 60_000 });
    await add('updateEntity', { ...form, id, city: 'Zug' }, { ...held, city: 'Basel' });
    expect(await claimHeads(outbox, epoch, 20, 1)).toEqual([]);
    expect((await claimHeads(outbox, epoch, 60_000, 1)).map(({ input }) => input)).toMatchObject([{ city: 'Zug' }]);
  });

  test('[OB46] the words of an edit that takes the place of others tell of the row they were made on', async () => {
    const { add, edits } = await anOutbox();
    const rename = (client_name: string, seen: string) =>
      add(
        'updateClient',
        { id, client_name },
        { ...office, client_name: seen },
        { title: (was, said) => `${String(was?.client_name)} to ${said.client_name}` },
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
    const { outbox, add, edits, receipts, shown } = await anOutbox();
    await add('createEntity', { ...form, id, client_id }, null, { title: 'New' });
    await add('updateEntity', { ...form, id, city: 'Basel' }, { ...held, version: 0 }, { title: 'City' });
    await add('deleteEntity', { id }, { ...held, version: 0 }, { title: 'Gone' });
    expect([await edits(), await shown(undefined)]).toEqual([[], undefined]);
    expect(await receipts()).toEqual(['Gone discarded', 'City replaced', 'New replaced']);
    expect(outcomeWords((await newestReceipts(outbox, 1))[0]!)).toBe(needlessText);
    // a name that is free again, or what the person thinks better of
    await add('createEntity', { ...form, id, client_id }, null, { title: 'New again' });
    expect((await edits()).map(({ title, base }) => [title, base])).toEqual([['New again', { version: 0, fields: null }]]);
  });

  test('[OB45] is sent where the server was ever asked to make the row, whatever came of that', async () => {
    for (const outcome of [
      { event: 'no_answer', mayHaveArrived: true },
      { event: 'refuse' },
      { event: 'try_later', nextAttemptAt: 20 },
    ] as const) {
      const { outbox, add, epoch, standing } = await anOutbox();
      await add('createEntity', { ...form, id, client_id }, null);
      const [head] = await claimHeads(outbox, epoch, 10, 1);
      await settleAttempt(outbox, epoch, head!.seq, outcome);
      await add('deleteEntity', { id }, { ...held, version: 0 });
      expect((await standing()).at(-1)).toBe('deleteEntity queued');
    }
  });

  test('[OB45] is sent where what may have arrived was said otherwise since, where the row is there by now, and where somebody else made it', async () => {
    const said = await anOutbox();
    await said.add('createEntity', { ...form, id, client_id }, null);
    const [head] = await claimHeads(said.outbox, said.epoch, 10, 1);
    await settleAttempt(said.outbox, said.epoch, head!.seq, { event: 'no_answer', mayHaveArrived: true });
    await claimHeads(said.outbox, said.epoch, 20, 1);
    await settleAttempt(said.outbox, said.epoch, head!.seq, { event: 'poison' });
    const [edit] = await said.edits();
    await sayOtherwise(said.outbox, edit!, { city: 'Zug' });
    await said.add('deleteEntity', { id }, { ...held, version: 0 });
    expect(await said.standing()).toEqual(['createEntity queued', 'deleteEntity queued']);

    const made = await anOutbox();
    await made.add('createOrganization', { id, name: 'Office' }, null);
    await made.add('updateOrganization', { id, name: 'Taken' }, { id, name: 'Office', version: 0 });
    const [making] = await claimHeads(made.outbox, made.epoch, 10, 1);
    await settleAttempt(made.outbox, made.epoch, making!.seq, { event: 'accepted', answer: { id, name: 'Office', version: 1 } });
    await retire(made.outbox, made.epoch, await ackedMutations(made.outbox), 10);
    const [renaming] = await claimHeads(made.outbox, made.epoch, 11, 1);
    await settleAttempt(made.outbox, made.epoch, renaming!.seq, { event: 'refuse' });
    await made.add('deleteOrganization', { id }, { id, name: 'Taken', version: 0 });
    expect(await made.edits()).toMatchObject([{ name: 'deleteOrganization', state: 'queued', base: { version: null } }]);

    const theirs = await anOutbox();
    await theirs.add('archiveAsset', { id, client_id, security_id: id, is_spam: false }, null);
    await theirs.add('unarchiveAsset', { id }, { id, client_id, security_id: id, is_spam: false, version: 1 });
    expect(await theirs.standing()).toEqual(['unarchiveAsset queued']);
  });

  test('[OB45] of a row that the person has not before them, for its list was not read, is sent however often they ask for it', async () => {
    const { add, standing } = await anOutbox();
    await add('deleteView', { id }, null);
    await add('deleteView', { id }, null);
    expect(await standing()).toEqual(['deleteView queued']);
  });

  test('[OB45] does not outdo a change that may have arrived: nobody is asked about their own words', async () => {
    const { outbox, add, epoch, standing } = await anOutbox();
    await add('updateEntity', { ...form, id, city: 'Basel' }, held);
    const [head] = await claimHeads(outbox, epoch, 10, 1);
    await settleAttempt(outbox, epoch, head!.seq, { event: 'no_answer', mayHaveArrived: true });
    await claimHeads(outbox, epoch, 20, 1);
    await settleAttempt(outbox, epoch, head!.seq, { event: 'poison' });
    await add('deleteEntity', { id }, { ...held, city: 'Basel' });
    await idleTurn(outbox, epoch, 30);
    expect(await standing()).toEqual(['updateEntity parked', 'deleteEntity queued']);
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
