// What the app keeps in the browser's own storages. Databases are the replica's.

/** When what is kept under a key goes by itself: a person who clears the browser's storage takes all of it. */
type Goes =
  /** The session ends, whichever way. */
  | 'session-end'
  /** The person signs out, and the copy of their rows goes, too. */
  | 'sign-out'
  /** It has been used. */
  | 'use'
  /** It is put back to what it usually is. */
  | 'reset'
  /** It holds nothing of a person's records and stays. */
  | 'never';

interface KeptKey {
  /** One per user ends in a blank and the user's id, or e-mail where nobody is signed in. */
  key: string;
  isPerUser?: true;
  /** Session storage is one tab's; local storage is all tabs'. */
  storage: 'local' | 'session';
  holds: string;
  /** The file of the app that writes it. */
  by: string;
  goes: Goes;
  /** What is of a person goes from a shared computer when the session ends, whatever else is said of it. */
  of: 'person' | 'device';
}

/** Every key of local and session storage that the app uses. @source specification section 3, local-storage keys, and what they leave open */
export const keptKeys = {
  user: {
    key: 'user',
    storage: 'local',
    holds: 'Who is signed in, with their permissions',
    by: 'session/session.ts',
    goes: 'session-end',
    of: 'person',
  },
  userId: {
    key: 'user_id',
    storage: 'local',
    holds: "The signed-in user's id",
    by: 'session/session.ts',
    goes: 'session-end',
    of: 'person',
  },
  signInId: {
    key: 'sign_in_id',
    storage: 'local',
    holds: 'A random id of the last sign-in, in any tab',
    by: 'session/session.ts',
    goes: 'session-end',
    of: 'person',
  },
  loginResponse: {
    key: 'login_response',
    storage: 'session',
    holds: 'Refresh token and when the session expires',
    by: 'session/session.ts',
    goes: 'session-end',
    of: 'person',
  },
  redirectUrl: {
    key: 'redirect_url',
    storage: 'local',
    holds: 'Where the person was when the session ended',
    by: 'session/session.ts',
    goes: 'use',
    of: 'person',
  },
  redirectOf: {
    key: 'redirect_user_id',
    storage: 'local',
    holds: 'Who was there: nobody else is led to it',
    by: 'session/session.ts',
    goes: 'use',
    of: 'person',
  },
  lastActivity: {
    key: 'last_activity_at',
    storage: 'local',
    holds: 'When any tab was last used, UTC milliseconds',
    by: 'session/use-inactivity.ts',
    goes: 'session-end',
    of: 'person',
  },
  leftAt: {
    key: 'left_at',
    storage: 'local',
    holds: 'When a tab was last closed on a shared computer, UTC milliseconds',
    by: 'session/presence.ts',
    goes: 'never',
    of: 'person',
  },
  copyRemoval: {
    key: 'remove_copy',
    storage: 'local',
    holds: 'Ids of users whose copies are to go',
    by: 'session/copy-removal.ts',
    goes: 'use',
    of: 'device',
  },
  editsRemoval: {
    key: 'remove_edits',
    storage: 'local',
    holds: 'Ids of users whose edits are to go from a shared computer',
    by: 'session/copy-removal.ts',
    goes: 'use',
    of: 'device',
  },
  copiesHere: {
    key: 'copies_here',
    storage: 'local',
    holds: 'Ids and emails of users of whom something is kept on this device, to ask whether it is to go',
    by: 'session/copies-here.ts',
    goes: 'never',
    of: 'device',
  },
  copyRemoved: {
    key: 'copy_removed',
    storage: 'local',
    holds: 'What was removed from this device at the word of the server, to be told to whoever comes to sign in',
    by: 'session/removed-note.ts',
    goes: 'use',
    of: 'device',
  },
  sharedComputer: {
    key: 'shared_computer',
    storage: 'local',
    holds: 'Whether others use this computer, too',
    by: 'session/session.ts',
    goes: 'reset',
    of: 'device',
  },
  sharedChoice: {
    key: 'shared_choice',
    storage: 'session',
    holds: 'Whether the next who signs in in the tab said that others use this computer, too',
    by: 'session/session.ts',
    goes: 'use',
    of: 'device',
  },
  sessionEnded: {
    key: 'session_ended',
    storage: 'session',
    holds: 'That the tab has shown the end of a session, and nobody signed in in it since',
    by: 'session/session.ts',
    goes: 'use',
    of: 'device',
  },
  owedSignOut: {
    key: 'sign_out_owed',
    storage: 'local',
    holds: 'Whose sign-out the server has not heard of',
    by: 'session/session.ts',
    goes: 'use',
    of: 'device',
  },
  offlineUnlock: {
    key: 'offline_unlock',
    isPerUser: true,
    storage: 'local',
    holds: 'What tells the password or passphrase of a user from others, without the network',
    by: 'session/offline-unlock.ts',
    goes: 'sign-out',
    of: 'person',
  },
  offlineDays: {
    key: 'offline_days',
    isPerUser: true,
    storage: 'local',
    holds: 'For how many days the device opens without the server having said who a user is',
    by: 'session/lease.ts',
    goes: 'reset',
    of: 'person',
  },
  offlineLease: {
    key: 'offline_lease',
    isPerUser: true,
    storage: 'local',
    holds: 'How long it has been since the server said who a user is',
    by: 'session/lease.ts',
    goes: 'sign-out',
    of: 'person',
  },
  runtimeConfig: {
    key: 'runtime_config',
    storage: 'local',
    holds: 'The last configuration the server gave',
    by: 'runtime-config.ts',
    goes: 'never',
    of: 'device',
  },
  draftsLeft: {
    key: 'drafts_left',
    storage: 'session',
    holds: 'What was typed in the moment before a page was left, until the next one has it among the drafts',
    by: 'drafts/drafts-left.ts',
    goes: 'use',
    of: 'person',
  },
  readAnewAt: {
    key: 'read_anew_at',
    storage: 'session',
    holds: 'When this tab was last read anew for another build, UTC milliseconds',
    by: 'app-update.ts',
    goes: 'never',
    of: 'device',
  },
  theme: { key: 'theme', storage: 'local', holds: 'light or dark', by: 'preferences.ts', goes: 'never', of: 'device' },
  zone: { key: 'time_zone', storage: 'local', holds: 'One of the ten time zones', by: 'preferences.ts', goes: 'never', of: 'device' },
  isMenuCollapsed: {
    key: 'menu_collapsed',
    storage: 'local',
    holds: 'Whether the menu shows icons alone',
    by: 'preferences.ts',
    goes: 'never',
    of: 'device',
  },
  isDrawerOpen: {
    key: 'menu_drawer_open',
    storage: 'local',
    holds: 'Whether the menu of a small screen is out',
    by: 'preferences.ts',
    goes: 'never',
    of: 'device',
  },
  density: { key: 'row_density', storage: 'local', holds: 'compact or comfortable', by: 'preferences.ts', goes: 'never', of: 'device' },
  negatives: {
    key: 'number_negatives',
    storage: 'local',
    holds: 'How amounts below zero show',
    by: 'preferences.ts',
    goes: 'never',
    of: 'device',
  },
  grouping: {
    key: 'number_grouping',
    storage: 'local',
    holds: 'What stands between thousands',
    by: 'preferences.ts',
    goes: 'never',
    of: 'device',
  },
  decimals: {
    key: 'number_decimals',
    storage: 'local',
    holds: 'How many decimals amounts show',
    by: 'preferences.ts',
    goes: 'never',
    of: 'device',
  },
  priceSourceId: {
    key: 'price_source_id',
    storage: 'local',
    holds: "The chosen price source's id",
    by: 'preferences.ts',
    goes: 'never',
    of: 'device',
  },
  priceSourceName: { key: 'price_source_name', storage: 'local', holds: 'Its name', by: 'preferences.ts', goes: 'never', of: 'device' },
  lastOrganization: {
    key: 'organization_id',
    storage: 'local',
    holds: 'The organization the screens were narrowed to last: the app begins with it',
    by: 'shell/organization-search.ts',
    goes: 'sign-out',
    of: 'person',
  },
  lastEntity: {
    key: 'last_entity_id',
    storage: 'local',
    holds: 'The entity one looked at last: the lists open at it',
    by: 'screens/transactions/use-scope.ts',
    goes: 'sign-out',
    of: 'person',
  },
  assetFilter: {
    key: 'transaction_asset_filter',
    storage: 'local',
    holds: 'Ids of the securities last filtered, by place',
    by: 'screens/transactions/remembered-assets.ts',
    goes: 'sign-out',
    of: 'person',
  },
  entityTransactionColumns: {
    key: 'transaction_columns_entity',
    storage: 'local',
    holds: "Columns of an entity's transactions",
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
    of: 'person',
  },
  entitiesTransactionColumns: {
    key: 'transaction_columns_entities',
    storage: 'local',
    holds: "Columns of several entities' transactions",
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
    of: 'person',
  },
  accountTransactionColumns: {
    key: 'transaction_columns_account',
    storage: 'local',
    holds: "Columns of an account's transactions",
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
    of: 'person',
  },
  homeColumns: {
    key: 'entity_columns',
    storage: 'local',
    holds: 'Columns of the list at home',
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
    of: 'person',
  },
  organizationListColumns: {
    key: 'organization_list_columns',
    storage: 'local',
    holds: 'Columns of the list of organizations',
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
    of: 'person',
  },
  clientListColumns: {
    key: 'client_list_columns',
    storage: 'local',
    holds: 'Columns of the list of clients',
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
    of: 'person',
  },
  entityListColumns: {
    key: 'entity_list_columns',
    storage: 'local',
    holds: 'Columns of the list of entities',
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
    of: 'person',
  },
  userListColumns: {
    key: 'user_list_columns',
    storage: 'local',
    holds: 'Columns of the list of users',
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
    of: 'person',
  },
  recents: {
    key: 'palette_recents',
    isPerUser: true,
    storage: 'local',
    holds: 'Ids of what one last went to by the palette',
    by: 'palette/recents.ts',
    goes: 'sign-out',
    of: 'person',
  },
  installMark: {
    key: 'install_mark',
    isPerUser: true,
    storage: 'local',
    holds: 'The mark that the databases of a user bear, to notice when a browser cleared them',
    by: 'cleared-storage.ts',
    goes: 'never',
    of: 'person',
  },
  editsWaiting: {
    key: 'edits_waiting',
    isPerUser: true,
    storage: 'local',
    holds: 'How many edits waited, and when',
    by: 'cleared-storage.ts',
    goes: 'never',
    of: 'person',
  },
  editsLost: {
    key: 'edits_lost',
    isPerUser: true,
    storage: 'local',
    holds: 'A loss of edits the person has not read of yet',
    by: 'cleared-storage.ts',
    goes: 'use',
    of: 'person',
  },
} as const satisfies Readonly<Record<string, KeptKey>>;

