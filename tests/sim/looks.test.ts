import { expect, test } from 'vitest';
import { OneServer } from './one-server.ts';
import { apiAt } from './sim-net.ts';

test('[LS12] what somebody looks at while the engine ends the work of who signed out is known once they are signed in', async () => {
  const scene = new OneServer('feed');
  const { device, entity } = scene;
  await scene.pass(1);
  const engine = device.workers[0]!.engine;
  const { userId } = device;
  const lookedAt = () => {
    const kept = device.disk.peek<{ k: string; value: object }>('tieout-device', 'device');
    return kept.flatMap(({ k, value }) => (k.startsWith('looked_at ') ? Object.keys(value) : []));
  };
  void engine.close(userId);
  // it has begun, and waits for what is on its way
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  expect(lookedAt()).toEqual([]);
  void engine.look([entity.client_id], {});
  void engine.open({ userId, apiBaseUrl: apiAt, signInId: null });
  await scene.pass(1);
  expect(lookedAt()).toEqual([entity.client_id]);
});
