import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect } from 'react';
import { organizationsOf } from '#replica/nouns.ts';
import { useServices } from '#app/services.tsx';
import { useOrganizationSettings } from '#app/use-organization-settings.ts';
import { useReplica } from '#app/use-replica.ts';

/** Times show in the zone of the organization to who is of one alone and has chosen no zone. */
export function useUsualZone(): void {
  const { preferences } = useServices();
  const replica = useReplica();
  const only = useLiveQuery(async () => {
    const [first, ...others] = await organizationsOf(replica);
    return others.length === 0 ? first?.id : undefined;
  }, [replica]);
  const { settings } = useOrganizationSettings(only);
  const zone = settings?.time_zone ?? null;
  const isKnown = settings !== undefined;
  useEffect(() => {
    if (isKnown) preferences.setUsualZone(zone);
    // the next person has a zone of their own
    return () => preferences.setUsualZone(null);
  }, [preferences, zone, isKnown]);
}
