import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { heldPlaceOf } from '#replica/held-place.ts';
import { useServices } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';
import { lostText, watchPlace } from './lost-place.ts';

/** Leaves for Home, and says why, where the entity or client of the address may no longer be seen. */
export function useLostPlace(): void {
  const { notices } = useServices();
  const replica = useReplica();
  const navigate = useNavigate();
  const params = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const entity = params.entityId ?? search.entity;
  const { client } = search;
  const held = useLiveQuery(() => heldPlaceOf(replica, { entity, client }), [replica, entity, client]);
  const [lost] = useState(watchPlace);
  useEffect(() => {
    const name = held === undefined ? null : lost(held);
    if (name === null) return;
    notices.toast('warning', lostText(name));
    void navigate({ to: '/home', replace: true });
  }, [held, lost, navigate, notices]);
}
