import { mutations } from '#contract/mutations.ts';
import { isState } from './mutation-states.ts';
import { type OutboxRow, outboxFormat } from './outbox-tables.ts';

/**
 * Whether a newer build of the app made an edit, or brought it where this one does not know the way: it is left as it is, and counted,
 * until that build is here again.
 */
export function isOfNewerBuild({ v, name, state }: Pick<OutboxRow, 'v' | 'name' | 'state'>): boolean {
  return v > outboxFormat || !Object.hasOwn(mutations, name) || !isState(state);
}
