import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { choosableFields, keepMine, keptInput, takeTheirs } from '#replica/conflicts.ts';
import { discard } from '#replica/decisions.ts';
import { browserStores } from '#replica/dexie-store.ts';
import type { Fields } from '#replica/merge.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { rebase, type SeenRow } from '#replica/rebase.ts';
import { isRestatable, isStillToMake, restate } from '#replica/restating.ts';
import { type Outcome, startTerm } from '#replica/sending.ts';
import { claimHeads, settleAttempt } from '#tests/support/outbox.ts';
import { planted } from '#tests/support/stored.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

const [id, organization_id] = [uuidv7(), uuidv7()];
const lost: Outcome = { event: 'no_answer', mayHaveArrived: true };
const refused: Outcome = { event: 'refuse', error: new ApiError({ code: 'conflict', detail: 'Taken' }) };
const client = (changes: object = {}): SeenRow & { id: string } => ({ id, organization_id, client_name: 'Was', version: 3, ...changes });
const entityFields = { entity_type_id: null, portfolio_id: null, fund_id: null, state: null, zip_code: null, country: null };
const entity = (changes: object = {}) => ({
  ...entityFields,
  entity_name: 'Was',
  city: 'Bern',
  accounting_system_id: null,
  active: true,
  ...changes,
});
const person = { id, name: null, is_enabled: true, memberships: [{ organization_id, role_id: 'accountant' }], version: 3 };
const nobodys = { assign_clients: [], unassign_clients: [], assign_entities: [], unassign_entities: [] };
const submitted = { id, headline: 'Slow', description: 'It is slow', priority: 'low', reporter: 'a@example.com' } as const;

/** An outbox whose edits can be said otherwise. */
async function anOutbox() {
  const { outbox, ...rest } = await openReplica(browserStores, uuidv7(), 0);
  opened.push({ outbox, ...rest });
  const epoch = await startTerm(outbox);
  const edits = () => pendingMutations(outbox);
  const first = async () => (await edits())[0]!;
  const add = <N extends MutationName>(name: N, input: MutationInput<N>, seen?: SeenRow | null, deps: string[] = []) =>
    enqueue(outbox, {
      id: uuidv7(),
      name,
      input,
      title: name,
      now: 1,
      clientId: null,
      entityId: null,
      deps,
      ...(seen === undefined ? {} : { seen }),
    });
  /** Says an edit otherwise, in a form that began with what it says, or with something else. */
  const say = (edit: OutboxRow, changes: Fields, begun = keptInput(edit) as Fields, deps?: string[]) =>
    restate(outbox, edit.seq, {
      base: edit.base,
      theirs: edit.theirs,
      begun,
      ended: { ...begun, ...changes },
      titleOf: ({ name, was, input, ahead }) =>
        `${ahead?.title ?? name}, ${JSON.stringify(was?.client_name ?? null)}: ${JSON.stringify(input)}`,
      id: uuidv7(),
      now: 9,
      ...(deps ? { deps } : {}),
    });
  const claim = () => claimHeads(outbox, epoch, 1, 1);
  /** What sending the first edit came to. */
  const settle = async (outcome: Outcome) => settleAttempt(outbox, epoch, (await first()).seq, outcome);
  const send = async (outcome?: Outcome): Promise<OutboxRow> => {
    await claim();
    if (outcome) await settle(outcome);
    return first();
  };
  const conflict = (fields: Fields | null) => send({ event: 'conflict', changes: { theirs: { version: fields ? 4 : 0, fields } } });
  return { outbox, edits, first, add, say, claim, settle, send, conflict };
}

