import { useLiveQuery } from 'dexie-react-hooks';
import { createContext, type ReactNode, useContext } from 'react';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { pendingMutations } from '#replica/outbox.ts';
import { useReplica } from './use-replica.ts';

const EditsContext = createContext<OutboxRow[] | undefined>(undefined);

/** Reads the edits that have not settled, once for all who look at them: many are sent in a second, and each sending changes them. */
export function OutboxProvider({ children }: { children: ReactNode }) {
  const { outbox } = useReplica();
  const edits = useLiveQuery(() => pendingMutations(outbox), [outbox]);
  return <EditsContext.Provider value={edits}>{children}</EditsContext.Provider>;
}

/** Every edit that has not settled, oldest first; `undefined` while the first look is under way. */
export function useOutbox(): OutboxRow[] | undefined {
  return useContext(EditsContext);
}
