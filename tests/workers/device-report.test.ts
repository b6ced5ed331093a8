import { describe, expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import type { LostEdits } from '#contract/devices.ts';
import { ApiError } from '#contract/errors.ts';
import { DeviceReport } from '#workers/device-report.ts';

const minute = 60_000;

function aReport() {
  const scene = {
    now: 1e12,
    isHeard: true,
    knows: false,
    fails: 0,
    isCut: false,
    held: null as Promise<void> | null,
    lost: null as LostEdits | null,
  };
  const asked: unknown[] = [];
  const told: (LostEdits | null)[] = [];
  const call = (async (_endpoint: unknown, input: unknown) => {
    if (scene.fails > 0) throw new ApiError({ code: 'internal', detail: 'Something went wrong', status: scene.fails });
    if (scene.isCut) throw new ApiError({ code: 'network', detail: 'No network', status: 0 });
    asked.push(input);
    await scene.held;
    return { lost: scene.lost };
  }) as ApiCall;
  const report = new DeviceReport({
    call,
    now: () => scene.now,
    deviceId: async () => 'device',
    knowsLoss: async () => scene.knows,
    isHeard: () => scene.isHeard,
    onLost: (lost) => told.push(lost),
  });
  const tell = async (pending: number, afterMs = 0) => {
    scene.now += afterMs;
    await report.tell(pending);
    return asked.splice(0);
  };
  return { scene, told, tell };
}

const standing = (pending: number, knows_loss = false) => ({ device_id: 'device', pending, knows_loss });

describe('a device', () => {
  test('[EV5] says how many edits wait where that is news, once an hour otherwise, and nothing waits for it', async () => {
    const { scene, told, tell } = aReport();
    scene.isHeard = false;
    expect(await tell(1)).toEqual([]);
    scene.isHeard = true;
    expect([await tell(1), await tell(1, 59 * minute), await tell(1, minute)]).toEqual([[standing(1)], [], [standing(1)]]);
    expect(await tell(1, -30 * minute)).toEqual([]);
    scene.fails = 500;
    expect(await tell(2)).toEqual([]);
    scene.fails = 0;
    expect([await tell(2, minute - 1), await tell(2, 1)]).toEqual([[], [standing(2)]]);
    expect(told).toEqual([]);
  });

  test('[EV5] says it in the next round where no answer came: a server that went away is told as soon as it is back', async () => {
    const { scene, tell } = aReport();
    scene.isCut = true;
    expect(await tell(0)).toEqual([]);
    scene.isCut = false;
    expect(await tell(1, 1000)).toEqual([standing(1)]);
  });

  test('[EV5] says what it became while that was said', async () => {
    const { scene, tell } = aReport();
    let answer = () => {};
    scene.held = new Promise((resolve) => {
      answer = resolve;
    });
    const first = tell(0);
    expect(await tell(1)).toEqual([standing(0)]);
    expect(await tell(2)).toEqual([]);
    answer();
    expect(await first).toEqual([standing(2)]);
    expect(await tell(2)).toEqual([]);
  });

  test('[EV5] hears what was lost, and says so once the person knows', async () => {
    const { scene, told, tell } = aReport();
    const lost = { pending: 3, told_at: '2026-11-20T14:05:00.000Z' };
    scene.lost = lost;
    expect([await tell(0), await tell(0, minute)]).toEqual([[standing(0)], []]);
    scene.knows = true;
    scene.lost = null;
    expect([await tell(0, 1), await tell(0, 1)]).toEqual([[standing(0, true)], []]);
    expect(told).toEqual([lost, null]);
  });
});