type Table = typeof keptKeys;
type KeyOf<Row> = Row extends { isPerUser: true; key: infer K extends string }
  ? `${K} ${string}`
  : Row extends { key: infer K }
    ? K
    : never;
type RowIn<S extends KeptKey['storage']> = Extract<Table[keyof Table], { storage: S }>;

/** What may stand in a storage: nothing that is not in the table. */
export type LocalKey = KeyOf<RowIn<'local'>>;
export type SessionKey = KeyOf<RowIn<'session'>>;

interface Kept<Key> {
  getItem: (key: Key) => string | null;
  setItem: (key: Key, value: string) => void;
  removeItem: (key: Key) => void;
}

/** The browser's storages as the app sees them: by the keys of the table alone. */
export type LocalStorage = Kept<LocalKey>;
export type TabStorage = Kept<SessionKey>;

/** The key under which something of one user is kept. */
export function keyOfUser<K extends string>(row: { key: K; isPerUser: true }, userId: string): `${K} ${string}` {
  return `${row.key} ${userId}`;
}

/** The row of the table a key of a storage belongs to. */
export function rowOfKey(key: string): KeptKey | undefined {
  const rows: readonly KeptKey[] = Object.values(keptKeys);
  return rows.find((row) => (row.isPerUser ? key.startsWith(`${row.key} `) : key === row.key));
}

/** Takes away what a person leaves behind in local storage who signs out; what the browser is set to stays. */
export function forgetTraces(local: LocalStorage, userId: string): void {
  const { lastOrganization, lastEntity, assetFilter, recents, offlineLease } = keptKeys;
  const ofUser = [keyOfUser(recents, userId), keyOfUser(offlineLease, userId)] as const;
  const traces = [lastOrganization.key, lastEntity.key, assetFilter.key, ...ofUser] as const;
  for (const key of traces) local.removeItem(key);
}

/** Takes away all that local storage has of a person. */
export function forgetPerson(local: LocalStorage, userId: string): void {
  for (const row of Object.values(keptKeys))
    if (row.of === 'person' && row.storage === 'local') local.removeItem('isPerUser' in row ? keyOfUser(row, userId) : row.key);
}

/** The same of what is kept for them alone: what may be of somebody else stays. */
export function forgetOwn(local: LocalStorage, userId: string): void {
  for (const row of Object.values(keptKeys))
    if (row.of === 'person' && row.storage === 'local' && 'isPerUser' in row) local.removeItem(keyOfUser(row, userId));
}
