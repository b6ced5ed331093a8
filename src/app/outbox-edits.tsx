import { useLiveQuery } from 'dexie-react-hooks';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { pendingMutations } from '#replica/outbox.ts';
import { isUnaccepted } from '#replica/unsent.ts';
import { useReplica } from './use-replica.ts';

/** Null outside of the signed-in shell: that nobody looked is not that nothing waits. */
const EditsContext = createContext<{ edits: OutboxRow[] | undefined } | null>(null);

/** Reads the edits that have not settled, once for all who look at them: many are sent in a second, and each sending changes them. */
export function OutboxProvider({ children }: { children: ReactNode }) {
  const { outbox } = useReplica();
  const edits = useLiveQuery(() => pendingMutations(outbox), [outbox]);
  const value = useMemo(() => ({ edits }), [edits]);
  return <EditsContext.Provider value={value}>{children}</EditsContext.Provider>;
}

/** Every edit that has not settled, oldest first; `undefined` while the first look is under way. */
export function useOutbox(): OutboxRow[] | undefined {
  const found = useContext(EditsContext);
  if (!found) throw new Error('Nobody reads the outbox here');
  return found.edits;
}

/** Those of them that the server has not accepted; none while the first look is under way. */
export function useUnaccepted(): OutboxRow[] {
  return (useOutbox() ?? []).filter(isUnaccepted);
}