describe('an edit that had no effect yet', () => {
  test('[OB21] keeps its place and what it was made on; its words are the new ones', async () => {
    const { add, say, send, settle, edits } = await anOutbox();
    await add('updateClient', { id, client_name: 'Taken' }, client());
    await add('updateClient', { id: uuidv7(), client_name: 'Other' }, null);
    const head = await send();
    await settle(refused);
    expect(await say((await edits())[0]!, { client_name: 'Free' })).toBe(true);
    const [edit, other] = await edits();
    expect(edit).toMatchObject({ id: head.id, seq: head.seq, state: 'queued', attempts: 0, input: { id, client_name: 'Free' } });
    expect(edit).toMatchObject({ base: { version: 3, fields: { client_name: 'Was' } } });
    expect(edit?.title).toBe(`updateClient, "Was": ${JSON.stringify({ id, client_name: 'Free' })}`);
    expect(edit).not.toHaveProperty('error');
    expect(other?.title).toBe('updateClient');
  });

  test('[OB21] is made in another place, behind what is to make that', async () => {
    const { add, say, first } = await anOutbox();
    const [gone, maker, elsewhere] = [uuidv7(), uuidv7(), uuidv7()];
    await add('createClient', { id, organization_id, client_name: 'Made' }, null, [gone]);
    expect(isStillToMake(await first())).toBe(true);
    await say(await first(), { organization_id: elsewhere }, undefined, [maker]);
    expect(await first()).toMatchObject({ input: { organization_id: elsewhere, client_name: 'Made' }, deps: [maker] });
  });

  test('[OB21] gives its words to the titles of what follows it', async () => {
    const { add, say, edits, first } = await anOutbox();
    await add('submitTicket', submitted);
    await add('attachToTicket', { ticket_id: id, fileName: 'a.png' }, undefined, [(await first()).id]);
    await say(await first(), { headline: 'Fast' });
    expect((await edits())[1]?.title).toContain('"headline":"Fast"');
  });

  test('[OB35] says otherwise only what the person changed: what was brought together with it meanwhile stays', async () => {
    const { add, say, first, send } = await anOutbox();
    await add('updateEntity', { id, ...entity({ entity_name: 'Mine' }) }, { ...entity(), version: 3 });
    const begun = (await first()).input as Fields;
    const fields = entity({ city: 'Zug' });
    await send({
      event: 'rebase',
      changes: { base: { version: 4, fields }, input: { id, ...entity({ entity_name: 'Mine', city: 'Zug' }) } },
    });
    await say(await first(), { entity_name: 'Mine, too' }, begun);
    expect(await first()).toMatchObject({ input: { entity_name: 'Mine, too', city: 'Zug' }, base: { version: 4 } });
  });
  test('[CF36] takes what another form had it say meanwhile for no change of the row', async () => {
    const { add, say, first } = await anOutbox();
    await add('updateClient', { id, client_name: 'Mine' }, client());
    const shown = await first();
    await say(shown, { client_name: 'Was' });
    await say(shown, { client_name: 'Otherwise' });
    expect(await first()).toMatchObject({ input: { client_name: 'Otherwise' }, base: { version: 3, fields: { client_name: 'Was' } } });
  });
});

