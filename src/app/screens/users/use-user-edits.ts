import { v7 as uuid } from 'uuid';
import { inviteUser } from '#contract/invitations.ts';
import type { MutationInput } from '#contract/mutations.ts';
import { createUser, type CreateUserInput } from '#contract/users.ts';
import type { AssignmentChange } from '#domain/assignments.ts';
import type { ShownUser } from '#replica/users.ts';
import { roleTitle } from '#app/edit-titles.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { useEnqueue } from '#app/use-enqueue.ts';
import { useReplica } from '#app/use-replica.ts';
import { makersOf, makersOfAssigned } from '#replica/places.ts';

/** The link somebody chooses a password with. Told once, and kept nowhere. */
export interface SignInLink {
  email: string;
  href: string;
  expires_at: string;
}

type EditName = 'updateUser' | 'setUserRole' | 'assignUser';

/** What one can do with people. Changes show at once and reach the server when there is a network; a link needs it. */
export function useUserEdits() {
  const { clock, call, engine } = useServices();
  const enqueue = useEnqueue();
  const replica = useReplica();
  const add = <N extends EditName>(
    name: N,
    user: ShownUser,
    input: MutationInput<N>,
    { title, deps }: { title: string; deps: readonly string[] },
  ): Promise<void> => enqueue({ id: uuid(), name, input, title, now: clock(), clientId: null, entityId: null, seen: user, deps });
  const link = async (id: string, email: string): Promise<SignInLink> => {
    const { token, expires_at } = await call(inviteUser, { id });
    void engine.syncNow().catch(() => undefined);
    // what comes after # is sent to no server
    return { email, expires_at, href: new URL(`/login/invitation#${token}`, window.location.origin).href };
  };
  return {
    update: (user: ShownUser, fields: { name: string | null; is_enabled: boolean }) =>
      add('updateUser', user, { id: user.id, ...fields }, { title: `Update user: ${user.email}`, deps: [] }),
    // an organization, and what is assigned, may wait to be made
    setRole: async (user: ShownUser, organization: { id: string; name: string }, role: { id: string; name: string } | null) =>
      add(
        'setUserRole',
        user,
        { id: user.id, organization_id: organization.id, role_id: role?.id ?? null },
        {
          title: roleTitle(user.email, organization.name, role?.name ?? null),
          deps: await makersOf(replica, 'organizations', organization.id),
        },
      ),
    assign: async (user: ShownUser, change: AssignmentChange) =>
      add(
        'assignUser',
        user,
        { id: user.id, ...change },
        { title: `Assignments of ${user.email}`, deps: await makersOfAssigned(replica, change) },
      ),
    /** Needs the network: throws where there is none, or where the server refuses. */
    create: async (input: Omit<CreateUserInput, 'id'>): Promise<SignInLink> => {
      const { id, email } = await call(createUser, { id: uuid(), ...input }, { idempotencyKey: uuid() });
      return link(id, email).catch((error: unknown) => {
        throw new Error(`${email} is a user now, but there is no link yet: open their page to make one. ${textOfError(error)}`);
      });
    },
    invite: ({ id, email }: ShownUser) => link(id, email),
  };
}
