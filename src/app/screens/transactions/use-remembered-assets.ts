import { useEffect, useEffectEvent, useRef } from 'react';
import { useServices, useUser } from '#app/services.tsx';
import { asksNothing, rememberAssets, rememberedAssets } from './remembered-assets.ts';
import type { SearchChange, TransactionSearch } from './transaction-search.ts';

/**
 * Brings back the security filter last used in a place when it is opened by an address that asks nothing else.
 * It then stands in the address and shows as a filter like any other; taking it away forgets it.
 */
export function useRememberedAssets(place: string, search: TransactionSearch, onChange: (change: SearchChange) => void): void {
  const { local, notices } = useServices();
  const name = `${useUser().id} ${place}`;
  const last = useRef<string | undefined>(undefined);
  const { security } = search;
  const enter = useEffectEvent(() => {
    const kept = asksNothing(search) ? rememberedAssets(local, name) : undefined;
    if (kept === undefined) return;
    notices.notice('info', 'The security filter you last used here is on again');
    onChange({ security: kept });
  });
  useEffect(() => enter(), [name]);
  useEffect(() => {
    if (last.current === security) return;
    last.current = security;
    rememberAssets(local, name, security);
  }, [local, name, security]);
}
