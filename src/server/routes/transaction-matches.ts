import { ApiError } from '#contract/errors.ts';
import { countTransactionMatches, listTransactionMatches, markTransfer } from '#contract/transaction-matches.ts';
import { checkTransferMark, stateAfterMark, transferRefusals } from '#domain/transfer-matching.ts';
import { toUuid } from '#server/database/open.ts';
import { countMatches, decideMatch, listMatches } from '#server/repositories/transaction-matches.ts';
import { selectTransactions } from '#server/repositories/transactions.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function transactionMatchRoutes(server: Server): void {
  route(server, listTransactionMatches, (query, { db, user }) => listMatches(db, user, query));
  route(server, countTransactionMatches, async (query, { db, user }) => ({ count: await countMatches(db, user, query) }));
  route(server, markTransfer, async (input, { db, user, now }) => {
    const ids = [input.trx_id, ...(input.counterpart_id === null ? [] : [input.counterpart_id])];
    // who may not read a row has not seen what they would write over
    const legs = await selectTransactions(db, user, { ids, permission: ['transaction_read', 'transaction_match_write'] });
    const [ownId, otherId] = ids.map(toUuid);
    const leg = legs.find((row) => row.id === ownId);
    const counterpart = legs.find((row) => row.id === otherId) ?? null;
    if (!leg || (input.counterpart_id !== null && !counterpart)) throw new ApiError({ code: 'not_found', detail: 'Transaction not found' });
    const check = checkTransferMark(leg, counterpart);
    if (!check.ok) throw new ApiError({ code: 'invalid', detail: transferRefusals[check.reason] });
    return decideMatch(db, {
      entityId: leg.entity_id,
      outId: check.outId,
      inId: check.inId,
      state: stateAfterMark(input),
      userId: user.id,
      now,
    });
  });
}
