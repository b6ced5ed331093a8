import { listAuditEntries, listAuditPeople } from '#contract/audit.ts';
import { listAuditEntries as entriesOf, listAuditPeople as peopleOf } from '#server/repositories/audit.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function auditRoutes(server: Server): void {
  route(server, listAuditEntries, (query, { db, user }) => entriesOf(db, user, query));
  route(server, listAuditPeople, (_query, { db, user }) => peopleOf(db, user));
}
