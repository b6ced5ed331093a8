import { describe, expect, test } from 'vitest';
import type { ApiCall, CallOptions } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { keepMine } from '#replica/conflicts.ts';
import { discard, retry } from '#replica/decisions.ts';
import type { Fields } from '#replica/merge.ts';
import { foldRow } from '#replica/overlay.ts';
import type { NounRow } from '#replica/reducers.ts';
import { forgetVersions } from '#replica/sending.ts';
import { proposed, refuseMoved, shownRow } from '#tests/support/pairs.ts';
import { anOutbox, generation, refused, type SomeRow } from '#tests/support/sent-edits.ts';

/** The rows of a pair. */
type Leg = 'a' | 'b';
interface Mark {
  trx_id: Leg;
  counterpart_id: Leg;
  is_transfer: boolean;
}

/** A server that compares the versions of both rows of a pair. */
function aServer() {
  const rows = { a: proposed('a'), b: proposed('b') };
  /** Somebody changes a row. */
  const change = (leg: Leg, to: Fields): void => {
    rows[leg] = { ...rows[leg], ...to, version: rows[leg].version + 1 };
  };
  const call = (async (_endpoint: Endpoint, input: Mark, options: CallOptions) => {
    refuseMoved({ current: rows[input.trx_id], rests_on: rows[input.counterpart_id] }, options);
    for (const leg of ['a', 'b'] as const) change(leg, { match_state: input.is_transfer ? 'APPROVED' : 'REJECTED' });
    return { id: 'match' };
  }) as ApiCall;
  return { rows, change, call };
}

/** A pair at a server, the copy that was read of it before anything happened, and a person who decides about it. */
async function aPair() {
  const { edits, add, send, sendAll, ...outbox } = await anOutbox();
  const { rows, change, call } = aServer();
  const copy = { ...rows };
  const shown = async (leg: Leg): Promise<SomeRow> => shownRow(copy[leg], await edits());
  const pull = () => Object.assign(copy, rows);
  const otherOf = (leg: Leg): Leg => (leg === 'a' ? 'b' : 'a');
  /** The pair as the grid shows it by now. */
  const look = async (trx_id: Leg) => ({ seen: await shown(trx_id), restsOn: await shown(otherOf(trx_id)) });
  /** Decides about the pair from one of its rows, as the grid does. */
  const mark = async (trx_id: Leg, is_transfer: boolean, looked?: Awaited<ReturnType<typeof look>>) => {
    const { seen, restsOn } = looked ?? (await look(trx_id));
    const input: Mark = { trx_id, counterpart_id: otherOf(trx_id), is_transfer };
    await add('markTransfer', input, seen, { restsOn });
  };
  return { ...outbox, edits, rows, pull, look, change, mark, sendOne: () => send(call), sendAll: () => sendAll(call) };
}

/** A decision that the person kept though somebody else made this of its rows, with which it was in conflict. */
async function aKeptDecision(theirs: Readonly<Record<Leg, Fields>>) {
  const pair = await aPair();
  await pair.mark('a', true);
  for (const leg of ['a', 'b'] as const) pair.change(leg, theirs[leg]);
  expect(await pair.sendAll()).toEqual(['conflict']);
  await keepMine(pair.outbox, await pair.first());
  return pair;
}

