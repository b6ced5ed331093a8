import type { FastifyRequest } from 'fastify';
import type { Account } from '#contract/accounts.ts';
import { ApiError } from '#contract/errors.ts';
import { importFile, listImportProfiles, listRawData } from '#contract/raw-data.ts';
import { profiles } from '#server/imports/profiles.ts';
import { readImport } from '#server/imports/read-file.ts';
import { findAccount } from '#server/repositories/accounts.ts';
import { importRows, listRawData as rawDataOf } from '#server/repositories/raw-data.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

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

async function uploadedFile(request: FastifyRequest): Promise<{ name: string; bytes: Uint8Array }> {
  if (!request.isMultipart())
    throw new ApiError({ code: 'unsupported', detail: 'Send the file as multipart/form-data, in a part named file' });
  const part = await request.file();
  if (!part) throw new ApiError({ code: 'invalid', detail: [{ loc: ['body', 'file'], msg: 'Choose a file to import', type: 'missing' }] });
  return { name: part.filename.slice(0, 200), bytes: await part.toBuffer() };
}

export function rawDataRoutes(server: Server): void {
  route(server, listRawData, (query, { db, user }) => rawDataOf(db, user, query));
  route(server, listImportProfiles, async () =>
    profiles.map(({ id, name, version, columns }) => ({ id, name, version, columns: [...columns] })),
  );
  route(server, importFile, async ({ account_id, profile_id }, { db, user, now, request }) => {
    const account = await findAccount(db, user, account_id, 'raw_data_write');
    if (!account) throw new ApiError({ code: 'not_found', detail: 'Account not found' });
    const { name, bytes } = await uploadedFile(request);
    const defaultSymbol = assetOf(account);
    const read = readImport(bytes, name, {
      ...(profile_id === undefined ? {} : { profileId: profile_id }),
      ...(defaultSymbol === undefined ? {} : { defaultSymbol }),
    });
    if (!read.ok) throw new ApiError({ code: 'invalid', detail: [{ loc: ['body', 'file'], msg: read.reason, type: 'unreadable_file' }] });
    const place = { account_id: account.id, entity_id: account.entity_id, custodian_id: account.custodian_id };
    return importRows(db, { place, file: read.file, fileName: name, now });
  });
}
