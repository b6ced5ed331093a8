import { defaultRoles } from '#domain/permissions.ts';
import type { Db } from '#server/database/open.ts';
import { accountingSystems, allocationMethods, custodianTypes, custodians } from '#server/database/tables/places.ts';
import { securities, securityTypes } from '#server/database/tables/securities.ts';
import { roles } from '#server/database/tables/users.ts';
import { stableId } from './ids.ts';
import { closedCustodians, referenceCustodianNames, referenceCustodianTypes } from './reference-custodians.ts';
import { referenceSecurityNames, referenceSecurityTypes } from './reference-securities.ts';

/** The id of a reference security, the same in every database. */
export function securityIdOf(ticker: string): string {
  return stableId('security', ticker);
}

/** The id of a reference custodian, the same in every database. */
export function custodianIdOf(name: string): string {
  return stableId('custodian', name);
}

const knownSystems = [
  { id: 1, name: 'Default' },
  { id: 2, name: 'AT Web' },
  { id: 3, name: 'Titan' },
] as const;

/** How a holding's lots are taken: first in, last in, highest cost, lowest cost first; at the average; or as somebody says. */
const knownMethods = ['FIFO', 'LIFO', 'HIFO', 'LOFO', 'Average cost', 'Specific identification'].map((name, at) => ({
  id: at + 1,
  name,
}));

export const referenceSecurities = referenceSecurityTypes.flatMap(({ id: typeId }) =>
  Object.entries(referenceSecurityNames[typeId]).map(([ticker, name]) => ({
    id: securityIdOf(ticker),
    security_name: name,
    security_type_id: typeId,
    ticker,
  })),
);

export const referenceCustodians = referenceCustodianTypes.flatMap(({ id: typeId }) =>
  referenceCustodianNames[typeId].map((name) => ({
    id: custodianIdOf(name),
    custodian_name: name,
    custodian_type_id: typeId,
    active: !closedCustodians.has(name),
  })),
);

/**
 * Writes the rows every database needs: kinds, accounting systems, roles, known securities and custodians.
 * Adds what is missing and leaves what is there, so it may run at every start and keeps what people edited.
 */
export async function seedReference(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .insert(custodianTypes)
      .values([...referenceCustodianTypes])
      .onConflictDoNothing();
    await tx
      .insert(securityTypes)
      .values([...referenceSecurityTypes])
      .onConflictDoNothing();
    await tx
      .insert(accountingSystems)
      .values([...knownSystems])
      .onConflictDoNothing();
    await tx.insert(allocationMethods).values(knownMethods).onConflictDoNothing();
    await tx
      .insert(roles)
      .values(defaultRoles.map((role) => ({ ...role, permissions: [...role.permissions] })))
      .onConflictDoNothing();
    await tx.insert(securities).values(referenceSecurities).onConflictDoNothing();
    await tx.insert(custodians).values(referenceCustodians).onConflictDoNothing();
  });
}