describe('an edit that may have arrived', () => {
  test('[OB52] has what is said behind it follow the edits it is told to', async () => {
    const { add, say, first, edits, send } = await anOutbox();
    const [old, made, maker] = [uuidv7(), uuidv7(), uuidv7()];
    const none = { assign_clients: [], unassign_clients: [], assign_entities: [], unassign_entities: [] };
    const person = { id, name: 'A', is_enabled: true, memberships: [], client_ids: [], entity_ids: [], version: 3 };
    await add('assignUser', { id, ...none, assign_clients: [old] }, person);
    await send({ event: 'no_answer', mayHaveArrived: true });
    await say(await first(), { assign_clients: [old, made] }, undefined, [maker]);
    expect((await edits()).at(-1)).toMatchObject({ input: { assign_clients: [made] }, deps: [maker] });
  });

  test.each([
    ['without an answer', lost],
    ['on its way', undefined],
  ])('[OB32] %s stands, and one behind it says what is said otherwise', async (_what, outcome) => {
    const { add, say, send, edits, first } = await anOutbox();
    await add('updateClient', { id, client_name: 'Sent' }, client());
    const sent = await send(outcome);
    // where it is on its way no form is offered, but one may be open
    expect(isRestatable(sent, await edits())).toBe(outcome !== undefined);
    expect(await say(sent, { client_name: 'Later' })).toBe(true);
    expect(await first()).toEqual(sent);
    const [, behind] = await edits();
    expect(behind).toMatchObject({ name: 'updateClient', lane: sent.lane, state: 'queued', input: { id, client_name: 'Later' } });
    expect(behind?.base).toEqual({ version: null, fields: { client_name: 'Sent' } });
    expect(behind?.title).toContain('"Sent"');
    // the one behind is the one to change now
    expect([isRestatable(sent, await edits()), isRestatable(behind!, await edits())]).toEqual([false, true]);
    expect(await say(sent, { client_name: 'Lost' })).toBe(false);
    expect(await edits()).toHaveLength(2);
  });

  test('[OB32] says, too, that the row is to be as it was before it', async () => {
    const { add, say, send, edits } = await anOutbox();
    await add('updateClient', { id, client_name: 'Sent' }, client());
    await say(await send(lost), { client_name: 'Was' });
    expect((await edits())[1]?.input).toEqual({ id, client_name: 'Was' });
    const view = { id: uuidv7(), name: 'Mine', list: 'transactions', search: 'q=1' } as const;
    const other = await anOutbox();
    await other.add('saveView', { ...view, search: 'q=2' }, { ...view, version: 3 });
    await other.say(await other.send(lost), { search: 'q=1' });
    expect((await other.edits())[1]?.input).toEqual(view);
  });

  test('[OB32] changes what it made, and does not make it twice', async () => {
    const { add, say, send, edits } = await anOutbox();
    await add('createClient', { id, organization_id, client_name: 'Made' }, null);
    const sent = await send(lost);
    expect(isStillToMake(sent)).toBe(false);
    await say(sent, { client_name: 'Changed' });
    expect((await edits())[1]).toMatchObject({ name: 'updateClient', input: { id, client_name: 'Changed' } });
  });

  test('[OB32] is too late to change in what only a new one says: in what place it lies', async () => {
    const { add, say, send, edits } = await anOutbox();
    await add('createClient', { id, organization_id, client_name: 'Made' }, null);
    const sent = await send(lost);
    expect(await say(sent, { organization_id: uuidv7() })).toBe(false);
    expect(await edits()).toEqual([sent]);
    await say(sent, { client_name: 'Changed' });
    expect((await edits())[1]?.input).toEqual({ id, client_name: 'Changed' });
  });

  test('[OB32] adds nothing where nothing was changed', async () => {
    const { add, say, send, edits } = await anOutbox();
    await add('updateClient', { id, client_name: 'Sent' }, client());
    expect(await say(await send(lost), {})).toBe(true);
    expect(await edits()).toHaveLength(1);
  });

  test('[OB32] is too late to change where nothing changes what was sent, and once it is settled', async () => {
    const { add, say, send, edits, first } = await anOutbox();
    await add('submitTicket', submitted);
    expect(isRestatable(await first(), await edits())).toBe(true);
    const sent = await send(lost);
    expect(isRestatable(sent, await edits())).toBe(false);
    expect(await say(sent, { headline: 'Fast' })).toBe(false);
    expect(await first()).toEqual(sent);
    expect(await say({ ...sent, seq: 99 }, { headline: 'Fast' })).toBe(false);
  });

  test('[OB38] what may have been made at a server that keeps no keys is not said otherwise: tried again it is looked for first', async () => {
    const { add, send, say, edits } = await anOutbox();
    await add('createClient', { id, organization_id, client_name: 'Mine' }, null);
    const asked = await send({ event: 'poison', error: new ApiError({ code: 'conflict', detail: 'Look' }), changes: { resent: 'asked' } });
    expect([isRestatable(asked, await edits()), await say(asked, { client_name: 'Meant' })]).toEqual([false, false]);
  });

  test('[OB33] and was refused since is another change to the server', async () => {
    const { add, say, send, first } = await anOutbox();
    await add('createClient', { id, organization_id, client_name: 'Taken' }, null);
    await send(lost);
    await say(await send(refused), { client_name: 'Free' });
    expect(await first()).toMatchObject({
      name: 'createClient',
      state: 'queued',
      again: 1,
      may_have_arrived: false,
      input: { client_name: 'Free' },
    });
  });

  test.each([
    ['refused', refused, true],
    ['set aside, and may be there', { event: 'poison' } satisfies Outcome, false],
  ])(
    '[OB33] of what nothing changes once it is there only what the server did not take is sent anew: %s',
    async (_what, outcome, isSent) => {
      const { add, say, send, edits, first } = await anOutbox();
      await add('submitTicket', submitted);
      await send(lost);
      const waits = await send(outcome);
      expect(isRestatable(waits, await edits())).toBe(isSent);
      expect(await say(waits, { headline: 'Fast' })).toBe(isSent);
      expect((await first()).state).toBe(isSent ? 'queued' : 'parked');
    },
  );
});

