import { useEffect, useState } from 'react';
import { useServices } from '#app/services.tsx';
import { followRemovals } from './ordered-removal.ts';
import { type RemovedNote, removedNote } from './removed-note.ts';

/**
 * Follows what the server orders to go from this device, now and as soon as there is a network.
 * @param isReady whether nobody is signed in any more.
 * @returns what was removed, until somebody signs in; null where nothing was.
 */
export function useRemovals(isReady: boolean): RemovedNote | null {
  const services = useServices();
  const [note, setNote] = useState(() => removedNote(services.local));
  useEffect(() => {
    if (!isReady) return undefined;
    let isHere = true;
    const follow = (): void => {
      void followRemovals(services, () => {
        if (isHere) setNote(removedNote(services.local));
      });
    };
    follow();
    window.addEventListener('online', follow);
    return () => {
      isHere = false;
      window.removeEventListener('online', follow);
    };
  }, [services, isReady]);
  return note;
}
