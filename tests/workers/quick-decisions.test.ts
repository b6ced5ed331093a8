import { describe, expect, test } from 'vitest';
import type { ApiCall, CallOptions } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { takeTheirs } from '#replica/conflicts.ts';
import { discard, retry } from '#replica/decisions.ts';
import type { Fields } from '#replica/merge.ts';
import { ackedMutations, forgetVersions, retire, startTerm } from '#replica/sending.ts';
import { type Leg, legsOf, type Mark } from '#tests/support/matching-server.ts';
import { claimHeads, settleAttempt } from '#tests/support/outbox.ts';
import { proposed, refuseMoved, shownRow } from '#tests/support/pairs.ts';
import { anOutbox, refused, type SomeRow } from '#tests/support/sent-edits.ts';
import { attempt } from '#workers/attempt.ts';

// A person decides about a row once more before their screen shows what became of the last time.

type Rows = Record<Leg, SomeRow>;
/** Which rows come to be in another state by a mark. */
type Rule = (rows: Readonly<Rows>, mark: Mark) => Partial<Record<Leg, string | null>>;

const stateOf = ({ is_transfer }: Mark): string => (is_transfer ? 'APPROVED' : 'REJECTED');
/** Both rows, but for those that are so already. */
const changesBoth: Rule = (rows, mark) => {
  const legs = legsOf(mark).filter((leg) => rows[leg]['match_state'] !== stateOf(mark));
  return Object.fromEntries(legs.map((leg) => [leg, stateOf(mark)]));
};
/** The same, and that a row is no pair with another one leaves it alone: another match holds it. */
const holds =
  (held: Leg): Rule =>
  (rows, mark) =>
    Object.fromEntries(Object.entries(changesBoth(rows, mark)).filter(([leg]) => mark.is_transfer || leg !== held));

/** A server with four rows of which two are a pair, the copy that was read of them before anything happened, and who decides about them. */
async function aPair({ rule = changesBoth, isTold = true }: { rule?: Rule; isTold?: boolean } = {}) {
  const says = { isTold };
  const rows: Rows = { a: proposed('a'), b: proposed('b'), c: proposed('c'), d: proposed('d') };
  /** Somebody changes a row. */
  const change = (leg: Leg, to: Fields): void => {
    rows[leg] = { ...rows[leg], ...to, version: rows[leg].version + 1 };
  };
  const call = (async (_endpoint: Endpoint, input: Mark, options: CallOptions) => {
    refuseMoved({ current: rows[input.trx_id], rests_on: input.counterpart_id && rows[input.counterpart_id] }, options);
    const left = Object.entries(rule(rows, input)) as [Leg, string | null][];
    for (const [leg, match_state] of left) change(leg, { match_state });
    const changed_transactions = left.map(([id, match_state]) => ({ id, match_state, version: rows[id].version }));
    return { id: 'match', ...(says.isTold ? { changed_transactions } : {}) };
  }) as ApiCall;
  const { outbox, edits, add, send, sendAll, ...writer } = await anOutbox();
  const copy = { ...rows };
  const pull = () => Object.assign(copy, rows);
  const shown = async (leg: Leg): Promise<SomeRow> => shownRow(copy[leg], await edits());
  const look = async (leg: Leg, other: Leg) => ({ seen: await shown(leg), restsOn: await shown(other) });
  const mark = async (trx_id: Leg, counterpart_id: Leg, is_transfer: boolean, looked?: Awaited<ReturnType<typeof look>>) => {
    const { seen, restsOn } = looked ?? (await look(trx_id, counterpart_id));
    await add('markTransfer', { trx_id, counterpart_id, is_transfer }, seen, { restsOn });
  };
  return {
    ...writer,
    outbox,
    edits,
    add,
    rows,
    says,
    pull,
    look,
    change,
    mark,
    call,
    sendOne: () => send(call),
    sendAll: () => sendAll(call),
  };
}

