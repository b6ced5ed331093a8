import { isUnsent } from './coalescing.ts';
import type { Fields } from './merge.ts';
import { nextMutationState } from './mutation-states.ts';
import type { OutboxRow, OutboxStore } from './outbox-tables.ts';

/** Whether the person can still say an edit otherwise. One in conflict is decided first. */
export function isRestatable(edit: OutboxRow): boolean {
  return isUnsent(edit) && edit.state !== 'conflict';
}

/** The person says an edit otherwise that had no effect yet: it keeps its place, and what it was made on. @returns false where it is too late. */
export function restate(outbox: OutboxStore, seq: number, { change, title }: { change: Fields; title: string }): Promise<boolean> {
  return outbox.write(['mutations'], async (tx) => {
    const edit = await tx.get('mutations', seq);
    if (!edit || !isRestatable(edit)) return false;
    const { error: _former, failing: _failing, ...rest } = edit;
    const state = nextMutationState[edit.state].retry ?? edit.state;
    await tx.put('mutations', { ...rest, title, input: { ...(edit.input as Fields), ...change }, state, attempts: 0, next_attempt_at: 0 });
    return true;
  });
}
