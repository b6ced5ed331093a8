import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAuditEntries } from '#contract/audit.ts';
import { acceptInvitation, invitationMessages, inviteUser, lookAtInvitation } from '#contract/invitations.ts';
import { getMe, login } from '#contract/session.ts';
import { listUsers, setUserRole, updateUser, userMessages } from '#contract/users.ts';
import { entryWords } from '#domain/audit-words.ts';
import { rowsOf } from '#server/database/open.ts';
import { organizationMembers, users } from '#server/database/tables/users.ts';
import { acceptInvitation as acceptHashed } from '#server/repositories/invitations.ts';
import { databaseKind } from '#tests/support/database.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anAdministeredOffice, anInvited, takeUp, userSeenBy } from '#tests/support/users.ts';
import { aUser } from '#tests/support/world.ts';
import { everyRow } from '#tests/support/whole-database.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anAdministeredOffice>>;
let foreign: Awaited<ReturnType<typeof anAdministeredOffice>>;
beforeAll(async () => {
  server = await aServer();
  office = await anAdministeredOffice(server);
  foreign = await anAdministeredOffice(server);
});
afterAll(() => server.close());

const day = 24 * 3_600_000;
const stale = { status: 422, message: invitationMessages.stale };
const anybody = () => server.anyone();
const aMember = (values: Parameters<typeof aUser>[1] = {}) =>
  aUser(server.database.db, { organizationIds: [office.organization.id], ...values });
const again = async () => server.signedIn(office.administrator.email);

