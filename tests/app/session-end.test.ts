import { expect, test } from 'vitest';
import { lookWhetherOver } from '#app/session/session-end.ts';
import { ApiError } from '#contract/errors.ts';

/** What the engine's word that the session is over comes to, where the server answers so. */
async function asked(...answers: ('here' | 'over' | 'unheard')[]): Promise<string[]> {
  const done: string[] = [];
  const failure = { over: 'not_authenticated', unheard: 'network' } as const;
  await lookWhetherOver({
    ask: async () => {
      const answer = answers.shift() ?? 'over';
      done.push(answer);
      if (answer !== 'here') throw new ApiError({ code: failure[answer], detail: answer });
    },
    goOn: async () => void done.push('goes on'),
    rest: async () => void done.push('rests'),
    isCurrent: () => answers.length > 0,
  });
  return done;
}

test('[SE73] that a session is over, heard late, sends nobody out who signed in again meanwhile: the server is asked', async () => {
  expect(await asked('here')).toEqual(['here', 'goes on']);
  expect(await asked('over')).toEqual(['over']);
  expect(await asked('unheard', 'here')).toEqual(['unheard', 'rests', 'here', 'goes on']);
  // whoever left meanwhile is asked about no more
  expect(await asked('unheard')).toEqual(['unheard', 'rests']);
});
