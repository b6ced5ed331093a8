import { v5 } from 'uuid';

const namespace = '6f0d7c0e-52f2-5b0a-9d0e-8a3f5b7c1d21';

/**
 * The id under which an asset of a client is archived: one for the two, so that whoever archives it, on whatever device and without a
 * network, speaks of one row, and nobody can take the id of somebody else's.
 */
export function archivedAssetId(clientId: string, securityId: string): string {
  return v5(`${clientId.toLowerCase()} ${securityId.toLowerCase()}`, namespace);
}