describe('an invitation', () => {
  test('[US15] lets the person choose a password once, and signs them in', async () => {
    const { user, token, expires_at } = await anInvited(office.call, office.organization.id);
    expect(Date.parse(expires_at)).toBe(server.clock.now() + 7 * day);
    expect((await userSeenBy(office.call, user.id))?.invited_until).toBe(expires_at);
    await expect(anybody().call(login, { email: user.email, password: '' })).rejects.toMatchObject({ status: 422 });
    expect(await anybody().call(lookAtInvitation, { token })).toEqual({ email: user.email, expires_at });
    await expect(takeUp(server, token, 'too short')).rejects.toMatchObject({ status: 422 });
    const browser = anybody();
    await browser.call(acceptInvitation, { token, password: 'correct horse!' });
    expect(await browser.call(getMe, {})).toMatchObject({ id: user.id, email: user.email });
    await anybody().call(login, { email: user.email.toUpperCase(), password: 'correct horse!' });
    expect((await userSeenBy(office.call, user.id))?.invited_until).toBeNull();
    await expect(takeUp(server, token)).rejects.toMatchObject(stale);
    await expect(anybody().call(lookAtInvitation, { token })).rejects.toMatchObject(stale);
  });

  test('[US16] taken up by two at once is taken up by one', async () => {
    const { token } = await anInvited(office.call, office.organization.id);
    const taken = await Promise.allSettled(Array.from({ length: 4 }, (_, at) => takeUp(server, token, `password number ${at}`)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.runIf(databaseKind === 'postgres')('[US35] taken up while the person is disabled waits its turn', async () => {
    const { db } = server.database;
    const { user, token } = await anInvited(office.call, office.organization.id);
    const waiting = async () =>
      (await rowsOf(db, sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length;
    const { settled } = await db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from users where id = ${user.id}::uuid for update`);
      const disabling = office.call(updateUser, { id: user.id, name: null, is_enabled: false });
      await expect.poll(waiting).toBe(1);
      const taking = db.transaction((own) => acceptHashed(own, { token, hash: 'a hash' }, server.clock.now()));
      await expect.poll(waiting).toBe(2);
      return { settled: Promise.allSettled([disabling, taking]) };
    });
    expect(await settled).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { message: invitationMessages.stale } }]);
  });

  test('[US17] an old one, one replaced, one of who is disabled and one nobody made are refused alike', async () => {
    const [replaced, old, disabled] = [
      await anInvited(office.call, office.organization.id),
      await anInvited(office.call, office.organization.id),
      await anInvited(office.call, office.organization.id),
    ];
    const { token: newer } = await office.call(inviteUser, { id: replaced.user.id });
    expect(newer).not.toBe(replaced.token);
    await office.call(updateUser, { id: disabled.user.id, name: null, is_enabled: false });
    await expect(office.call(inviteUser, { id: disabled.user.id })).rejects.toMatchObject({ status: 409, message: userMessages.disabled });
    await office.call(updateUser, { id: disabled.user.id, name: null, is_enabled: true });
    for (const token of [replaced.token, disabled.token, 'x', old.token.slice(1), `${old.token} `]) {
      await expect(anybody().call(lookAtInvitation, { token })).rejects.toMatchObject(stale);
      await expect(takeUp(server, token)).rejects.toMatchObject(stale);
    }
    server.clock.advance(7 * day);
    await expect(anybody().call(lookAtInvitation, { token: old.token })).rejects.toMatchObject(stale);
    await expect(takeUp(server, old.token)).rejects.toMatchObject(stale);
    await expect(takeUp(server, newer)).rejects.toMatchObject(stale);
    Object.assign(office, await again());
    Object.assign(foreign, await server.signedIn(foreign.administrator.email));
  });

  test('[US18] made by an administrator it is another password, and ends every session there was', async () => {
    const user = await aMember();
    const thief = await server.signedIn(user.email);
    const { token } = await office.call(inviteUser, { id: user.id });
    expect((await thief.call(getMe, {})).id).toBe(user.id);
    await takeUp(server, token, 'quite another one');
    await expect(thief.call(getMe, {})).rejects.toMatchObject({ status: 401 });
    await expect(server.signedIn(user.email)).rejects.toMatchObject({ status: 401 });
    await anybody().call(login, { email: user.email, password: 'quite another one' });
  });

  test('[US19] takes over nobody of another organization, no superuser, nobody who may do more, and not oneself', async () => {
    const elsewhere = { status: 409, message: userMessages.elsewhere };
    const both = await aMember({ organizationIds: [office.organization.id, foreign.organization.id] });
    const superuser = await aMember({ is_superuser: true });
    await expect(office.call(inviteUser, { id: both.id })).rejects.toMatchObject(elsewhere);
    await expect(office.call(inviteUser, { id: superuser.id })).rejects.toMatchObject(elsewhere);
    await expect(office.call(inviteUser, { id: foreign.accountant.id })).rejects.toMatchObject({ status: 404 });
    await expect(office.call(inviteUser, { id: office.administrator.id })).rejects.toMatchObject({ message: userMessages.ownInvitation });
    const accountant = await server.signedIn(office.accountant.email);
    await expect(accountant.call(inviteUser, { id: both.id })).rejects.toMatchObject({ status: 403 });
    const other = await server.signedIn((await aUser(server.database.db, { is_superuser: true })).email);
    expect((await other.call(inviteUser, { id: superuser.id })).token).toHaveLength(43);
  });

  test('[US20] is void once whoever made it may no longer: the person works elsewhere too, or became a superuser, or the maker is gone', async () => {
    const { db } = server.database;
    const joined = await anInvited(office.call, office.organization.id);
    await db.insert(organizationMembers).values({ user_id: joined.user.id, organization_id: foreign.organization.id, role_id: 'auditor' });
    await expect(takeUp(server, joined.token)).rejects.toMatchObject(stale);
    const raised = await anInvited(office.call, office.organization.id);
    await db.update(users).set({ is_superuser: true }).where(eq(users.id, raised.user.id));
    await expect(takeUp(server, raised.token)).rejects.toMatchObject(stale);

    const maker = await aMember({ role: 'administrator' });
    const { call } = await server.signedIn(maker.email);
    const made = await anInvited(call, office.organization.id);
    await office.call(setUserRole, { id: maker.id, organization_id: office.organization.id, role_id: 'auditor' });
    await expect(takeUp(server, made.token)).rejects.toMatchObject(stale);
    await office.call(setUserRole, { id: maker.id, organization_id: office.organization.id, role_id: 'administrator' });
    await office.call(updateUser, { id: maker.id, name: null, is_enabled: false });
    await expect(takeUp(server, made.token)).rejects.toMatchObject(stale);
  });

  test('[US21] its token is in the one answer and nowhere else: no row, no list, no trail, no kept answer', async () => {
    const { user, token } = await anInvited(office.call, office.organization.id);
    await expect(office.call(inviteUser, { id: user.id }, { idempotencyKey: 'a-key' })).rejects.toMatchObject({
      status: 422,
      message: invitationMessages.keyed,
    });
    expect(await everyRow(server.database.db)).not.toContain(token);
    expect(JSON.stringify(await office.call(listUsers, {}))).not.toContain(token);
    const [stored] = await rowsOf<{ hash: string }>(
      server.database.db,
      sql`select token_hash as hash from user_invitations where user_id = ${user.id}::uuid`,
    );
    const trail = await office.call(listAuditEntries, { row_id: user.id });
    expect(JSON.stringify(trail)).not.toContain(stored?.hash);
    expect(trail.map((entry) => entryWords(entry))).toContain(`Invited ${user.email}`);
    await takeUp(server, token);
    const after = await office.call(listAuditEntries, { row_id: user.id });
    expect(after.map((entry) => entryWords(entry))).toContain(`Ended the invitation of ${user.email}`);
    expect(after.find(({ noun, action }) => noun === 'users' && action === 'update')).toMatchObject({
      user_id: user.id,
      after: { password: 'set' },
    });
    expect((await foreign.call(listAuditEntries, { row_id: user.id })).length).toBe(0);
  });

  test('[US22] guessing is stopped as sign-in is, and says nothing of who there is', async () => {
    const strict = await aServer({ signInsPerMinute: 3 });
    try {
      const ask = (token: string) => strict.anyone().call(lookAtInvitation, { token });
      for (let tries = 0; tries < 3; tries += 1) await expect(ask(`guess ${tries}`)).rejects.toMatchObject(stale);
      await expect(ask('guess')).rejects.toMatchObject({ status: 429 });
      await expect(strict.anyone().call(acceptInvitation, { token: 'guess', password: 'a new password' })).rejects.toMatchObject({
        status: 429,
      });
      strict.clock.advance(60_000);
      await expect(ask('guess')).rejects.toMatchObject(stale);
    } finally {
      await strict.close();
    }
  });
});
