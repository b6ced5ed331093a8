import type { Account } from '#contract/accounts.ts';
import { ApiError } from '#contract/errors.ts';
import { importFile, listImportProfiles, listRawData } from '#contract/raw-data.ts';
import type { ParsedFile } from '#server/imports/imported-row.ts';
import { profiles } from '#server/imports/profiles.ts';
import { readInThread } from '#server/imports/read-in-thread.ts';
import { findAccount } from '#server/repositories/accounts.ts';
import { importRows, listRawData as rawDataOf } from '#server/repositories/raw-data.ts';
import { route, type SignedInCall, type UploadCall } from '#server/route.ts';
import type { Server } from '#server/server.ts';
import { refusedFile } from '#server/uploads.ts';

interface ReadFile {
  name: string;
  file: ParsedFile;
}

/** Coins of the chains whose wallets hold one asset above all, by the chain's name. */
const nativeAssets: ReadonlyMap<string, string> = new Map([
  ['bitcoin', 'BTC'],
  ['ethereum', 'ETH'],
  ['solana', 'SOL'],
]);

/** What an account holds where a file does not say: the currency of a bank account, the coin of a chain. */
function assetOf(account: Account): string | undefined {
  if (typeof account.currency === 'string') return account.currency;
  return account.blockchain === null ? undefined : nativeAssets.get(account.blockchain.toLowerCase());
}

async function accountOf(id: string, { db, user }: SignedInCall): Promise<Account> {
  const account = await findAccount(db, user, id, 'raw_data_write');
  if (!account) throw new ApiError({ code: 'not_found', detail: 'Account not found' });
  return account;
}

export function rawDataRoutes(server: Server): void {
  route(server, listRawData, (query, { db, user }) => rawDataOf(db, user, query));
  route(server, listImportProfiles, async () =>
    profiles.map(({ id, name, version, columns }) => ({ id, name, version, columns: [...columns] })),
  );

  const prepare = async (
    { account_id, profile_id }: { account_id: string; profile_id?: string | undefined },
    call: UploadCall,
  ): Promise<ReadFile> => {
    const account = await accountOf(account_id, call);
    const { name, bytes } = call.upload;
    const defaultSymbol = assetOf(account);
    const read = await readInThread(bytes, name, {
      ...(profile_id === undefined ? {} : { profileId: profile_id }),
      ...(defaultSymbol === undefined ? {} : { defaultSymbol }),
    });
    if (!read.ok) throw refusedFile(read.reason);
    return { name, file: read.file };
  };
  route(
    server,
    importFile,
    async ({ account_id }, call, { name, file }: ReadFile) => {
      const account = await accountOf(account_id, call);
      const place = { account_id: account.id, entity_id: account.entity_id, custodian_id: account.custodian_id };
      return importRows(call.db, { place, file, fileName: name, now: call.now });
    },
    prepare,
  );
}
