import { ApiError } from '#contract/errors.ts';
import { acceptInvitation, invitationMessages, inviteUser, lookAtInvitation } from '#contract/invitations.ts';
import { listPermissions, listRoles } from '#contract/roles.ts';
import { assignUser, createUser, listUserClients, listUsers, setUserRole, updateUser } from '#contract/users.ts';
import { hashPassword } from '#server/passwords.ts';
import * as invitations from '#server/repositories/invitations.ts';
import * as assignments from '#server/repositories/user-clients.ts';
import * as roles from '#server/repositories/user-roles.ts';
import * as users from '#server/repositories/users.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';
import { answerTokens, signInLimiter } from '#server/sign-in.ts';
import { addressOf } from '#server/request-address.ts';

export function userRoutes(server: Server): void {
  // whose address is taken is told to who administers users: not to somebody who tries a list of them
  const countMade = signInLimiter(server.config.signInsPerMinute, 'new users and links');

  route(server, listRoles, ({ query }, { db }) => roles.listRoles(db, query));
  route(server, listPermissions, (query, { db, user }) => roles.listPermissions(db, user, query));
  route(server, listUsers, (query, { db, user }) => users.listUsers(db, user, query));
  route(server, createUser, (input, { db, user, now }) => {
    countMade(user.id, now);
    return users.createUser(db, user, input);
  });
  route(server, updateUser, (input, { db, user, now }) => users.updateUser(db, user, input, now));
  route(server, setUserRole, (input, { db, user, now }) => roles.setUserRole(db, user, input, now));
  route(server, listUserClients, ({ id }, { db, user }) => assignments.clientsOfUser(db, user, id));
  route(server, assignUser, (input, { db, user }) => assignments.assignUser(db, user, input));
  route(server, inviteUser, ({ id }, { db, user, now, request }) => {
    // the answer of a call with a key is kept, and a token never is
    if (request.headers['idempotency-key'] !== undefined) throw new ApiError({ code: 'invalid', detail: invitationMessages.keyed });
    countMade(user.id, now);
    return invitations.inviteUser(db, user, id, now);
  });
}

/** What who has an invitation may ask without a session, as seldom as they may sign in. */
export function invitationRoutes(server: Server): void {
  const { config, database } = server;
  const countAddress = signInLimiter(config.signInsPerMinute);

  route(server, lookAtInvitation, async ({ token }, { request, now }) => {
    countAddress(addressOf(request), now);
    const { email, expires_at } = await invitations.openInvitation(database.db, token, now);
    return { email, expires_at };
  });

  route(server, acceptInvitation, async ({ token, password, shared_computer: isShared = false }, { request, reply, now }) => {
    countAddress(addressOf(request), now);
    // a token that opens nothing is not worth the work that a password takes
    await invitations.openInvitation(database.db, token, now);
    const hash = await hashPassword(password);
    const tokens = await database.db.transaction((db) => invitations.acceptInvitation(db, { token, hash }, now));
    return answerTokens(reply, tokens, { isSecure: config.isSecure, isShared });
  });
}
