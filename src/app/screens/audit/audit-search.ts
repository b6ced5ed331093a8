import { auditActionSchema, auditedNounSchema, type listAuditEntries } from '#contract/audit.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { isDay, momentsOf, type TimeZone } from '#domain/dates.ts';

/** The filter as the address holds it: plain text, absent where nothing is chosen. */
export interface AuditSearch {
  /** Id of who made the change. */
  who?: string;
  noun?: string;
  action?: string;
  /** Days in the zone of the preferences, both included. */
  from?: string;
  to?: string;
  client?: string;
  entity?: string;
  /** One row's history; parts of a compound key have blanks between them. */
  row?: string;
}

export type AuditSearchChange = { [Key in keyof AuditSearch]: AuditSearch[Key] | undefined };

const isId = (text: string): boolean => /^[\w.:-]{1,64}$/.test(text);

const readers: Readonly<Record<keyof AuditSearch, (text: string) => boolean>> = {
  who: isId,
  noun: (text) => auditedNounSchema.safeParse(text).success,
  action: (text) => auditActionSchema.safeParse(text).success,
  from: isDay,
  to: isDay,
  client: isId,
  entity: isId,
  row: (text) => text.split(' ').every(isId) && text.length <= 200,
};

/** Reads an address's filter, whatever it holds: unknown names and values nobody can read are left out and named. */
export function readAuditSearch(raw: Record<string, unknown>): { search: AuditSearch; dropped: string[] } {
  const given = Object.entries(raw).filter(([, value]) => value !== undefined && value !== '');
  const isRead = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(readers, name) && typeof value === 'string' && readers[name as keyof AuditSearch](value);
  const search: AuditSearch = Object.fromEntries(given.filter(isRead));
  const dropped = given.filter((entry) => !isRead(entry)).map(([name]) => name);
  if (search.from === undefined || search.to === undefined || search.from <= search.to) return { search, dropped };
  const { from: _from, to: _to, ...rest } = search;
  return { search: rest, dropped: [...dropped, 'from', 'to'] };
}

/** What the server is asked for. */
export function auditQuery(search: AuditSearch, zone: TimeZone): InputOf<typeof listAuditEntries> {
  const { from, to } = momentsOf(search, zone);
  return {
    user_id: search.who,
    noun: auditedNounSchema.optional().catch(undefined).parse(search.noun),
    action: auditActionSchema.optional().catch(undefined).parse(search.action),
    client_id: search.client,
    entity_id: search.entity,
    row_id: search.row,
    start_date: from === undefined ? undefined : new Date(from).toISOString(),
    end_date: to === undefined ? undefined : new Date(to).toISOString(),
  };
}

/** Days one of which was chosen anew: one beyond the other end moves that end along. */
export function daysChange(search: AuditSearch, change: Pick<AuditSearchChange, 'from' | 'to'>): AuditSearchChange {
  const next = { from: search.from, to: search.to, ...change };
  if (next.from === undefined || next.to === undefined || next.from <= next.to) return next;
  return change.from === undefined ? { from: next.to, to: next.to } : { from: next.from, to: next.from };
}

export const noAuditFilters: AuditSearchChange = Object.fromEntries(Object.keys(readers).map((name) => [name, undefined]));

export function isFiltered(search: AuditSearch): boolean {
  return Object.keys(search).length > 0;
}
