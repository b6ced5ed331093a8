import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { MutationInput } from '#contract/mutations.ts';
import { deleteView, listSavedViews, saveView, savedViewMessages } from '#contract/saved-views.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { discardRefused, savedViewsOf } from '#replica/saved-views.ts';
import { aFlow } from '#tests/support/flow.ts';
import { testNow } from '#tests/support/server.ts';
import { anOffice } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

/** A person with as many devices as the test asks for. */
async function aPerson() {
  const { accountant } = await anOffice(server.database.db);
  const { call } = await server.signedIn(accountant.email);
  let devices = 0;
  const aDevice = async () => {
    devices += 1;
    const { wire, startSynced, aPage } = await browsers.signIn(accountant.email, `-${devices}`);
    const { sync } = await startSynced();
    const page = await aPage();
    const add = <N extends 'saveView' | 'deleteView'>(name: N, input: MutationInput<N>) =>
      enqueue(page.outbox, { id: uuidv7(), name, input, title: name, now: testNow, clientId: null, entityId: null });
    return {
      wire,
      sync,
      page,
      save: (id: string, name: string, search = 'unpriced=only') => add('saveView', { id, name, list: 'transactions', search }),
      remove: (id: string) => add('deleteView', { id }),
      shown: async () =>
        (await savedViewsOf(page, 'transactions')).map(({ name, search, pending }) => [name, search, pending?.state ?? null]),
      waiting: async () => (await pendingMutations(page.outbox)).map(({ state }) => state),
    };
  };
  const stored = async () => (await call(listSavedViews, {})).map(({ name }) => name);
  return { call, aDevice, stored };
}

describe('saved views', () => {
  test('[SV16] a view made and renamed offline shows at once, reaches the server, and follows the person to another device', async () => {
    const { aDevice, stored } = await aPerson();
    const [laptop, desktop] = [await aDevice(), await aDevice()];
    const id = uuidv7();
    laptop.wire.cut();
    await laptop.save(id, 'Unpriced');
    await laptop.save(id, 'Unpriced in Q3', 'from=2026-07-01&to=2026-09-30&unpriced=only');
    expect(await laptop.shown()).toEqual([['Unpriced in Q3', 'from=2026-07-01&to=2026-09-30&unpriced=only', expect.any(String)]]);
    await laptop.sync();
    expect(await stored()).toEqual([]);

    laptop.wire.mend();
    await laptop.sync();
    await expect.poll(laptop.waiting).toEqual([]);
    const whole = ['Unpriced in Q3', 'from=2026-07-01&to=2026-09-30&unpriced=only', null];
    expect(await laptop.shown()).toEqual([whole]);
    await desktop.sync();
    expect(await desktop.shown()).toEqual([whole]);

    await desktop.remove(id);
    await desktop.sync();
    await expect.poll(desktop.waiting).toEqual([]);
    expect(await stored()).toEqual([]);
    expect(await desktop.shown()).toEqual([]);
    await laptop.sync();
    expect(await laptop.shown()).toEqual([]);
  });

  test('[SV17] a view made, renamed and deleted before any sync leaves nothing at the server, and no error', async () => {
    const { aDevice, stored } = await aPerson();
    const laptop = await aDevice();
    const id = uuidv7();
    laptop.wire.cut();
    await laptop.save(id, 'Made');
    await laptop.save(id, 'Renamed');
    await laptop.remove(id);
    expect(await laptop.shown()).toEqual([]);
    laptop.wire.mend();
    expect(await laptop.sync()).toMatchObject({ phase: 'idle', problem: null });
    await expect.poll(laptop.waiting).toEqual([]);
    expect([await stored(), await laptop.shown()]).toEqual([[], []]);
  });

  test('[SV17] edits whose answers were lost go in their order and have their effect once', async () => {
    const { aDevice, stored } = await aPerson();
    const laptop = await aDevice();
    const id = uuidv7();
    laptop.wire.loseAnswerOf('PUT', `/saved_views/${id}`, laptop.wire.cut);
    await laptop.save(id, 'Made');
    await expect.poll(laptop.waiting).toEqual(['uncertain']);
    laptop.wire.mend();
    laptop.wire.loseAnswerOf('DELETE', `/saved_views/${id}`);
    await laptop.remove(id);
    await expect
      .poll(async () => {
        await laptop.sync();
        return laptop.waiting();
      })
      .toEqual([]);
    expect([await stored(), await laptop.shown()]).toEqual([[], []]);
  });

  test('[SV18] a name taken on another device is refused and kept with the reason; renaming sends it, discarding lets it go', async () => {
    const { call, aDevice, stored } = await aPerson();
    const laptop = await aDevice();
    await call(saveView, { id: uuidv7(), name: 'Month end', list: 'transactions', search: '' });
    const [id, other] = [uuidv7(), uuidv7()];
    await laptop.save(id, 'Month end', 'q=mine');
    await laptop.save(other, 'MONTH END', 'q=also mine');
    await laptop.sync();
    await expect.poll(laptop.waiting).toEqual(['refused', 'refused']);
    const views = await savedViewsOf(laptop.page, 'transactions');
    expect(views.find((view) => view.id === id)).toMatchObject({
      search: 'q=mine',
      pending: { state: 'refused', detail: savedViewMessages.taken },
    });

    await laptop.save(id, 'Month end, mine', 'q=mine');
    await discardRefused(laptop.page, other, testNow);
    await laptop.sync();
    await expect.poll(laptop.waiting).toEqual([]);
    expect(await stored()).toEqual(['Month end', 'Month end, mine']);
    await expect
      .poll(async () => {
        await laptop.sync();
        return laptop.shown();
      })
      .toEqual([
        ['Month end', '', null],
        ['Month end, mine', 'q=mine', null],
      ]);
  });

  test('[SV19] a deletion undone before it is sent changes nothing, and one undone after brings the view back everywhere', async () => {
    const { call, aDevice, stored } = await aPerson();
    const id = uuidv7();
    await call(saveView, { id, name: 'Airdrops', list: 'transactions', search: 'type=13' });
    const [laptop, desktop] = [await aDevice(), await aDevice()];
    laptop.wire.cut();
    await laptop.remove(id);
    await laptop.save(id, 'Airdrops', 'type=13');
    expect(await laptop.shown()).toEqual([['Airdrops', 'type=13', expect.any(String)]]);
    laptop.wire.mend();
    await laptop.sync();
    await expect.poll(laptop.waiting).toEqual([]);
    expect(laptop.wire.requests.filter((request) => request.startsWith('DELETE'))).toEqual([]);

    await call(deleteView, { id });
    await laptop.save(id, 'Airdrops', 'type=13,14');
    await laptop.sync();
    await expect.poll(laptop.waiting).toEqual([]);
    expect(await stored()).toEqual(['Airdrops']);
    await desktop.sync();
    for (const device of [laptop, desktop]) expect(await device.shown()).toEqual([['Airdrops', 'type=13,14', null]]);
  });
});
