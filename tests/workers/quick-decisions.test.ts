import { describe, expect, test } from 'vitest';
import type { ApiCall, CallOptions } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Fields } from '#replica/merge.ts';
import { proposed, refuseMoved, shownRow } from '#tests/support/pairs.ts';
import { anOutbox, type SomeRow } from '#tests/support/sent-edits.ts';

// A person decides about a row once more before their screen shows what became of the last time.

type Leg = 'a' | 'b' | 'c';
type Rows = Record<Leg, SomeRow>;
interface Mark {
  trx_id: Leg;
  counterpart_id: Leg;
  is_transfer: boolean;
}
/** Which rows come to be in another state by a mark. */
type Rule = (rows: Readonly<Rows>, mark: Mark) => Partial<Record<Leg, string | null>>;

const stateOf = ({ is_transfer }: Mark): string => (is_transfer ? 'APPROVED' : 'REJECTED');
/** Both rows, but for those that are so already. */
const changesBoth: Rule = (rows, mark) => {
  const legs = [mark.trx_id, mark.counterpart_id].filter((leg) => rows[leg]['match_state'] !== stateOf(mark));
  return Object.fromEntries(legs.map((leg) => [leg, stateOf(mark)]));
};
/** The same, and that a is no pair with b leaves a alone: another match holds it. */
const holdsA: Rule = (rows, mark) => {
  const { a: _held, ...others } = changesBoth(rows, mark);
  return mark.is_transfer ? changesBoth(rows, mark) : others;
};

/** A server with three rows of which two are a pair, the copy that was read of them before anything happened, and who decides about them. */
async function aPair({ rule = changesBoth, isTold = true }: { rule?: Rule; isTold?: boolean } = {}) {
  const rows: Rows = { a: proposed('a'), b: proposed('b'), c: proposed('c') };
  /** Somebody changes a row. */
  const change = (leg: Leg, to: Fields): void => {
    rows[leg] = { ...rows[leg], ...to, version: rows[leg].version + 1 };
  };
  const call = (async (_endpoint: Endpoint, input: Mark, options: CallOptions) => {
    refuseMoved({ current: rows[input.trx_id], rests_on: rows[input.counterpart_id] }, options);
    const left = Object.entries(rule(rows, input)) as [Leg, string | null][];
    for (const [leg, match_state] of left) change(leg, { match_state });
    const changed_transactions = left.map(([id, match_state]) => ({ id, match_state, version: rows[id].version }));
    return { id: 'match', ...(isTold ? { changed_transactions } : {}) };
  }) as ApiCall;
  const { edits, add, send, sendAll } = await anOutbox();
  const copy = { ...rows };
  const pull = () => Object.assign(copy, rows);
  const shown = async (leg: Leg): Promise<SomeRow> => shownRow(copy[leg], await edits());
  const look = async (leg: Leg, other: Leg) => ({ seen: await shown(leg), restsOn: await shown(other) });
  const mark = async (trx_id: Leg, counterpart_id: Leg, is_transfer: boolean, looked?: Awaited<ReturnType<typeof look>>) => {
    const { seen, restsOn } = looked ?? (await look(trx_id, counterpart_id));
    await add('markTransfer', { trx_id, counterpart_id, is_transfer }, seen, { restsOn });
  };
  return { edits, rows, pull, look, change, mark, sendOne: () => send(call), sendAll: () => sendAll(call) };
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

  test('[OB77] nor one of which the screen shows one row as it is by now', async () => {
    const { looked, pull, look, mark, sendAll } = await aLateScreen();
    pull();
    const { restsOn } = await look('a', 'b');
    await mark('a', 'b', false, { seen: looked.seen, restsOn });
    expect(await sendAll()).toEqual(['accepted']);
  });

  test('[OB77] nor one of a row that the last one let go of', async () => {
    const frees: Rule = (rows, mark) => ({ ...changesBoth(rows, mark), ...(mark.counterpart_id === 'b' ? { c: null } : {}) });
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
    const pair = await aPair({ rule: holdsA });
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
