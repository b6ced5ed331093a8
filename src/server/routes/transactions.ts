import { listTransactions, listTransactionTypeGroups, selectTransactions } from '#contract/transactions.ts';
import { typeCategories, typeName } from '#domain/transaction-types.ts';
import { listTransactions as transactionsOf, selectTransactions as transactionsById } from '#server/repositories/transactions.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function transactionRoutes(server: Server): void {
  route(server, listTransactions, (query, { db, user }) => transactionsOf(db, user, query));
  route(server, selectTransactions, (query, { db, user }) =>
    transactionsById(db, user, { ids: query.trx_id ?? [], typeId: query.primary_trx_type_id, accountId: query.account_id }),
  );
  route(server, listTransactionTypeGroups, async () =>
    typeCategories.map(({ id, name, typeIds }) => ({ id, name, types: typeIds.map((typeId) => ({ id: typeId, name: typeName(typeId) })) })),
  );
}
