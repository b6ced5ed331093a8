import { useEffect } from 'react';
import { showOnIcon } from '#app/icon-badge.ts';
import { useServices } from '#app/services.tsx';

/** Keeps a count on the installed app's icon, and takes it away when whoever is signed in leaves. @param count `undefined` while it is not known. */
export function useIconBadge(count: number | undefined): void {
  const { icon } = useServices();
  useEffect(() => {
    if (count !== undefined) showOnIcon(icon, count);
  }, [icon, count]);
  useEffect(() => () => showOnIcon(icon, 0), [icon]);
}
