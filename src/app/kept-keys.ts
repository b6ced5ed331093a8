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
  /** One per user ends in a blank and the user's id. */
  key: string;
  isPerUser?: true;
  /** Session storage is one tab's; local storage is all tabs'. */
  storage: 'local' | 'session';
  holds: string;
  /** The file of the app that writes it. */
  by: string;
  goes: Goes;
}

/** Every key of local and session storage that the app uses. @source specification section 3, local-storage keys, and what they leave open */
export const keptKeys = {
  user: { key: 'user', storage: 'local', holds: 'Who is signed in, with their permissions', by: 'session/session.ts', goes: 'session-end' },
  userId: { key: 'user_id', storage: 'local', holds: "The signed-in user's id", by: 'session/session.ts', goes: 'session-end' },
  loginResponse: {
    key: 'login_response',
    storage: 'session',
    holds: 'Refresh token and when the session expires',
    by: 'session/session.ts',
    goes: 'session-end',
  },
  redirectUrl: {
    key: 'redirect_url',
    storage: 'local',
    holds: 'Where the person was when the session ended',
    by: 'session/session.ts',
    goes: 'use',
  },
  lastActivity: {
    key: 'last_activity_at',
    storage: 'local',
    holds: 'When any tab was last used, UTC milliseconds',
    by: 'session/use-inactivity.ts',
    goes: 'never',
  },
  removal: {
    key: 'remove_copy',
    storage: 'local',
    holds: 'Ids of users whose copies are to go',
    by: 'session/copy-removal.ts',
    goes: 'use',
  },
  runtimeConfig: {
    key: 'runtime_config',
    storage: 'local',
    holds: 'The last configuration the server gave',
    by: 'runtime-config.ts',
    goes: 'never',
  },
  theme: { key: 'theme', storage: 'local', holds: 'light or dark', by: 'preferences.ts', goes: 'never' },
  zone: { key: 'time_zone', storage: 'local', holds: 'One of the ten time zones', by: 'preferences.ts', goes: 'never' },
  isMenuCollapsed: {
    key: 'menu_collapsed',
    storage: 'local',
    holds: 'Whether the menu shows icons alone',
    by: 'preferences.ts',
    goes: 'never',
  },
  density: { key: 'row_density', storage: 'local', holds: 'compact or comfortable', by: 'preferences.ts', goes: 'never' },
  negatives: { key: 'number_negatives', storage: 'local', holds: 'How amounts below zero show', by: 'preferences.ts', goes: 'never' },
  grouping: { key: 'number_grouping', storage: 'local', holds: 'What stands between thousands', by: 'preferences.ts', goes: 'never' },
  decimals: { key: 'number_decimals', storage: 'local', holds: 'How many decimals amounts show', by: 'preferences.ts', goes: 'never' },
  priceSourceId: { key: 'price_source_id', storage: 'local', holds: "The chosen price source's id", by: 'preferences.ts', goes: 'never' },
  priceSourceName: { key: 'price_source_name', storage: 'local', holds: 'Its name', by: 'preferences.ts', goes: 'never' },
  lastEntity: {
    key: 'last_entity_id',
    storage: 'local',
    holds: 'The entity one looked at last: the lists open at it',
    by: 'screens/transactions/use-scope.ts',
    goes: 'sign-out',
  },
  assetFilter: {
    key: 'transaction_asset_filter',
    storage: 'local',
    holds: 'Ids of the securities last filtered, by place',
    by: 'screens/transactions/remembered-assets.ts',
    goes: 'sign-out',
  },
  entityTransactionColumns: {
    key: 'transaction_columns_entity',
    storage: 'local',
    holds: "Columns of an entity's transactions",
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
  },
  entitiesTransactionColumns: {
    key: 'transaction_columns_entities',
    storage: 'local',
    holds: "Columns of several entities' transactions",
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
  },
  accountTransactionColumns: {
    key: 'transaction_columns_account',
    storage: 'local',
    holds: "Columns of an account's transactions",
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
  },
  homeColumns: {
    key: 'entity_columns',
    storage: 'local',
    holds: 'Columns of the list at home',
    by: 'ui/grid/layout-store.ts',
    goes: 'reset',
  },
  recents: {
    key: 'palette_recents',
    isPerUser: true,
    storage: 'local',
    holds: 'Ids of what one last went to by the palette',
    by: 'palette/recents.ts',
    goes: 'sign-out',
  },
  installMark: {
    key: 'install_mark',
    isPerUser: true,
    storage: 'local',
    holds: 'The mark that the databases of a user bear, to notice when a browser cleared them',
    by: 'cleared-storage.ts',
    goes: 'never',
  },
  editsWaiting: {
    key: 'edits_waiting',
    isPerUser: true,
    storage: 'local',
    holds: 'How many edits waited, and when',
    by: 'cleared-storage.ts',
    goes: 'never',
  },
  editsLost: {
    key: 'edits_lost',
    isPerUser: true,
    storage: 'local',
    holds: 'A loss of edits the person has not read of yet',
    by: 'cleared-storage.ts',
    goes: 'use',
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
  const { lastEntity, assetFilter, recents } = keptKeys;
  for (const key of [lastEntity.key, assetFilter.key, keyOfUser(recents, userId)] as const) local.removeItem(key);
}
