import { useEffect, useMemo, useState } from 'react';
import { v7 as uuid } from 'uuid';
import { clearedText, forgetLoss, type InstallMarks, type Loss, lossOf, rememberedLoss, writeWaiting } from '#app/cleared-storage.ts';
import { useStatus } from '#app/engine-status.tsx';
import { useServices, useUser } from '#app/services.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import type { ReplicaHolder } from '#app/replica-holder.ts';
import { useOutbox } from '#app/outbox-edits.tsx';
import { mayHaveArrived } from '#replica/mutation-states.ts';

function installOf(replica: ReplicaHolder, userId: string): InstallMarks {
  const load = () => Promise.all([import('#replica/install-marks.ts'), replica.open(userId)]);
  return {
    mark: async (given) => {
      const [{ markInstall }, { outbox, host }] = await load();
      return markInstall(outbox, host, userId, given);
    },
    isLossKnown: async () => {
      const [{ isLossKnown }, { outbox }] = await load();
      return isLossKnown(outbox);
    },
    knowLoss: async () => {
      const [{ knowLoss }, { outbox }] = await load();
      return knowLoss(outbox);
    },
  };
}

/** Tells the person that the browser cleared what was kept here, and writes down how many edits wait, to say how many went with it. */
export function useClearedStorage(): void {
  const { local, clock, notices, replica } = useServices();
  const { id: userId } = useUser();
  const { zone } = usePreferences();
  const { lost } = useStatus();
  // each standing of the worker comes as a copy of its own
  const [lostPending, lostAt] = [lost?.pending, lost?.told_at];
  const install = useMemo(() => installOf(replica, userId), [replica, userId]);
  const [loss, setLoss] = useState<Loss | null>(null);
  const [hasLooked, setHasLooked] = useState(false);
  const edits = useOutbox()?.filter(({ state }) => state !== 'acked');
  const count = edits?.length;
  const maybe = edits?.filter((edit) => edit.state === 'sending' || mayHaveArrived(edit)).length;
  useEffect(() => {
    // what waits in the new databases does not take the place of what waited in those that went, before that was read
    if (hasLooked && count !== undefined && maybe !== undefined) writeWaiting(local, userId, { count, maybe, at: clock() });
  }, [local, userId, clock, hasLooked, count, maybe]);
  useEffect(() => {
    let isHere = true;
    const remembered = lostPending === undefined || lostAt === undefined ? null : { pending: lostPending, told_at: lostAt };
    const look = hasLooked ? remembered && rememberedLoss(local, userId, install, remembered) : lossOf(local, userId, install, uuid);
    look?.then(
      (found) => {
        if (!isHere) return;
        setHasLooked(true);
        if (found) setLoss(found);
      },
      // a browser that opens no database says so elsewhere
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [local, userId, install, lostPending, lostAt, hasLooked]);
  useEffect(() => {
    if (!loss) return;
    notices.toast('warning', clearedText(loss, zone), () => {
      forgetLoss(local, userId);
      setLoss(null);
    });
  }, [local, userId, notices, zone, loss]);
}
