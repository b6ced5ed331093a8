import { useEffect, useState } from 'react';
import { v7 as uuid } from 'uuid';
import { clearedText, forgetLoss, lossOf, writeWaiting } from '#app/cleared-storage.ts';
import { useServices, useUser } from '#app/services.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { useOutbox } from '#app/use-replica.ts';
import { mayHaveArrived } from '#replica/outbox.ts';

async function mark(userId: string, given: string): Promise<string | null> {
  const [{ markInstall }, { browserStores }] = await Promise.all([import('#replica/device-tables.ts'), import('#replica/dexie-store.ts')]);
  return markInstall(browserStores, userId, given);
}

/** Tells the person that the browser cleared what was kept here, and writes down how many edits wait, to say how many went with it. */
export function useClearedStorage(): void {
  const { local, clock, notices } = useServices();
  const { id: userId } = useUser();
  const { zone } = usePreferences();
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
    lossOf(local, userId, { mark: (given) => mark(userId, given), fresh: uuid }).then(
      (loss) => {
        if (!isHere) return;
        setHasLooked(true);
        if (loss) notices.toast('warning', clearedText(loss, zone), () => forgetLoss(local, userId));
      },
      // a browser that opens no database says so elsewhere
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [local, userId, notices, zone]);
}