describe('edits behind one that is said otherwise', () => {
  test('[OB34] change what they changed, from what it leaves now, and are no conflict with it', async () => {
    const { add, say, first, edits } = await anOutbox();
    await add('createEntity', { id, client_id: uuidv7(), ...entity({ entity_name: 'A' }) }, null);
    await add('updateEntity', { id, ...entity({ entity_name: 'B' }) }, { ...entity({ entity_name: 'A' }), version: 0 });
    // followed by another edit it gives way to none
    await add('submitTicket', submitted, undefined, [(await edits())[1]!.id]);
    await add('updateEntity', { id, ...entity({ entity_name: 'B', state: 'ZG' }) }, { ...entity({ entity_name: 'B' }), version: 0 });
    await say(await first(), { entity_name: 'C', city: 'Zug' });
    const [made, second, , third] = await edits();
    expect(made).toMatchObject({ input: { entity_name: 'C', city: 'Zug' } });
    expect(second).toMatchObject({
      input: { entity_name: 'B', city: 'Zug' },
      base: { version: null, fields: { entity_name: 'C', city: 'Zug' } },
    });
    expect(third).toMatchObject({
      input: { entity_name: 'B', city: 'Zug', state: 'ZG' },
      base: { version: null, fields: { entity_name: 'B', city: 'Zug', state: null } },
    });
    const there = { id, ...entity({ entity_name: 'C', city: 'Zug' }), version: 1 };
    expect(rebase(second!, second!.base!, there, null)).toEqual({ kind: 'unchanged' });
    expect(rebase(third!, third!.base!, { ...there, entity_name: 'B', version: 2 }, null)).toEqual({ kind: 'unchanged' });
  });

  test('[OB34] take nothing for seen that somebody else changed', async () => {
    const { add, say, first, edits, claim, settle } = await anOutbox();
    await add('updateEntity', { id, ...entity({ entity_name: 'Mine' }) }, { ...entity(), version: 3 });
    await claim();
    await add('updateEntity', { id, ...entity({ entity_name: 'Mine', city: 'Zug' }) }, { ...entity({ entity_name: 'Mine' }), version: 3 });
    const theirs = entity({ entity_name: 'Theirs', city: 'Chur' });
    await settle({ event: 'conflict', changes: { theirs: { version: 4, fields: theirs } } });
    await say(await first(), { entity_name: 'Mine, too' });
    const [head, behind] = await edits();
    expect(head).toMatchObject({ input: { entity_name: 'Mine, too', city: 'Chur' } });
    expect(behind?.base?.fields).toMatchObject({ entity_name: 'Mine, too', city: 'Bern' });
  });
});

