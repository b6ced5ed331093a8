import { BrokenInvariant, unfinished, Watcher } from './invariants.ts';
import { randomOf } from './random.ts';
import { take } from './happenings.ts';
import { comeToRest } from './scenes.ts';
import { type Step, stepsOf } from './steps.ts';
import { type MakeServer, World } from './world.ts';

export interface SimResult {
  seed: number;
  /** Turns the scheduler gave. */
  turns: number;
  /** A number that any other order of turns would make another one. */
  trace: number;
  edits: number;
  /** Edits of a guest that had their effect. */
  guestEffects: number;
  requests: number;
  failure: string | null;
  /** The latest turns before the failure. */
  recent: readonly string[];
}

const minuteMs = 60_000;
/** One of eight pairs of seeds, one with each kind of server, ends with a quiet while: it takes half as long again as all before. */
const endsQuietly = (seed: number): boolean => Math.floor(seed / 2) % 8 === 0;
/** What nobody looks at is read again every ten minutes. */
const quietMinutes = 12;
/**
 * Requests of a device in a quiet minute: the steady pulls of three entities, in the smallest pages through moments that fill many, their lists in
 * pages counted twice; no loop.
 */
const mostQuietRequests = 150;
/** The rows these have at most. */
const usualRows = 330;

/** The same of as many entities as there are by now, and of what was imported beside: its pages share half their rows, and are read twice where they are skipped to. */
function mostQuietRequestsOf({ server }: World): number {
  const more = Math.max(0, server.visibleTransactions().length - usualRows);
  return mostQuietRequests * Math.max(1, server.entities.length / 3) + (4 * more) / server.mood.pageCap;
}

/** What happens in a seed's world. */
export function stepsOfSeed(seed: number, count: number): Step[] {
  const isOfAll = randomOf(`workload ${seed}`).chance(0.6);
  return stepsOf(randomOf(`steps ${seed}`), count, isOfAll ? 'all' : 'few');
}

/**
 * Everything that a seed makes happen, or some of it.
 * @param server another one than the model, and what it needs before anything happens.
 */
export async function simulate(
  seed: number,
  steps: readonly Step[] | number,
  server: { make?: MakeServer; prepare?: () => Promise<void> } = {},
): Promise<SimResult> {
  const world = new World(seed, { makeServer: server.make });
  await server.prepare?.();
  const watcher = new Watcher(world);
  let failure: string | null = null;
  try {
    const taken = typeof steps === 'number' ? stepsOfSeed(seed, steps) : steps;
    for (const step of taken) {
      await take(world, step);
      watcher.check();
    }
    await comeToRest(world, watcher);
    if (endsQuietly(seed)) await staysTrue(world);
  } catch (error) {
    failure = error instanceof BrokenInvariant ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { turns, trace, recent } = world.scheduler;
  return {
    seed,
    turns,
    trace,
    edits: world.made.size,
    guestEffects: world.guest?.server.effects.size ?? 0,
    requests: world.server.requests,
    failure,
    recent,
  };
}

/**
 * Nobody does anything for a while: little is asked, or an engine that asks in a loop would be found here; and yet what somebody else
 * changes meanwhile arrives.
 */
async function staysTrue(world: World): Promise<void> {
  const before = world.server.requests;
  await world.server.touchRecent();
  await world.scheduler.pass(quietMinutes * minuteMs, 400_000);
  const perMinute = (world.server.requests - before) / quietMinutes / world.devices.length;
  if (perMinute > mostQuietRequestsOf(world)) throw new BrokenInvariant('I12', `${perMinute} requests in a quiet minute`);
  const left = unfinished(world);
  if (left.length > 0) throw new BrokenInvariant('I4', `after ${quietMinutes} quiet minutes: ${left.slice(0, 4).join('; ')}`);
}

/** Leaves out whatever a failure does not need, as far as so many runs show. */
export async function shrink(seed: number, steps: readonly Step[], mostRuns = 120): Promise<Step[]> {
  let kept = [...steps];
  let runs = 0;
  for (let size = Math.ceil(kept.length / 2); size >= 1 && runs < mostRuns; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length && runs < mostRuns; ) {
      const without = [...kept.slice(0, at), ...kept.slice(at + size)];
      runs += 1;
      if ((await simulate(seed, without)).failure !== null) kept = without;
      else at += size;
    }
  }
  return kept;
}
