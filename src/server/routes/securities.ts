import { ApiError } from '#contract/errors.ts';
import { getSecurity, listSecurities, listSecurityTypes } from '#contract/securities.ts';
import { findSecurity, listSecurities as securitiesOf, listSecurityTypes as securityTypesOf } from '#server/repositories/securities.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function securityRoutes(server: Server): void {
  route(server, listSecurities, (query, { db }) => securitiesOf(db, query));
  route(server, listSecurityTypes, (_query, { db }) => securityTypesOf(db));
  route(server, getSecurity, async ({ security_ticker, security_type_id }, { db }) => {
    const security = await findSecurity(db, security_ticker, security_type_id);
    if (!security) throw new ApiError({ code: 'not_found', detail: 'Security not found' });
    return security;
  });
}
