import { Link } from '@tanstack/react-router';
import { useLiveQuery } from 'dexie-react-hooks';
import { organizationsOf } from '#replica/nouns.ts';
import { useReplica } from '#app/use-replica.ts';

/** The ways to what one's organizations have set. */
export function OrganizationLinks() {
  const replica = useReplica();
  const organizations = useLiveQuery(() => organizationsOf(replica), [replica]) ?? [];
  if (organizations.length === 0) return <p className="text-grid text-muted">They appear here once they are fetched.</p>;
  return (
    <ul className="flex flex-col gap-1">
      {organizations.map(({ id, name }) => (
        <li key={id}>
          <Link
            to="/organizations/$organizationId"
            params={{ organizationId: id }}
            className="inline-block max-w-full truncate font-medium text-link hover:underline"
          >
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
