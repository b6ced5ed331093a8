import { getAccount, listAccounts } from '#contract/accounts.ts';
import { ApiError } from '#contract/errors.ts';
import { findAccount, listAccounts as accountsOf } from '#server/repositories/accounts.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function accountRoutes(server: Server): void {
  route(server, listAccounts, (query, { db, user }) => accountsOf(db, user, query));
  route(server, getAccount, async ({ id }, { db, user }) => {
    const account = await findAccount(db, user, id, 'account_read');
    if (!account) throw new ApiError({ code: 'not_found', detail: 'Account not found' });
    return account;
  });
}
