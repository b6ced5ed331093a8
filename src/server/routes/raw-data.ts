import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Account } from '#contract/accounts.ts';
import { ApiError } from '#contract/errors.ts';
import { importFile, listImportProfiles, listRawData } from '#contract/raw-data.ts';
import type { ParsedFile } from '#server/imports/imported-row.ts';
import { profiles } from '#server/imports/profiles.ts';
import { readInThread } from '#server/imports/read-in-thread.ts';
import { findAccount } from '#server/repositories/accounts.ts';
import { importRows, listRawData as rawDataOf } from '#server/repositories/raw-data.ts';
import { type Prepared, route, type SignedInCall } from '#server/route.ts';
import type { Server } from '#server/server.ts';

interface Upload {
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

function refusedFile(msg: string): ApiError {
  return new ApiError({ code: 'invalid', detail: [{ loc: ['body', 'file'], msg, type: 'unreadable_file' }] });
}

/** The one file of an upload, whole. An upload that broke off is refused and nothing waits for the rest. */
async function uploadedFile(request: FastifyRequest): Promise<{ name: string; bytes: Uint8Array }> {
  if (!request.isMultipart())
    throw new ApiError({ code: 'unsupported', detail: 'Send the file as multipart/form-data, in a part named file' });
  const broken = 'The upload is not complete. Send the file again.';
  // a client that has left sends no further event: waiting for one would be for ever
  if (request.raw.destroyed) throw refusedFile(broken);
  let found: { name: string; bytes: Uint8Array } | undefined;
  try {
    for await (const part of request.files()) {
      if (part.fieldname !== 'file') throw refusedFile('Send the file in a part named file');
      const name = (part.filename ?? 'file').replace(/\p{Cc}/gu, '').slice(0, 200);
      found = { name, bytes: await part.toBuffer() };
    }
  } catch (error) {
    const { statusCode } = error as { statusCode?: number };
    if (error instanceof ApiError || statusCode === 413) throw error;
    throw refusedFile(broken);
  }
  if (!found) throw refusedFile('Choose a file to import');
  return found;
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
    call: SignedInCall,
  ): Promise<Prepared<Upload>> => {
    const account = await accountOf(account_id, call);
    const { name, bytes } = await uploadedFile(call.request);
    const defaultSymbol = assetOf(account);
    const read = await readInThread(bytes, name, {
      ...(profile_id === undefined ? {} : { profileId: profile_id }),
      ...(defaultSymbol === undefined ? {} : { defaultSymbol }),
    });
    if (!read.ok) throw refusedFile(read.reason);
    return { value: { name, file: read.file }, fingerprint: createHash('sha256').update(name).update('\0').update(bytes).digest('hex') };
  };
  route(
    server,
    importFile,
    async ({ account_id }, call, { name, file }: Upload) => {
      const account = await accountOf(account_id, call);
      const place = { account_id: account.id, entity_id: account.entity_id, custodian_id: account.custodian_id };
      return importRows(call.db, { place, file, fileName: name, now: call.now });
    },
    prepare,
  );
}
