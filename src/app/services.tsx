import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { ApiCall } from '#api-client/call.ts';
import type { Me } from '#contract/session.ts';
import type { RuntimeConfig } from '#contract/system.ts';
import type { RemoteEngine } from '#workers/start.ts';
import type { DraftStore } from './drafts/draft-store.ts';
import type { ExportStore } from './export-store.ts';
import type { LocalStorage } from './kept-keys.ts';
import type { IconBadge } from './icon-badge.ts';
import type { NoticeStore } from './notice-store.ts';
import type { PreferenceStore } from './preferences.ts';
import type { ReplicaHolder } from './replica-holder.ts';
import type { Session } from './session/session.ts';
import type { AppUpdate } from './app-update.ts';

/** Everything a screen needs of the world around it, handed down from `main.tsx`; a test builds its own. */
export interface Services {
  call: ApiCall;
  engine: RemoteEngine;
  /** Resolves once the engine answers nothing any more. */
  engineEnded: Promise<void>;
  config: RuntimeConfig;
  /** Absolute address of the API, without a trailing slash. */
  apiBaseUrl: string;
  hostName: string;
  version: string;
  /** Its keyboard has names of its own. */
  isMac: boolean;
  clock: () => number;
  /** Kept by the browser across visits, shared by all tabs. */
  local: LocalStorage;
  /** Null where the browser has no locks; then only one tab refreshes at a time by chance. */
  locks: LockManager | null;
  session: Session;
  preferences: PreferenceStore;
  replica: ReplicaHolder;
  notices: NoticeStore;
  exports: ExportStore;
  drafts: DraftStore;
  queries: QueryClient;
  update: AppUpdate;
  icon: IconBadge;
  /** Writes down what nobody is told of. */
  log: (text: string) => void;
  /** Leaves the app for an address elsewhere. */
  visit: (url: string) => void;
  /** Remembers the place and goes to `/logout`. */
  leave: (error?: string) => void;
  /** The same, where the server says that the session is over. */
  endedByServer: () => void;
}

const ServicesContext = createContext<Services | null>(null);
export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('No services were handed down');
  return services;
}

const UserContext = createContext<Me | null>(null);
export const UserProvider = UserContext.Provider;

/** The signed-in user; null outside the signed-in shell. */
export function useUserIfAny(): Me | null {
  return useContext(UserContext);
}

/** The signed-in user, inside the signed-in shell. */
export function useUser(): Me {
  const user = useUserIfAny();
  if (!user) throw new Error('Nobody is signed in here');
  return user;
}
