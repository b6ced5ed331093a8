import { getCustodian, listCustodians, listCustodianTypes } from '#contract/custodians.ts';
import { ApiError } from '#contract/errors.ts';
import { listCustodians as custodiansOf, listCustodianTypes as custodianTypesOf, findCustodian } from '#server/repositories/custodians.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function custodianRoutes(server: Server): void {
  route(server, listCustodians, (query, { db }) => custodiansOf(db, query));
  route(server, listCustodianTypes, (_query, { db }) => custodianTypesOf(db));
  route(server, getCustodian, async ({ id }, { db }) => {
    const custodian = await findCustodian(db, id);
    if (!custodian) throw new ApiError({ code: 'not_found', detail: 'Custodian not found' });
    return custodian;
  });
}
