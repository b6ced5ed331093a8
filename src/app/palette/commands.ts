import type { PermissionKey, PermissionMap } from '#contract/permissions.ts';
import { isAllowed } from '#domain/permissions.ts';
import { appKeys } from '#app/app-keys.ts';
import { menuEntriesFor } from '#app/shell/menu-entries.ts';
import type { Entry } from './search.ts';

interface User {
  is_superuser: boolean;
  permissions: PermissionMap;
}

interface Command<Id extends string> {
  id: Id;
  name: string;
  also?: string;
  /** Everybody who is signed in may where there is none. */
  key?: PermissionKey;
  keys?: readonly string[];
}

/** Screens that the side menu does not name; those it names are here by themselves. */
const screens = [
  { id: '/entities', name: 'Entities', key: 'entity_read' },
  { id: '/transactions', name: 'Transactions', key: 'transaction_read', also: 'list grid' },
  { id: '/outbox', name: 'Outbox', also: 'edits that wait, conflicts' },
  { id: '/settings', name: 'Settings', also: 'preferences theme time zone numbers storage about licences' },
] as const satisfies readonly Command<string>[];

/** What can be done from anywhere. */
const actions = [
  { id: 'create-client', name: 'Create Client', key: 'client_write', also: 'new add' },
  { id: 'create-entity', name: 'Create Entity', key: 'entity_write', also: 'new add' },
  { id: 'import-file', name: 'Import file', key: 'raw_data_write', also: 'upload csv ofx qfx account' },
  { id: 'sync-now', name: 'Sync now', also: 'refresh update' },
  { id: 'switch-theme', name: 'Switch theme', also: 'dark light colours' },
  { id: 'show-shortcuts', name: appKeys.shortcuts.words, keys: appKeys.shortcuts.keys, also: 'keys help' },
  { id: 'sign-out', name: 'Sign Out', also: 'log out leave' },
] as const satisfies readonly Command<string>[];

export type ActionId = (typeof actions)[number]['id'];

/** The screens and actions a user may see. @param organizations how many the user has access to. */
export function commandsFor(user: User, organizations: number): Entry[] {
  const may = ({ key }: Command<string>): boolean => key === undefined || isAllowed(user, { anyOf: [key] });
  const ofMenu = menuEntriesFor(user, organizations).map(({ to, label }): Command<string> => ({ id: to, name: label }));
  const entries = (kind: 'screen' | 'action', commands: readonly Command<string>[]): Entry[] =>
    commands.filter(may).map(({ key: _key, ...command }) => ({ ...command, key: `${kind} ${command.id}`, kind, place: '' }));
  return [...entries('screen', [...ofMenu, ...screens]), ...entries('action', actions)];
}

export function isAction(id: string): id is ActionId {
  return actions.some((action) => action.id === id);
}
