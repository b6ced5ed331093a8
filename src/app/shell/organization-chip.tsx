import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect } from 'react';
import { organizationsOf } from '#replica/nouns.ts';
import { useServices } from '#app/services.tsx';
import { CloseIcon } from '#app/ui/icons.tsx';
import { useReplica } from '#app/use-replica.ts';
import { rememberOrganization } from './organization-search.ts';

interface OrganizationChipProps {
  /** What the screen is narrowed to; nothing shows where it is not. */
  organizationId: string | undefined;
  onRemove: () => void;
}

/** Says that a screen shows one organization alone, and takes that away. */
export function OrganizationChip({ organizationId, onRemove }: OrganizationChipProps) {
  const { local } = useServices();
  const replica = useReplica();
  useEffect(() => rememberOrganization(local, { organizationId }), [local, organizationId]);
  const organizations = useLiveQuery(() => organizationsOf(replica), [replica]);
  if (organizationId === undefined) return null;
  const name = organizations?.find(({ id }) => id === organizationId)?.name ?? 'not on this device';
  return (
    <div className="page-inset pb-3">
      <span className="inline-flex max-w-full items-center gap-1 rounded-full bg-selected py-0.5 pr-1 pl-3 text-grid">
        <span className="truncate">
          Organization: <bdi className="font-semibold">{name}</bdi>
        </span>
        <button
          type="button"
          aria-label="Show all organizations"
          title="Show all organizations"
          onClick={onRemove}
          className="inline-flex size-6 shrink-0 items-center justify-center rounded-full text-soft hover:bg-hover hover:text-ink print:hidden"
        >
          <CloseIcon />
        </button>
      </span>
    </div>
  );
}
