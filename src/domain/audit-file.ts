import type { AuditEntry } from '#contract/audit.ts';
import { actionWord, type AuditChange, type AuditNames, changesOf, entryWords, nounWord, personWords } from './audit-words.ts';
import { formatDate, type TimeZone } from './dates.ts';

/** The heads of the file's columns. */
export function auditHeads(zone: TimeZone): string[] {
  return [`When (${zone})`, 'Moment (UTC)', 'Who', 'What', 'Action', 'Kind', 'Client', 'Entity', 'Before', 'After', 'Row', 'Entry'];
}

function sideOf(changes: readonly AuditChange[], side: 'before' | 'after'): string {
  return changes.flatMap((change) => (change[side] === null ? [] : [`${change.label}: ${change[side]}`])).join('; ');
}

/** An entry as a line of the file: everything the screen says of it, whole. */
export function auditCells(entry: AuditEntry, names: AuditNames): string[] {
  const changes = changesOf(entry, names);
  return [
    formatDate(Date.parse(entry.at), names.zone),
    entry.at,
    personWords(entry),
    entryWords(entry),
    actionWord(entry.action),
    nounWord(entry.noun),
    entry.client_name ?? '',
    entry.entity_name ?? '',
    sideOf(changes, 'before'),
    sideOf(changes, 'after'),
    entry.row_id,
    entry.id,
  ];
}

/** `audit-trail-<from>-<to>.csv`; an open end says so in words. */
export function auditFileName({ from, to }: { from?: string | undefined; to?: string | undefined }): string {
  const span = from === undefined && to === undefined ? 'all-dates' : `${from ?? 'until'}-${to ?? 'onwards'}`;
  return `audit-trail-${span}.csv`;
}
