import type { End } from './crash-ends.ts';
import { begun, type Scenario, type Scene } from './crash-scenes.ts';
import { inTurn } from './in-turn.ts';
import { comeToRest } from './scenes.ts';
import type { ServerKind } from './world.ts';

/** Longest that any of them takes, in turns. */
const mostTurns = 4_000;

/** Where to cut: before anything happens, and after each port call of the routine, as long as anything of it is under way. */
interface Cuts {
  turns: number[];
  /** Where it stood at these. */
  met: Set<string>;
}

/** Goes through a scenario uncut, to see which of its turns are its own port calls. */
async function cutsOf(scenario: Scenario, kind: ServerKind): Promise<Cuts> {
  const scene = await begun(scenario, kind);
  const { scheduler } = scene.world;
  const turns = [0];
  const met = new Set(scenario.stands(scene));
  let isOver = false;
  for (let turn = 1; turn <= mostTurns && !isOver; turn += 1) {
    const before = scheduler.turns;
    await scheduler.until(() => false, 1);
    const [actor = '', ...words] = (scheduler.turns > before ? (scheduler.recent.at(-1) ?? '') : '').split(' ');
    isOver = scenario.isOver(scene);
    // the last turn is one where nothing is under way any more, and all was told
    const isCut = actor.startsWith(`${scene.device.name}.`) && scenario.cutsAt.test(words.join(' '));
    if (!isCut && !isOver) continue;
    turns.push(turn);
    for (const state of scenario.stands(scene)) met.add(state);
  }
  if (!isOver) throw new Error(`${scenario.what} is not over after ${mostTurns} turns`);
  await ended(scenario, scene);
  return { turns, met };
}

/** Sees that all that must hold does once everything came to rest. */
async function ended(scenario: Scenario, scene: Scene): Promise<void> {
  await scenario.resume?.(scene);
  await comeToRest(scene.world, scene.watcher);
  await scenario.after?.(scene);
}

const known = new Map<string, Promise<Cuts>>();

/** Where a scenario is cut through, looked for once. */
export function cutsIn(scenario: Scenario, kind: ServerKind): Promise<Cuts> {
  const name = `${scenario.what} ${kind}`;
  const cuts = known.get(name) ?? cutsOf(scenario, kind);
  known.set(name, cuts);
  return cuts;
}

/** Ends a scenario at each of its cuts whose turn it is, and sees that all that must hold does, and comes to rest. */
export async function cutThrough(scenario: Scenario, kind: ServerKind, { what, come }: End): Promise<void> {
  const { turns } = await cutsIn(scenario, kind);
  for (const turn of inTurn(turns, `${what}: ${scenario.what}, ${kind}`)) {
    const scene = await begun(scenario, kind);
    await scene.world.scheduler.until(() => false, turn);
    try {
      await come(scene, scenario.by ?? 'worker');
      scene.watcher.check();
      await ended(scenario, scene);
    } catch (error) {
      throw new Error(`${what} after turn ${turn} of ${scenario.what}`, { cause: error });
    }
  }
}
