import { idOfScope, scopeKey } from '#replica/scopes.ts';
import type { Draft, OutboxRow } from '#replica/outbox-tables.ts';
import { type RowNoun, rowNouns } from '#replica/row-tables.ts';
import { holds } from './feed-watch.ts';
import { canaryOf, figureNouns, signOf } from './sim-server.ts';
import type { SimDevice } from './sim-device.ts';

/** A row as far as it says where it lies. */
interface PlacedRow {
  id: string;
  _scope?: string;
  client_id?: string;
  entity_id?: string;
}

/** What is pulled for a client. */
export const clientNouns: readonly RowNoun[] = ['accounts', ...figureNouns];

const ofEntity: ReadonlySet<RowNoun> = new Set(['entities', ...figureNouns]);

/** Whether a row is a place, or lies in it. */
function isIn(noun: RowNoun, row: PlacedRow, scope: string): boolean {
  const [client, entity] = [idOfScope('client', scope), idOfScope('entity', scope)];
  if (row._scope === scope) return true;
  if (client !== null) return (noun === 'clients' ? row.id : row.client_id) === client;
  return entity !== null && (ofEntity.has(noun) ? row.id : row.entity_id) === entity;
}

/** The first row kept a row per record that is a place or lies in it, in words; null where there is none. */
export function rowIn(device: SimDevice, scope: string, nouns: readonly RowNoun[] = rowNouns): string | null {
  for (const noun of nouns) {
    const row = device.disk.peek<PlacedRow>(device.rowsName, noun).find((each) => isIn(noun, each, scope));
    if (row) return `row ${row.id} of ${noun}`;
  }
  return null;
}

/** All that a browser keeps but for what a person said and typed. */
function keptApart(device: SimDevice): unknown[] {
  const { disk, outboxName } = device;
  return disk.names().flatMap((name) => (name === outboxName ? disk.peek(name, 'marks') : disk.everythingIn(name)));
}

/**
 * What a device's copy still has of a place that it knows may no longer be seen, in words; null where it has nothing. Edits of it that
 * wait, and their receipts, stay: they are what the person said.
 */
export function leftOf(device: SimDevice, scope: string): string | null {
  const row = rowIn(device, scope);
  if (row !== null) return row;
  // columns of a client may still have rows of an entity that went to another one: each is of its entity
  const entity = idOfScope('entity', scope);
  if (entity === null) return null;
  const kept = keptApart(device);
  const text = [canaryOf(entity), signOf(entity)].find((each) => holds(kept, each));
  return text === undefined ? null : `“${text}”`;
}

/** What was typed about a place that may not be seen, and that no edit is about to make, in words. */
export function strayDrafts(device: SimDevice, isSeen: (scope: string) => boolean): string[] {
  const edits = device.disk.peek<OutboxRow>(device.outboxName, 'mutations');
  const isMade = (id: string): boolean => edits.some(({ name, input }) => name.startsWith('create') && (input as PlacedRow).id === id);
  return device.disk.peek<Draft>(device.outboxName, 'drafts').flatMap(({ form_key: key, client_id: client, entity_id: entity }) => {
    const scope = entity === null ? scopeKey('client', client ?? '') : scopeKey('entity', entity);
    return isSeen(scope) || isMade(entity ?? client ?? '') ? [] : [`draft ${key}, of what may not be seen, is kept`];
  });
}