describe('a decision about a pair', () => {
  test('[CF42] rests on both rows also where the one before it was let go of', async () => {
    const { outbox, rows, mark, change, first, sendAll } = await aPair();
    await mark('a', false);
    await mark('a', true);
    await discard(outbox, (await first()).seq, 20);
    // somebody else pairs it with another row
    change('b', { match_state: 'APPROVED', quantity: '2' });
    expect([await sendAll(), rows.b.version]).toEqual([['refuse'], 4]);
  });

  test('[CF42] rests on both rows also where the one before it was accepted, as that one left them', async () => {
    const { rows, mark, change, sendOne, sendAll } = await aPair();
    await mark('a', false);
    await mark('a', true);
    expect(await sendOne()).toMatchObject({ event: 'accepted' });
    change('b', { match_state: 'APPROVED', quantity: '2' });
    expect([await sendAll(), rows.b.version]).toEqual([['refuse'], 5]);
  });

  test('[CF42] tried again rests on the other row as the person was told of it: what somebody made of it since, they are told, too', async () => {
    const { outbox, rows, mark, change, first, sendAll } = await aPair();
    await mark('a', true);
    change('b', { quantity: '2' });
    expect(await sendAll()).toEqual(['refuse']);
    change('b', { match_state: 'REJECTED', quantity: '3' });
    await retry(outbox, (await first()).seq);
    expect([await sendAll(), rows.b.version]).toEqual([['refuse'], 5]);
    // nothing came in between
    await retry(outbox, (await first()).seq);
    expect([await sendAll(), rows.b.version]).toEqual([['accepted'], 6]);
  });

  test('[CF42] does not rest on words of its person that lay over the other row and were let go of', async () => {
    const { outbox, rows, pull, look, mark, change, first, sendAll } = await aPair();
    change('b', { match_state: 'REJECTED' });
    pull();
    const { seen } = await look('a');
    await mark('b', true);
    const { restsOn } = await look('a');
    await discard(outbox, (await first()).seq, 20);
    await mark('a', true, { seen, restsOn });
    expect([await sendAll(), rows.b.version]).toEqual([['refuse'], 4]);
  });

  test('[CF50] goes after one made from the other row that the screen did not show yet', async () => {
    const { edits, look, mark } = await aPair();
    const looked = await look('b');
    await mark('a', true);
    await mark('b', false, looked);
    const [one, other] = await edits();
    expect(other!.deps).toEqual([one!.id]);
  });

  test('[CF50] is no conflict with those that its person made from the other row', async () => {
    const { mark, sendAll } = await aPair();
    await mark('b', false);
    await mark('a', true);
    await mark('b', false);
    expect(await sendAll()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  test('[CF50] is no conflict with one that its person made from the other row and let go of', async () => {
    const { outbox, mark, first, sendAll } = await aPair();
    await mark('a', true);
    await mark('b', false);
    await discard(outbox, (await first()).seq, 20);
    await retry(outbox, (await first()).seq);
    expect(await sendAll()).toEqual(['accepted']);
  });

  test('[OB48] that goes on after it was refused is not told to those made meanwhile as what somebody made of the other row', async () => {
    const { outbox, mark, meet, first, sendAll } = await aPair();
    await mark('a', true);
    await meet(refused);
    await mark('a', false);
    await retry(outbox, (await first()).seq);
    expect(await sendAll()).toEqual(['accepted', 'accepted']);
  });

  test('[CF42] that goes on after it was refused, and is again for what somebody made of the other row, leaves one made meanwhile in conflict with that', async () => {
    const { outbox, edits, mark, change, meet, first, sendAll } = await aPair();
    await mark('a', true);
    await meet(refused);
    await mark('b', true);
    const tried = await first();
    await retry(outbox, tried.seq);
    // what it leaves lies beneath that one by now
    expect((await edits()).at(-1)?.deps).toEqual([tried.id]);
    change('b', { match_state: 'APPROVED' });
    expect(await sendAll()).toEqual(['refuse']);
    await discard(outbox, tried.seq, 20);
    await retry(outbox, (await first()).seq);
    expect(await sendAll()).toEqual(['conflict']);
  });

  test('[CF52] is not made upon another one that somebody paired a row with since, though none of its fields says so', async () => {
    const { outbox, rows, pull, mark, change, first, edits, sendAll } = await aPair();
    for (const leg of ['a', 'b'] as const) change(leg, { match_state: 'APPROVED' });
    pull();
    await mark('a', false);
    change('a', {});
    expect([await sendAll(), rows.a.version]).toEqual([['conflict'], 5]);
    await keepMine(outbox, await first());
    // nor where it is the other row
    change('b', {});
    expect([await sendAll(), rows.a.version]).toEqual([['refuse'], 5]);
    await retry(outbox, (await first()).seq);
    expect([await sendAll(), rows.a.match_state, await edits()]).toEqual([['accepted'], 'REJECTED', expect.anything()]);
  });

  test.each(['a', 'b'] as const)(
    '[CF55] whose copy is begun anew at the same database knows still in what version row %s was when it was made',
    async (leg) => {
      const { outbox, rows, pull, mark, change, sendAll } = await aPair();
      for (const each of ['a', 'b'] as const) change(each, { match_state: 'APPROVED' });
      pull();
      await mark('a', false);
      await forgetVersions(outbox, generation);
      change(leg, {});
      expect([await sendAll(), rows.a.match_state]).toEqual([[leg === 'a' ? 'conflict' : 'refuse'], 'APPROVED']);
    },
  );

  test('[CF55] of another database it is not known any more, and compared is what the row says', async () => {
    const { outbox, rows, pull, mark, change, sendAll } = await aPair();
    for (const each of ['a', 'b'] as const) change(each, { match_state: 'APPROVED' });
    pull();
    await mark('a', false);
    await forgetVersions(outbox, null);
    change('a', {});
    expect([await sendAll(), rows.a.match_state]).toEqual([['accepted'], 'REJECTED']);
  });

  test('[CF42] that is kept though its own row was changed rests on the other one still, about which nothing was told', async () => {
    const { rows, sendAll } = await aKeptDecision({ a: { quantity: '2' }, b: { match_state: 'APPROVED' } });
    expect([await sendAll(), rows.b.version]).toEqual([['refuse'], 4]);
  });

  test('[CF42] that is kept though its own row was paired with another one rests on the other row still', async () => {
    const { rows, sendAll } = await aKeptDecision({ a: { match_state: 'APPROVED' }, b: { match_state: 'APPROVED' } });
    expect([await sendAll(), rows.b.version]).toEqual([['refuse'], 4]);
  });

  test('[CF42] that is kept though somebody rejected both rows rests on the other row as that left it', async () => {
    const { rows, change, sendAll } = await aKeptDecision({ a: { match_state: 'REJECTED' }, b: { match_state: 'REJECTED' } });
    // since paired with a third one
    change('b', { match_state: 'APPROVED' });
    expect([await sendAll(), rows.b.version]).toEqual([['refuse'], 5]);
  });

  test('[CF42] and is made where it is so still', async () => {
    const { sendAll } = await aKeptDecision({ a: { match_state: 'REJECTED' }, b: { match_state: 'REJECTED' } });
    expect(await sendAll()).toEqual(['accepted']);
  });

  test('[M9] that says that two rows are no pair leaves their other proposals alone on the screen, too', async () => {
    const { mark, edits } = await aPair();
    await mark('a', false);
    const waiting = await edits();
    const stateWith = (in_trx_id: string) => {
      const proposal = { id: 'match', entity_id: 'e', state: 'PENDING', out_trx_id: 'a', in_trx_id };
      return foldRow('transaction_matches', proposal as unknown as NounRow['transaction_matches'], waiting).state;
    };
    expect([stateWith('b'), stateWith('c')]).toEqual(['REJECTED', 'PENDING']);
  });
});

test('[CF50] one that goes on after it was refused takes nothing from one that its person made meanwhile from the other row', async () => {
  const { outbox, mark, meet, first, sendAll } = await aPair();
  await mark('a', false);
  await meet(refused, async () => {
    await mark('b', true);
    await mark('a', false);
  });
  await retry(outbox, (await first()).seq);
  expect(await sendAll()).toEqual(['accepted', 'accepted', 'accepted']);
});

test('[CF50] one behind one made from the other row is no conflict with that once one before both is let go of', async () => {
  const { outbox, mark, edits, sendAll } = await aPair();
  await mark('a', false);
  await mark('a', true);
  await mark('b', true);
  await mark('a', false);
  await discard(outbox, (await edits())[1]!.seq, 20);
  await retry(outbox, (await edits())[1]!.seq);
  expect(await sendAll()).toEqual(['accepted', 'accepted', 'accepted']);
});

test.each([
  ['was made from the other row', 'b', 'a'],
  ['was made from the same row, and the last from the other', 'a', 'b'],
] as const)(
  '[CF50] one goes while one waits that was refused before it was made, where the one between them goes: that %s',
  async (_, one, last) => {
    const { outbox, mark, meet, edits, sendAll } = await aPair();
    await mark(one, false);
    await meet(refused, () => mark('a', false));
    await mark(last, false);
    await discard(outbox, (await edits())[1]!.seq, 20);
    await retry(outbox, (await edits())[1]!.seq);
    expect(await sendAll()).toEqual(['accepted']);
  },
);

test('[CF50] one that was made once one was refused rests on what that leaves where it goes on, be the one between them gone', async () => {
  const { outbox, mark, meet, edits, sendAll } = await aPair();
  await mark('b', false);
  await meet(refused, () => mark('a', false));
  await mark('a', true);
  await discard(outbox, (await edits())[1]!.seq, 20);
  await retry(outbox, (await edits())[0]!.seq);
  expect(await sendAll()).toEqual(['accepted', 'accepted']);
});

test('[CF50] one is no conflict with one in sight once those around that one are let go of', async () => {
  const { outbox, mark, meet, edits, first, sendAll } = await aPair();
  await mark('a', false);
  await mark('a', false);
  await mark('a', false);
  await meet({ event: 'permission_denied' }, () => mark('a', true));
  await discard(outbox, (await edits())[2]!.seq, 20);
  await discard(outbox, (await first()).seq, 20);
  expect(await sendAll()).toEqual(['accepted', 'accepted']);
});