/** Who says that a is a pair with b takes c away from b. */
const frees: Rule = (rows, mark) => ({ ...changesBoth(rows, mark), ...(mark.counterpart_id === 'b' ? { c: null } : {}) });

const portsOf = (call: ApiCall) => ({ now: () => 500_000, random: () => 0, build: 'test', keepsKeys: true, generation: 'g', call });

/** Whether a person was asked about any of some edits. */
const isAsked = (ends: readonly string[]): boolean => ends.includes('conflict') || ends.includes('refuse');

/** A pair that a colleague approved, as the screen shows. */
async function anApprovedPair() {
  const pair = await aPair();
  for (const leg of ['a', 'b'] as const) pair.change(leg, { match_state: 'APPROVED' });
  pair.pull();
  return pair;
}

/** The same where the first decision was accepted, and the screen shows neither row as that left it. */
async function aLateScreen(options?: Parameters<typeof aPair>[0]) {
  const pair = await aPair(options);
  const looked = await pair.look('a', 'b');
  await pair.mark('a', 'b', true, looked);
  expect(await pair.sendAll()).toEqual(['accepted']);
  return { ...pair, looked };
}

describe('a decision made before the screen shows what became of the last one', () => {
  test('[OB77] is no conflict with that one, however often', async () => {
    const { rows, looked, mark, sendAll } = await aLateScreen();
    await mark('a', 'b', false, looked);
    expect(await sendAll()).toEqual(['accepted']);
    await mark('a', 'b', true, looked);
    expect(await sendAll()).toEqual(['accepted']);
    expect(rows.a).toMatchObject({ match_state: 'APPROVED', version: 6 });
  });

  test('[OB77] nor is one made from the other row of the pair', async () => {
    const { looked, mark, sendAll } = await aLateScreen();
    await mark('b', 'a', false, { seen: looked.restsOn, restsOn: looked.seen });
    expect(await sendAll()).toEqual(['accepted']);
  });

  test('[OB77] nor one made from the other row behind one whose own row was so already', async () => {
    const { rows, look, change, pull, mark, sendAll } = await aPair();
    change('a', { match_state: 'APPROVED' });
    pull();
    const looked = await look('a', 'b');
    await mark('a', 'b', true, looked);
    await mark('b', 'a', false, { seen: looked.restsOn, restsOn: looked.seen });
    expect([await sendAll(), rows.b.match_state]).toEqual([['accepted', 'accepted'], 'REJECTED']);
  });

  test('[OB77] nor one of which the screen shows one row as it is by now', async () => {
    const { looked, pull, look, mark, sendAll } = await aLateScreen();
    pull();
    const { restsOn } = await look('a', 'b');
    await mark('a', 'b', false, { seen: looked.seen, restsOn });
    expect(await sendAll()).toEqual(['accepted']);
  });

  test('[OB77] nor one of a row that the last one let go of', async () => {
    const { rows, pull, look, change, mark, sendAll } = await aPair({ rule: frees });
    for (const leg of ['a', 'c'] as const) change(leg, { match_state: 'APPROVED' });
    pull();
    const looked = await look('c', 'a');
    await mark('a', 'b', true);
    expect(await sendAll()).toEqual(['accepted']);
    await mark('c', 'a', false, looked);
    expect([await sendAll(), rows.c.match_state]).toEqual([['accepted'], 'REJECTED']);
  });

  test('[OB77] nor where the last one but one waits still', async () => {
    const { looked, mark, sendAll } = await aLateScreen();
    await mark('a', 'b', true, looked);
    await mark('a', 'b', false, looked);
    expect(await sendAll()).toEqual(['accepted', 'accepted']);
  });

  test('[OB77] nor where one of two was accepted while the screen showed neither', async () => {
    const { look, mark, sendOne, sendAll } = await aPair();
    const looked = await look('a', 'b');
    await mark('a', 'b', true, looked);
    await mark('a', 'b', true, looked);
    expect(await sendOne()).toMatchObject({ event: 'accepted' });
    await mark('a', 'b', false, looked);
    expect(await sendAll()).toEqual(['accepted', 'accepted']);
  });

  test('[OB77] nor where two wait that lead back to what it was, and the screen shows the first', async () => {
    const { look, mark, sendAll } = await anApprovedPair();
    await mark('a', 'b', false);
    const looked = await look('a', 'b');
    await mark('a', 'b', true);
    await mark('a', 'b', false, looked);
    expect(await sendAll()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  test('[OB77] nor where one about the other row and a third waits', async () => {
    const { look, mark, sendOne, sendAll } = await aPair();
    const [looked, beside] = [await look('a', 'b'), await look('c', 'b')];
    await mark('a', 'b', true, looked);
    await mark('c', 'b', true, beside);
    expect(await sendOne()).toMatchObject({ event: 'accepted' });
    await mark('a', 'b', false, looked);
    expect(await sendAll()).toEqual(['accepted', 'accepted']);
  });

  test('[OB77] nor where the last but one lay over the row on the screen', async () => {
    const { look, mark, sendAll } = await aPair();
    await mark('a', 'b', true);
    const looked = await look('a', 'b');
    await mark('a', 'b', false);
    expect(await sendAll()).toEqual(['accepted', 'accepted']);
    await mark('a', 'b', true, looked);
    expect(await sendAll()).toEqual(['accepted']);
  });
});

describe('what somebody else made of a row is asked about', () => {
  test.each(['a', 'b'] as const)('[OB77] after the last decision of row %s', async (leg) => {
    const { rows, looked, change, mark, sendAll } = await aLateScreen();
    change(leg, { quantity: '2' });
    await mark('a', 'b', false, looked);
    expect([await sendAll(), rows.a.match_state]).toEqual([[leg === 'a' ? 'conflict' : 'refuse'], 'APPROVED']);
  });

  test('[OB77] also where they paired it anew', async () => {
    const { rows, looked, change, mark, sendAll } = await aLateScreen();
    change('a', { match_state: 'REJECTED' });
    change('a', { match_state: 'APPROVED' });
    await mark('a', 'b', false, looked);
    expect([await sendAll(), rows.a.match_state]).toEqual([['conflict'], 'APPROVED']);
  });

  test('[OB77] between two decisions of their own, of which the latter was theirs to make', async () => {
    const { rows, looked, pull, change, mark, sendAll } = await aLateScreen();
    change('a', { quantity: '2' });
    pull();
    await mark('a', 'b', false);
    expect(await sendAll()).toEqual(['accepted']);
    await mark('a', 'b', true, looked);
    expect([await sendAll(), rows.a.match_state]).toEqual([['conflict'], 'REJECTED']);
  });

  test('[OB77] where the screen showed what was accepted', async () => {
    const { rows, pull, change, mark, sendAll } = await aLateScreen();
    for (const leg of ['a', 'b'] as const) change(leg, { match_state: 'REJECTED' });
    pull();
    for (const leg of ['a', 'b'] as const) change(leg, { match_state: 'APPROVED' });
    await mark('a', 'b', true);
    expect([await sendAll(), rows.a.version]).toEqual([['conflict'], 6]);
  });

  test('[OB77] where it was they who had done what was decided', async () => {
    const { look, change, mark, sendAll } = await aPair();
    const looked = await look('a', 'b');
    change('a', { match_state: 'REJECTED' });
    await mark('a', 'b', false, looked);
    expect(await sendAll()).toEqual(['accepted']);
    await mark('a', 'b', true, looked);
    expect(await sendAll()).toEqual(['conflict']);
  });

  test.each(['another', null])(
    '[OB77] where the screen showed a row of database %s, whose versions say nothing of this one',
    async (of) => {
      const { looked, mark, sendAll } = await aLateScreen();
      await mark('a', 'b', false, { ...looked, seen: { ...looked.seen, _generation: of } });
      expect(await sendAll()).toEqual(['conflict']);
    },
  );

  test('[OB77] as far as is known of a server that does not tell what a decision changed', async () => {
    const { looked, mark, sendAll } = await aLateScreen({ isTold: false });
    await mark('a', 'b', false, looked);
    expect(await sendAll()).toEqual(['conflict']);
  });
});

test('[OB77] the match of an accepted decision is kept as any server tells it', async () => {
  const { mark, sendOne } = await aPair();
  await mark('a', 'b', true);
  expect((await sendOne())?.answer).toEqual({ id: 'match' });
});

describe('a decision that left a row as it was', () => {
  const held = async () => {
    const pair = await aPair({ rule: holds('a') });
    await pair.mark('a', 'b', false);
    expect(await pair.sendAll()).toEqual(['accepted']);
    pair.pull();
    expect(pair.rows.a).toMatchObject({ match_state: 'PENDING', version: 3 });
    return pair;
  };
  /** A pair that was approved twice. */
  const approved = async () => {
    const pair = await aPair();
    for (const leg of ['a', 'b'] as const) pair.change(leg, { match_state: 'APPROVED' });
    pair.pull();
    await pair.mark('a', 'b', true);
    expect([await pair.sendAll(), pair.rows.a.version]).toEqual([['accepted'], 4]);
    pair.pull();
    return pair;
  };

  test.each([
    ['a', 'c'],
    ['c', 'a'],
  ] as const)('[OB77] is no conflict with the next one, of %s with %s', async (leg, other) => {
    const { mark, sendAll } = await held();
    await mark(leg, other, true);
    expect(await sendAll()).toEqual(['accepted']);
  });

  test('[OB77] does not pass over what somebody else decided about it since', async () => {
    const { rows, change, mark, sendAll } = await held();
    change('a', { match_state: 'REJECTED' });
    await mark('a', 'c', true);
    expect([await sendAll(), rows.a.match_state]).toEqual([['conflict'], 'REJECTED']);
  });

  test.each(['a', 'b'] as const)('[OB77] does not pass over a new pair of row %s, which keeps its state', async (leg) => {
    const { rows, change, mark, sendAll } = await approved();
    change(leg, {});
    await mark('a', 'b', false);
    expect([await sendAll(), rows[leg].match_state]).toEqual([[leg === 'a' ? 'conflict' : 'refuse'], 'APPROVED']);
  });
});

describe.each(['late', 'in time'] as const)('a decision that waits behind an accepted one, on a screen that shows that %s', (shown) => {
  const isLate = shown === 'late';

  test('[CF53] asks about a row that somebody paired anew meanwhile, be it the other one', async () => {
    const { look, mark, change, sendOne, sendAll } = await aPair();
    const looked = await look('c', 'b');
    await mark('a', 'b', true);
    await mark('c', 'b', true, isLate ? looked : undefined);
    expect(await sendOne()).toMatchObject({ event: 'accepted' });
    change('b', {});
    expect(await sendAll()).toEqual(['refuse']);
  });

  test('[CF53] asks about that also behind one that changed nothing', async () => {
    const { looked, pull, mark, change, sendOne, sendAll } = await aLateScreen();
    if (!isLate) pull();
    for (const isTransfer of [true, false]) await mark('a', 'b', isTransfer, isLate ? looked : undefined);
    expect(await sendOne()).toMatchObject({ event: 'accepted' });
    for (const leg of ['a', 'b'] as const) change(leg, {});
    expect(await sendAll()).toEqual(['conflict']);
  });

  test('[CF53] asks nothing where nobody did anything', async () => {
    const { looked, pull, mark, sendAll } = await aLateScreen();
    if (!isLate) pull();
    for (const isTransfer of [true, false]) await mark('a', 'b', isTransfer, isLate ? looked : undefined);
    expect(await sendAll()).toEqual(['accepted', 'accepted']);
  });

  test('[CF53] knows of the version that left, and asks the server for none', async () => {
    const { edits, look, mark, sendOne } = await aPair();
    const looked = await look('a', 'b');
    await mark('a', 'b', true);
    await mark('a', 'b', false, isLate ? looked : undefined);
    await sendOne();
    const left = { version: 4, generation: 'g', fields: expect.objectContaining({ match_state: 'APPROVED' }) };
    expect(await edits()).toMatchObject([{ base: left, rests_on: left }]);
  });

  test('[CF54] rests on a row that it left alone as it was: nobody is asked', async () => {
    const { look, mark, sendAll } = await aPair({ rule: holds('b') });
    const looked = await look('c', 'b');
    await mark('a', 'b', false);
    await mark('c', 'b', true, isLate ? looked : undefined);
    expect(await sendAll()).toEqual(['accepted', 'accepted']);
  });

  test('[CF54] and asks where somebody made of that row what the accepted one had said', async () => {
    const { rows, look, mark, change, sendOne, sendAll } = await aPair({ rule: holds('b') });
    const looked = await look('c', 'b');
    await mark('a', 'b', false);
    await mark('c', 'b', true, isLate ? looked : undefined);
    expect(await sendOne()).toMatchObject({ event: 'accepted' });
    change('b', { match_state: 'REJECTED' });
    expect([await sendAll(), rows.b.match_state]).toEqual([['refuse'], 'REJECTED']);
  });

  test('[CF54] and so behind one that was met and never sent', async () => {
    const { rows, look, mark, change, sendAll } = await aPair();
    const looked = await look('c', 'b');
    await mark('a', 'b', false);
    await mark('c', 'b', true, isLate ? looked : undefined);
    for (const leg of ['a', 'b'] as const) change(leg, { match_state: 'REJECTED' });
    expect([await sendAll(), rows.b.match_state]).toEqual([['accepted', 'refuse'], 'REJECTED']);
  });
});

test.each([
  ['of both rows', 'a', 'b', 'late'],
  ['of both rows', 'a', 'b', 'in time'],
  ['of the first row', 'a', 'b', 'half'],
  ['of the other row', 'c', 'b', 'late'],
] as const)(
  '[CF53] a decision %s, made while the last one is accepted and not read back, %s with %s, shown %s, asks',
  async (_of, leg, other, shown) => {
    const { outbox, call, look, change, mark } = await aPair();
    const looked = await look(leg, other);
    await mark('a', 'b', true);
    const epoch = await startTerm(outbox);
    const ports = portsOf(call);
    const step = async () => {
      const [edit] = await claimHeads(outbox, epoch, 500_000, 1);
      if (!edit) return null;
      const met = await attempt(ports, edit);
      await settleAttempt(outbox, epoch, edit.seq, met, 500_000);
      return met.event;
    };
    expect(await step()).toBe('accepted');
    // somebody pairs them anew
    for (const each of ['a', 'b'] as const) change(each, {});
    const now = await look(leg, other);
    await mark(leg, other, leg === 'c', { late: looked, 'in time': now, half: { ...now, seen: looked.seen } }[shown]);
    await retire(outbox, epoch, await ackedMutations(outbox), 500_001);
    const ends = [];
    for (let met = await step(); met && ends.length < 6; met = await step()) ends.push(met);
    expect(isAsked(ends)).toBe(true);
  },
);

describe('a decision about a row that somebody pairs anew asks', () => {
  test.each(['a', 'b'] as const)('[CF56] beside one that the server refused, whose words do not lie over row %s', async (leg) => {
    const { mark, change, meet, sendAll } = await anApprovedPair();
    await mark('c', leg, true);
    await meet(refused);
    await mark('a', 'b', false);
    change(leg, {});
    expect(isAsked(await sendAll())).toBe(true);
  });

  /** One that was refused, for the other row was paired anew, one made since, and the refused one let go of. */
  const madeAnew = async (beforeLook?: Leg) => {
    const pair = await anApprovedPair();
    await pair.mark('a', 'b', false);
    pair.change('b', {});
    expect(await pair.sendAll()).toEqual(['refuse']);
    if (beforeLook) pair.change(beforeLook, {});
    pair.pull();
    await pair.mark('a', 'b', false);
    await discard(pair.outbox, (await pair.first()).seq, 20);
    return pair;
  };

  test('[CF56] also once that one is let go of', async () => {
    const { change, sendAll } = await madeAnew();
    change('b', {});
    expect(isAsked(await sendAll())).toBe(true);
  });

  test('[CF56] and nothing where nobody did since it was made', async () => {
    const { sendAll } = await madeAnew('a');
    expect(await sendAll()).toEqual(['accepted']);
  });

  test.each([
    ['a', 'b'],
    ['b', 'a'],
    ['c', 'b'],
  ] as const)('[CF56] nor of %s with %s where the refused one goes on before it', async (leg, other) => {
    const { outbox, edits, mark, meet, sendAll } = await anApprovedPair();
    await mark('a', 'b', false);
    await meet(refused);
    await mark(leg, other, true);
    await retry(outbox, (await edits())[0]!.seq);
    expect(await sendAll()).toEqual(['accepted', 'accepted']);
  });

  test.each([
    ['same', 'a'],
    ['same', 'b'],
    ['other', 'a'],
    ['other', 'b'],
  ] as const)('[CF56] behind one that was let go of, made from the %s row, where it is row %s', async (from, leg) => {
    const { outbox, edits, mark, change, sendAll } = await anApprovedPair();
    await mark('a', 'b', false);
    await (from === 'same' ? mark('a', 'b', false) : mark('b', 'a', false));
    await discard(outbox, (await edits())[0]!.seq, 20);
    if (from === 'other') await retry(outbox, (await edits())[0]!.seq);
    change(leg, {});
    expect(isAsked(await sendAll())).toBe(true);
  });

  test.each([
    [true, 'refuse'],
    [false, 'accepted'],
  ])("[CF56] behind one for which somebody else's change was taken, and nothing where nobody did: %s", async (isAnew, end) => {
    const { outbox, first, mark, change, sendAll } = await anApprovedPair();
    await mark('a', 'b', false);
    change('a', {});
    expect(await sendAll()).toEqual(['conflict']);
    await mark('b', 'a', false);
    await takeTheirs(outbox, await first(), 20);
    await retry(outbox, (await first()).seq);
    if (isAnew) change('a', {});
    expect(await sendAll()).toEqual([end]);
  });

  test('[CF56] behind one that was met, where it is the other row', async () => {
    const { mark, change, pull, sendAll } = await aPair();
    change('b', { match_state: 'APPROVED' });
    pull();
    await mark('a', 'b', false);
    await mark('c', 'b', true);
    change('a', { match_state: 'REJECTED' });
    change('b', {});
    expect(await sendAll()).toEqual(['accepted', 'refuse']);
  });

  test.each(['b', 'c'] as const)('[CF53] behind one that was accepted while it was held, and is tried again, from row %s', async (from) => {
    const { outbox, edits, mark, change, meet, call, sendAll } = await aPair();
    await mark('a', 'b', true);
    await mark('a', 'b', true);
    await (from === 'b' ? mark('b', 'a', false) : mark('c', 'b', false));
    const ports = portsOf(call);
    const letGo = async () => void (await discard(outbox, (await edits())[1]!.seq, 20));
    await meet((edit) => attempt(ports, edit), letGo);
    change('b', {});
    await retry(outbox, (await edits())[0]!.seq);
    expect(isAsked(await sendAll())).toBe(true);
  });
});

test('[OB77] a decision is no conflict with one of their own, made later and sent sooner, that let go of its row', async () => {
  const { mark, add, meet, look, sendAll } = await aPair({ rule: frees });
  const { seen } = await look('c', 'b');
  await add('markTransfer', { trx_id: 'c', counterpart_id: null, is_transfer: true }, seen);
  await mark('a', 'b', true);
  await meet({ event: 'try_later', nextAttemptAt: 300_000 });
  expect(await sendAll()).toEqual(['accepted', 'accepted']);
});

test.each([
  ['its own row', 'c', null],
  ['the other row', 'd', 'c'],
] as const)('[OB77] nor with one sent at the same time that let go of %s', async (_which, leg, other) => {
  const { outbox, call, rows, mark, add, look } = await aPair({ rule: frees });
  await mark('a', 'b', true);
  if (other) await mark(leg, other, true);
  else await add('markTransfer', { trx_id: leg, counterpart_id: other, is_transfer: true }, (await look(leg, 'b')).seen);
  const epoch = await startTerm(outbox);
  const ports = portsOf(call);
  const met = [];
  for (const edit of await claimHeads(outbox, epoch, 500_000, 2)) met.push({ edit, outcome: await attempt(ports, edit) });
  expect(met.map(({ outcome }) => outcome.event)).toEqual(['accepted', other ? 'refuse' : 'conflict']);
  for (const { edit, outcome } of met) await settleAttempt(outbox, epoch, edit.seq, outcome, 500_000);
  const [again] = await claimHeads(outbox, epoch, 500_000, 2);
  expect([(await attempt(ports, again!)).event, rows.c.match_state]).toEqual(['accepted', 'APPROVED']);
});

describe('what is known of accepted decisions', () => {
  test('[OB77] is nothing of a row once one was accepted and the server did not tell how it left that', async () => {
    const { says, look, mark, sendOne, sendAll } = await aPair();
    await mark('a', 'b', true);
    await mark('a', 'b', false);
    const looked = await look('a', 'b');
    expect(await sendOne()).toMatchObject({ event: 'accepted' });
    says.isTold = false;
    expect(await sendAll()).toEqual(['accepted']);
    await mark('a', 'b', true, looked);
    expect(await sendAll()).toEqual(['accepted']);
  });

  test('[OB77] stays known of the other row where the last one was met by another hand', async () => {
    const { looked, look, pull, mark, change, sendAll } = await aLateScreen();
    change('a', { match_state: 'REJECTED' });
    await mark('a', 'b', false, looked);
    expect(await sendAll()).toEqual(['accepted']);
    pull();
    const { seen } = await look('a', 'b');
    await mark('b', 'a', true, { seen: looked.restsOn, restsOn: seen });
    expect(await sendAll()).toEqual(['accepted']);
  });

  test('[OB77] is handed to one that waits about a row which it let go of', async () => {
    const { pull, look, change, mark, add, sendAll } = await aPair({ rule: frees });
    for (const leg of ['b', 'c'] as const) change(leg, { match_state: 'APPROVED' });
    pull();
    await mark('a', 'b', true);
    const { seen } = await look('c', 'b');
    await add('markTransfer', { trx_id: 'c', counterpart_id: null, is_transfer: false }, seen);
    expect(await sendAll()).toEqual(['accepted', 'accepted']);
  });

  test('[OB77] is nothing where the server has another database since', async () => {
    const { outbox, rows, looked, mark, sendAll } = await aLateScreen();
    // it is as it was before, and somebody paired both
    Object.assign(rows, { a: proposed('a'), b: proposed('b') });
    for (const leg of ['a', 'b'] as const) rows[leg] = { ...rows[leg], match_state: 'APPROVED', version: 4 };
    await forgetVersions(outbox, null);
    await mark('a', 'b', false, looked);
    expect(await sendAll()).toEqual(['conflict']);
  });

  test.each([
    ['the same', 'g', ['accepted']],
    ['another', 'h', ['conflict']],
  ] as const)('[OB77] in a copy that is begun anew is what was done in its database, %s as before', async (_which, generation, ends) => {
    const { outbox, looked, mark, sendAll } = await aLateScreen();
    await forgetVersions(outbox, generation);
    await mark('a', 'b', false, looked);
    expect(await sendAll()).toEqual(ends);
  });

  test.each(['{"v":2}', '[null]', 'half of'])(
    '[OB77] is nothing where another build wrote %s, and nobody is kept from deciding',
    async (value) => {
      const { outbox, mark, sendAll } = await aPair();
      await outbox.write(['marks'], (tx) => tx.put('marks', { k: 'own_changes', value }));
      await mark('a', 'b', true);
      expect(await sendAll()).toEqual(['accepted']);
    },
  );
});
