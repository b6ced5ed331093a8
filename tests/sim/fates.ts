import { begun, type Scenario, type Scene } from './crash-scenes.ts';
import { inTurn } from './in-turn.ts';
import { comeToRest } from './scenes.ts';
import type { Fate } from './sim-net.ts';
import type { ServerKind } from './world.ts';

/** Longest that a scenario takes in which one request meets its fate, in turns. */
const mostTurns = 20_000;

export const fates: readonly { fate: Fate; what: string }[] = [
  { fate: 'lost', what: 'is lost on its way' },
  { fate: 'answer_lost', what: 'has its effect, and the answer is lost' },
  { fate: 'twice', what: 'arrives twice' },
  { fate: 'late', what: 'arrives after others that were sent later' },
  { fate: 'answered_late', what: 'is answered after others that were sent later' },
];

/** Goes through a scenario, one of whose requests meets a fate. @returns how many there are. */
async function goThrough(scenario: Scenario, kind: ServerKind, { nth, fate }: { nth: number; fate: Fate | null }): Promise<number> {
  const scene: Scene = await begun(scenario, kind);
  const { world, watcher, device } = scene;
  let requests = 0;
  device.browser.fateOf = () => {
    requests += 1;
    return requests - 1 === nth ? fate : null;
  };
  await world.scheduler.until(() => scenario.isOver(scene), mostTurns);
  const own = requests;
  watcher.check();
  await comeToRest(world, watcher);
  await scenario.after?.(scene);
  return own;
}

/** How many requests a scenario has. */
export function requestsIn(scenario: Scenario, kind: ServerKind): Promise<number> {
  return goThrough(scenario, kind, { nth: -1, fate: null });
}

/** Lets each of so many requests of a scenario whose turn it is meet a fate, one at a time, and sees that all that must hold does, and comes to rest. */
export async function meetEach(scenario: Scenario, kind: ServerKind, { requests, fate }: { requests: number; fate: Fate }): Promise<void> {
  const each = Array.from({ length: requests }, (_, nth) => nth);
  for (const nth of inTurn(each, `${fate}: ${scenario.what}, ${kind}`)) {
    await goThrough(scenario, kind, { nth, fate }).catch((cause: unknown) => {
      throw new Error(`Request ${nth} of ${scenario.what}`, { cause });
    });
  }
}