describe('edits behind one that is let go of', () => {
  const mine = entity({ city: 'Zug' });
  /** A change of the city that was sent, and one of the name behind it, in a form that showed the city. */
  async function twoEdits() {
    const outbox = await anOutbox();
    const { add, claim } = outbox;
    await add('updateEntity', { id, ...mine }, { ...entity(), version: 3 });
    await claim();
    await add('updateEntity', { id, ...mine, entity_name: 'New' }, { ...mine, version: 3 });
    return outbox;
  }

  test('[OB41] say nothing of what that one said any more', async () => {
    const { outbox, settle, first } = await twoEdits();
    await settle(refused);
    await discard(outbox, (await first()).seq, 9);
    expect(await first()).toMatchObject({
      input: { entity_name: 'New', city: 'Bern' },
      base: { version: 3, fields: { entity_name: 'Was', city: 'Bern' } },
    });
  });

  test('[OB41] leave alone what somebody else made of the row, where the person took that, and are asked about what they changed themselves', async () => {
    const { outbox, settle, first } = await twoEdits();
    const theirs = entity({ entity_name: 'Theirs', city: 'Chur' });
    await settle({ event: 'conflict', changes: { theirs: { version: 4, fields: theirs } } });
    await takeTheirs(outbox, await first(), 9);
    const left = await first();
    expect(left).toMatchObject({ input: { entity_name: 'New', city: 'Chur' }, base: { version: null, fields: { city: 'Chur' } } });
    const conflict = { ...left, state: 'conflict', theirs: { version: 4, fields: theirs } } as const;
    expect(choosableFields(conflict).map(({ name }) => name)).toEqual(['entity_name']);
  });
});

describe('a conflict', () => {
  test('[CF39] said otherwise is mine as edited, on theirs; what only they changed is in the form and stays', async () => {
    const { add, say, first, conflict } = await anOutbox();
    await add('updateEntity', { id, ...entity({ entity_name: 'Mine' }) }, { ...entity(), version: 3 });
    const theirs = entity({ entity_name: 'Theirs', city: 'Chur' });
    expect(keptInput(await conflict(theirs))).toMatchObject({ entity_name: 'Mine', city: 'Chur' });
    await say(await first(), { entity_name: 'Mine, too' });
    expect(await first()).toMatchObject({
      state: 'queued',
      input: { entity_name: 'Mine, too', city: 'Chur' },
      base: { version: 4, fields: { entity_name: 'Theirs', city: 'Chur' } },
    });
    expect(await first()).not.toHaveProperty('theirs');
  });

  test('[CF39] that came while the form was open stays one, with mine as edited: it was not seen', async () => {
    const { add, say, first, conflict } = await anOutbox();
    await add('updateEntity', { id, ...entity({ entity_name: 'Mine' }) }, { ...entity(), version: 3 });
    const opened = await first();
    const theirs = entity({ entity_name: 'Theirs', city: 'Chur' });
    await conflict(theirs);
    expect(await say(opened, { entity_name: 'Mine, too' })).toBe(true);
    expect(await first()).toMatchObject({
      state: 'conflict',
      input: { entity_name: 'Mine, too', city: 'Bern' },
      base: { version: 3 },
      theirs: { version: 4, fields: theirs },
    });
  });

  test('[CF39] what may have arrived is another change to the server', async () => {
    const { add, say, first, send, conflict } = await anOutbox();
    await add('updateClient', { id, client_name: 'Mine' }, client());
    await send(lost);
    await conflict({ client_name: 'Theirs' });
    await say(await first(), { client_name: 'Mine, too' });
    expect(await first()).toMatchObject({ again: 1, may_have_arrived: false, input: { client_name: 'Mine, too' } });
    expect((await first()).title).toContain('"Theirs"');
  });

  test('[CF39] what is there by now is changed and not made once more, also where mine is kept as it is', async () => {
    const { outbox, add, say, edits, first, conflict } = await anOutbox();
    await add('createClient', { id, organization_id, client_name: 'Mine' }, null);
    const met = await conflict({ client_name: 'Theirs' });
    expect(isStillToMake(met)).toBe(false);
    await keepMine(outbox, met);
    expect(await first()).toMatchObject({ name: 'updateClient', input: { id, client_name: 'Mine' }, base: { version: 4 } });
    await conflict({ client_name: 'Theirs again' });
    await say(await first(), { client_name: 'Mine, too' });
    expect(await edits()).toMatchObject([{ name: 'updateClient', input: { id, client_name: 'Mine, too' }, state: 'queued' }]);
  });
});

