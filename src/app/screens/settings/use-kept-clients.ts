import { useLiveQuery } from 'dexie-react-hooks';
import { useState } from 'react';
import { clientsOf } from '#replica/nouns.ts';
import type { EntityProgress } from '#workers/start.ts';
import { useStatus } from '#app/engine-status.tsx';
import { wishToLast } from '#app/lasting-storage.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';

/** A client, and what of it is on this device. */
export interface KeptClient {
  id: string;
  name: string;
  /** The worker has said what of it is here. */
  isKnown: boolean;
  isKept: boolean;
  /** What was chosen is not done yet. */
  isUnderWay: boolean;
  /** It goes once its edits are sent. */
  isLeaving: boolean;
  /** There was no room for it. */
  isLetGo: boolean;
  /** Transactions on this device. */
  rows: number;
  /** How many there are, where that is known. */
  rowsInAll: number | null;
  /** All there are of them are here. */
  isComplete: boolean;
}

const ofClient = (entities: readonly EntityProgress[], id: string): EntityProgress[] =>
  entities.filter(({ client_id }) => client_id === id);

const isKeptNow = (here: readonly EntityProgress[]): boolean => here.every(({ phase, is_leaving }) => phase !== 'left_out' && !is_leaving);

/** The clients by name, with what of them is on this device, and how to keep one or no longer; `undefined` while opening. */
export function useKeptClients(): { clients: KeptClient[] | undefined; keep: (clientId: string, isKept: boolean) => void } {
  const { engine, notices } = useServices();
  const replica = useReplica();
  const { entities, phase } = useStatus();
  // what was just chosen, until the engine says so
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const underWay = [...chosen].filter(([id, isKept]) => isKeptNow(ofClient(entities, id)) !== isKept);
  // what another tab chooses from then on is shown again
  if (underWay.length < chosen.size) setChosen(new Map(underWay));
  const found = useLiveQuery(() => clientsOf(replica), [replica]);
  const clients = found?.map(({ id, client_name: name }): KeptClient => {
    const here = ofClient(entities, id);
    return {
      id,
      name,
      // one without entities is never told of by name
      isKnown: here.length > 0 || (phase !== 'starting' && phase !== 'stopped'),
      isKept: chosen.get(id) ?? isKeptNow(here),
      isUnderWay: chosen.has(id),
      isLeaving: here.some(({ is_leaving }) => is_leaving),
      isLetGo: here.some(({ is_let_go }) => is_let_go),
      rows: here.reduce((sum, { rows }) => sum + rows, 0),
      rowsInAll: here.reduce<number | null>((sum, { rows_in_all: inAll }) => (sum === null || inAll === null ? null : sum + inAll), 0),
      isComplete: here.every(({ phase }) => phase === 'steady'),
    };
  });
  const keep = (clientId: string, isKept: boolean): void => {
    setChosen((before) => new Map(before).set(clientId, isKept));
    // who wants something kept wants the browser not to clear it either; settings say what it answered
    if (isKept) void wishToLast(true);
    engine.keepClient(clientId, isKept).catch((error: unknown) => {
      setChosen((before) => new Map([...before].filter(([id]) => id !== clientId)));
      notices.notice('error', `It could not be noted: ${textOfError(error)}`);
    });
  };
  return { clients, keep };
}
