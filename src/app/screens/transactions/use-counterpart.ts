import { useEffect, useMemo, useState } from 'react';
import type { GridRow } from '#workers/start.ts';
import { useServices } from '#app/services.tsx';
import { watchCounterpart } from './find-row.ts';

/** The other leg of a match, as it is and as it comes to be; `undefined` while looked for, null where it is not on this device. */
export function useCounterpart(clientId: string, row: GridRow, id: string | null): GridRow | null | undefined {
  const { engine } = useServices();
  const [found, setFound] = useState<{ of: string; row: GridRow | null } | null>(null);
  // a row that only moved or was marked asks nothing new
  const { id: rowId, entity_id, security_id, trx_date } = row;
  const leg = useMemo(() => ({ id: rowId, entity_id, security_id, trx_date }), [rowId, entity_id, security_id, trx_date]);
  const key = `${rowId} ${id ?? ''}`;
  useEffect(() => {
    if (id === null) return undefined;
    const note = (counterpart: GridRow | null): void => setFound({ of: key, row: counterpart });
    return watchCounterpart(engine, { clientId, row: leg, id }, { onRow: note, onFault: () => note(null) });
  }, [engine, clientId, leg, id, key]);
  if (id === null) return null;
  return found?.of === key ? found.row : undefined;
}