describe('assignments, which say what is to change and not what is to be', () => {
  const seen: SeenRow = { ...person, client_ids: ['a'], entity_ids: ['e'] };
  const made = { id, ...nobodys, assign_clients: ['b', 'c'], unassign_entities: ['e'] };
  const said = { assign_clients: ['b', 'd'], unassign_entities: [] };

  test('[OB21] that had no effect say nothing of what is no longer said', async () => {
    const { add, say, first } = await anOutbox();
    await add('assignUser', made, seen);
    await say(await first(), said);
    expect((await first()).input).toEqual({ ...made, ...said });
  });

  test('[OB40] that stand are followed by what takes back what is no longer said', async () => {
    const { add, say, send, edits, first } = await anOutbox();
    await add('assignUser', made, seen);
    const sent = await send(lost);
    await say(sent, said);
    expect(await first()).toEqual(sent);
    const [, behind] = await edits();
    expect(behind?.input).toEqual({ id, ...nobodys, assign_clients: ['d'], unassign_clients: ['c'], assign_entities: ['e'] });
    expect(behind?.base?.fields).toMatchObject({ client_ids: ['a', 'b', 'c'], entity_ids: [] });
  });

  test('[OB40] that may have arrived and wait for the person take it back themselves', async () => {
    const { add, say, send, settle, edits, first } = await anOutbox();
    await add('assignUser', made, seen);
    await send(lost);
    await send();
    await settle(refused);
    await say(await first(), said);
    expect(await edits()).toHaveLength(1);
    expect(await first()).toMatchObject({
      state: 'queued',
      again: 1,
      input: { id, ...nobodys, assign_clients: ['b', 'd'], unassign_clients: ['c'], assign_entities: ['e'] },
    });
  });

  test('[CF39] in conflict are said on top of theirs, in what they still say', async () => {
    const { add, say, conflict, first } = await anOutbox();
    await add('assignUser', made, seen);
    const theirs = { ...person, client_ids: ['x'], entity_ids: ['e'] };
    await say(await conflict(theirs), said);
    expect(await first()).toMatchObject({ state: 'queued', input: { ...made, ...said }, base: { fields: { client_ids: ['x'] } } });
  });
});

test('[OB58] in a form that stood open while what it says was given another id it is said of that', async () => {
  const { outbox, add, first, say } = await anOutbox();
  const [was, is] = [uuidv7(), uuidv7()];
  await add('assignUser', { id, ...nobodys, assign_entities: [uuidv7()] });
  await planted(outbox, 'marks', [{ k: `given:${was}`, value: is }]);
  expect(await say(await first(), { assign_clients: [was] })).toBe(true);
  expect((await first()).input).toMatchObject({ assign_clients: [is] });
});

test('[OB32] a role that may have arrived stands, and the one said otherwise follows it', async () => {
  const { add, say, send, edits } = await anOutbox();
  await add('setUserRole', { id, organization_id, role_id: 'auditor' }, { ...person, client_ids: [], entity_ids: [] });
  await say(await send(lost), { role_id: null });
  const [sent, behind] = await edits();
  expect([sent, behind].map((edit) => edit?.input)).toEqual([
    { id, organization_id, role_id: 'auditor' },
    { id, organization_id, role_id: null },
  ]);
  expect(behind?.base?.fields).toMatchObject({ memberships: [{ organization_id, role_id: 'auditor' }] });
});
