import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ShownUser } from '#replica/users.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { textOfError } from '#app/notices.tsx';
import { useServices, useUser } from '#app/services.tsx';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { useTold } from '#app/use-told.ts';
import { AssignmentTree } from './assignment-tree.tsx';
import { DisableUserDialog } from './disable-user-dialog.tsx';
import { GrantsTable } from './grants-table.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { UpdateUserDialog } from './update-user-dialog.tsx';
import { useAdministered } from './use-administered.ts';
import { useRoles } from './use-roles.ts';
import { type SignInLink, useUserEdits } from './use-user-edits.ts';
import { type People, useUsers } from './use-users.ts';
import { UserRoles } from './user-roles.tsx';
import { signInWords, standingWords } from './user-words.ts';

const route = getRouteApi('/_app/users/$userId');

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="page-inset border-t border-line py-4">
      <h2 className="mb-2 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function UserPage({ shown, people }: { shown: ShownUser; people: People }) {
  const me = useUser();
  const { zone } = usePreferences();
  const { clock, notices } = useServices();
  const hasNetwork = useHasNetwork();
  const { roles, granted, isMissing } = useRoles();
  const edits = useUserEdits();
  const told = useTold();
  const administered = useAdministered(people);
  const [open, setOpen] = useState<'update' | 'disable' | null>(null);
  const [link, setLink] = useState<SignInLink | null>(null);
  const [isLinking, setLinking] = useState(false);
  const close = (): void => setOpen(null);
  const isOwn = shown.id === me.id;
  const mayChange = administered.length > 0 && shown.is_administered;
  const worksFor = people.organizations.filter(({ id }) => shown.memberships.some((one) => one.organization_id === id));
  const held = roles.filter(({ id }) => shown.memberships.some((one) => one.role_id === id));
  const mayAssign = (id: string): boolean => administered.some((one) => one.id === id);
  const invite = async (): Promise<void> => {
    setLinking(true);
    try {
      setLink(await edits.invite(shown));
    } catch (error) {
      notices.notice('error', textOfError(error));
    } finally {
      setLinking(false);
    }
  };
  return (
    <>
      <PageHead
        title={shown.email}
        crumbs={
          <nav aria-label="Breadcrumb">
            <Link to="/users" search={carriedOrganization} activeOptions={{ exact: true }} className="text-link underline">
              Users
            </Link>{' '}
            / <span aria-current="page">{shown.name ?? shown.email}</span>
          </nav>
        }
        action={
          <div className="flex flex-wrap items-center gap-2">
            {shown.pending ? <EditSign mark={shown.pending} zone={zone} row={{ noun: 'users', id: shown.id }} /> : null}
            {mayChange ? (
              <>
                {shown.is_enabled && !isOwn ? (
                  <Button look="quiet" onClick={() => setOpen('disable')}>
                    Disable
                  </Button>
                ) : null}
                {shown.is_enabled ? null : (
                  <Button onClick={() => void told(edits.update(shown, { name: shown.name, is_enabled: true }))}>Enable</Button>
                )}
                <Button onClick={() => setOpen('update')}>Update</Button>
                {shown.is_enabled && !isOwn ? (
                  <Button look="primary" disabled={!hasNetwork || isLinking} onClick={() => void invite()}>
                    {hasNetwork ? 'New sign-in link' : 'Sign-in link needs the network'}
                  </Button>
                ) : null}
              </>
            ) : null}
          </div>
        }
      />
      <p className="page-inset pb-4 text-grid text-soft">
        {[
          shown.name,
          standingWords(shown, clock()),
          `Last sign-in: ${signInWords(shown).toLowerCase()}`,
          shown.is_superuser ? 'Superuser' : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {administered.length > 0 && !shown.is_administered ? (
        <p className="page-inset pb-4 text-grid text-muted">
          This person also works for an organization you do not administer, or may do more than you: only a superuser changes the account.
        </p>
      ) : null}
      <Section title="Roles">
        <UserRoles
          user={shown}
          roles={roles}
          organizations={people.organizations}
          administered={administered}
          isOwn={isOwn}
          onRole={edits.setRole}
        />
      </Section>
      <Section title="Clients and entities">
        {worksFor.length === 0 ? (
          <p className="text-grid text-muted">
            {shown.is_superuser ? 'A superuser sees everything.' : 'This person works for no organization you see.'}
          </p>
        ) : (
          <AssignmentTree
            user={shown}
            roles={roles}
            organizations={worksFor}
            clients={people.clients}
            mayAssign={mayAssign}
            onSave={(change) => edits.assign(shown, change)}
          />
        )}
      </Section>
      <Section title="What the roles grant">
        {isMissing ? (
          <p className="text-grid text-muted">It was not fetched yet, and there is no network.</p>
        ) : held.length === 0 ? (
          <p className="text-grid text-muted">No role, so nothing.</p>
        ) : (
          <GrantsTable roles={held} granted={granted} />
        )}
      </Section>
      {open === 'update' ? (
        <UpdateUserDialog user={shown} onSave={(seen, name) => edits.update(seen, { name, is_enabled: seen.is_enabled })} onClose={close} />
      ) : null}
      {open === 'disable' ? (
        <DisableUserDialog
          email={shown.email}
          onDisable={() => edits.update(shown, { name: shown.name, is_enabled: false })}
          onClose={close}
        />
      ) : null}
      {link ? <LinkDialog link={link} onClose={() => setLink(null)} /> : null}
    </>
  );
}

/** A person: the account, the roles and what they grant, and what is assigned. */
export function UserScreen() {
  const { userId } = route.useParams();
  const people = useUsers();
  if (people === undefined) return <SkeletonRows rows={10} />;
  const shown = people.users.find(({ id }) => id === userId);
  if (!shown)
    return (
      <EmptyState
        title="This user is not on this device"
        actions={
          <Link to="/users" search={carriedOrganization} className="font-medium text-link underline">
            Go to Users
          </Link>
        }
      >
        They were not fetched yet, or work for no organization you see.
      </EmptyState>
    );
  // what is open or chosen on the page of one person is none of the next
  return <UserPage key={shown.id} shown={shown} people={people} />;
}
