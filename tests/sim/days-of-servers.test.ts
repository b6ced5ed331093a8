import { expect, test } from 'vitest';
import type { Transaction } from '#contract/transactions.ts';
import { startOfPreviousMonth } from '#domain/dates.ts';
import { OneServer } from './one-server.ts';
import { dayMs } from './sim-server.ts';

/** A server of the specification that makes less of a moment than it is. */
const readings = ['midnight', 'midnight_elsewhere', 'before'] as const;

/** Puts a row there that was at a moment. */
function plantAt({ server, entity }: OneServer, id: string, at: number): Transaction {
  const [like] = [...server.transactions.values()].filter(({ entity_id }) => entity_id === entity.id);
  if (!like) throw new Error('An entity has transactions');
  const row = { ...like, id, trx_date: new Date(at).toISOString(), version: 1 };
  server.transactions.set(id, row);
  return row;
}

test.each(readings)(
  '[SY98] no row is missed between the recent ones and the older where a server reads days out of moments: %s',
  async (upTo) => {
    const scene = new OneServer('specification');
    scene.server.mood.upTo = upTo;
    const boundary = startOfPreviousMonth(scene.world.scheduler.now);
    const ids = [-30, -20, -10, -1, 0, 1].map((hours) => plantAt(scene, `${hours} h`, boundary + hours * 3_600_000).id);
    const missed = (): string[] => ids.filter((id) => !scene.isHeldAsItIs(id));
    await scene.pass(30);
    expect(missed()).toEqual([]);
    // as what was corrected since
    for (const id of ids) scene.server.transactions.set(id, { ...scene.server.transactions.get(id)!, version: 2 });
    scene.look();
    await scene.pass(3 * 60);
    expect(missed()).toEqual([]);
  },
);

test.each(readings)(
  '[SY99] what was imported of one day long past is read at once where a server reads days out of moments: %s',
  async (upTo) => {
    const scene = new OneServer('specification');
    scene.server.mood.upTo = upTo;
    await scene.pass(30);
    const { id, trx_date: day } = plantAt(scene, 'imported', scene.world.scheduler.now - 500 * dayMs);
    let isRead = false;
    const read = scene.device.workers[0]?.engine.pullRange(scene.entity.id, day, day).then(() => {
      isRead = true;
    });
    await scene.world.scheduler.until(() => isRead, 10_000);
    await read;
    expect(scene.isHeldAsItIs(id)).toBe(true);
  },
);
