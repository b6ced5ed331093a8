import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sightOf } from '#domain/users.ts';
import type { ShownClient } from '#replica/places.ts';
import type { ShownUser } from '#replica/users.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FindInput } from '#app/ui/find-input.tsx';
import { SkeletonRows } from '#app/ui/states.tsx';
import { useDebouncedText } from '#app/ui/use-debounced.ts';
import { useTold } from '#app/use-told.ts';
import { useAdministered } from './use-administered.ts';
import { useRoles } from './use-roles.ts';
import { useUserEdits } from './use-user-edits.ts';
import { useUsers } from './use-users.ts';
import { sightWords } from './user-words.ts';

const nothing = { assign_clients: [], unassign_clients: [], assign_entities: [], unassign_entities: [] };

/** Who sees a client, and how: the people of its organization, those who see it first. */
export function ClientPeopleDialog({ client, onClose }: { client: ShownClient; onClose: () => void }) {
  const people = useUsers();
  const { roles } = useRoles();
  const edits = useUserEdits();
  const told = useTold();
  const administered = useAdministered(people);
  const [wanted, setWanted] = useState('');
  const [text, setText] = useDebouncedText(wanted, setWanted);
  const placed = people?.clients.find(({ id }) => id === client.id);
  const mayAssign = administered.some(({ id }) => id === client.organization_id) && client.version > 0;
  const byId = new Map(roles.map((role) => [role.id, role]));
  const rank = { role: 1, client: 0, entities: 0, none: 2 } as const;
  const rows = (people?.users ?? [])
    .filter(({ memberships }) => memberships.some(({ organization_id: of }) => of === client.organization_id))
    .filter(({ email }) => email.toLowerCase().includes(wanted.trim().toLowerCase()))
    .map((user) => ({ user, sight: placed ? sightOf(user, placed, byId) : ('none' as const) }))
    .sort((a, b) => rank[a.sight] - rank[b.sight]);
  const countOf = (user: ShownUser): number => placed?.entities.filter(({ id }) => user.entity_ids.includes(id)).length ?? 0;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width="wide"
      title={`Who sees ${client.client_name}`}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <div className="flex flex-col gap-2 py-2">
        <FindInput label="Find by email" value={text} onText={setText} />
        {people === undefined ? (
          <SkeletonRows rows={4} />
        ) : rows.length === 0 ? (
          <p className="py-4 text-center text-grid text-muted">Nobody of this organization has such an email address.</p>
        ) : (
          <ul aria-label="People" className="text-grid">
            {rows.map(({ user, sight }) => (
              <li key={user.id} className="flex items-center gap-3 border-t border-line py-1.5">
                <div className="min-w-0 grow">
                  <Link to="/users/$userId" params={{ userId: user.id }} className="block truncate font-medium text-link hover:underline">
                    <bdi>{user.email}</bdi>
                  </Link>
                  <p className="truncate text-small text-muted">
                    {[sightWords(sight, countOf(user), placed?.entities.length ?? 0), user.is_enabled ? null : 'disabled']
                      .filter(Boolean)
                      .join(' · ')}
                  </p>
                </div>
                {mayAssign && sight !== 'role' ? (
                  <Button
                    size="small"
                    aria-label={`${sight === 'client' ? 'Unassign' : 'Assign'} ${user.email}`}
                    onClick={() =>
                      void told(
                        edits.assign(user, {
                          ...nothing,
                          ...(sight === 'client' ? { unassign_clients: [client.id] } : { assign_clients: [client.id] }),
                        }),
                      )
                    }
                  >
                    {sight === 'client' ? 'Unassign' : 'Assign'}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
