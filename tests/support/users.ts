import { v7 as uuidv7 } from 'uuid';
import { acceptInvitation, inviteUser } from '#contract/invitations.ts';
import { createUser, listUsers } from '#contract/users.ts';
import type { TestServer } from './server.ts';
import { anOffice, aUser } from './world.ts';

type Call = Awaited<ReturnType<TestServer['signedIn']>>['call'];

/** An office with an administrator signed in. */
export async function anAdministeredOffice(server: TestServer) {
  const office = await anOffice(server.database.db);
  const { organization } = office;
  const administrator = await aUser(server.database.db, { role: 'administrator', organizationIds: [organization.id] });
  return { ...office, administrator, ...(await server.signedIn(administrator.email)) };
}

/** What makes a person who is not known yet. */
export function newUser(organization_id: string, values: { email?: string; role_id?: string; name?: string | null } = {}) {
  const id = uuidv7();
  return { id, email: `new.${id.slice(-8)}@example.org`, name: 'New Person', role_id: 'accountant', organization_id, ...values };
}

/** A person made and invited, who has not chosen a password. */
export async function anInvited(call: Call, organizationId: string, values: Parameters<typeof newUser>[1] = {}) {
  const user = await call(createUser, newUser(organizationId, values));
  return { user, ...(await call(inviteUser, { id: user.id })) };
}

/** The row of a person as somebody sees it; undefined where it is out of their sight. */
export const userSeenBy = async (call: Call, id: string) => (await call(listUsers, {})).find((user) => user.id === id);

/** Takes an invitation up in a browser without a session. */
export const takeUp = (server: TestServer, token: string, password = 'a new password') =>
  server.anyone().call(acceptInvitation, { token, password });
