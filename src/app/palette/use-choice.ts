import { useNavigate } from '@tanstack/react-router';
import { useHasNetwork } from '#app/engine-status.tsx';
import { textOfError } from '#app/notices.tsx';
import { useServices, useUser } from '#app/services.tsx';
import { type ActionId, isAction } from './commands.ts';
import { rememberRecent } from './recents.ts';
import type { Entry } from './search.ts';

/** An action that asks for something in a dialog of its own. */
export type Asking = Extract<ActionId, 'create-client' | 'import-file' | 'show-shortcuts' | 'sign-out'>;

/** Does what an entry is for. @param ask opens the dialog of an action. */
export function useChoice(ask: (what: Asking) => void): (entry: Entry) => void {
  const { engine, notices, preferences, local } = useServices();
  const user = useUser();
  const hasNetwork = useHasNetwork();
  const navigate = useNavigate();
  const acts: Readonly<Record<ActionId, () => void>> = {
    'create-client': () => ask('create-client'),
    'create-entity': () => void navigate({ to: '/entities/new' }),
    'import-file': () => ask('import-file'),
    'sync-now': () =>
      hasNetwork
        ? void engine.syncNow().catch((error: unknown) => notices.notice('error', textOfError(error)))
        : notices.notice('info', 'There is no network. Syncing goes on by itself when it is back.'),
    'switch-theme': () => preferences.set({ theme: preferences.snapshot().theme === 'dark' ? 'light' : 'dark' }),
    'show-shortcuts': () => ask('show-shortcuts'),
    'sign-out': () => ask('sign-out'),
  };
  return ({ key, kind, id, entityId }) => {
    if (id !== 'sign-out') rememberRecent(local, user.id, key);
    switch (kind) {
      case 'screen':
        void navigate({ to: id });
        break;
      case 'action':
        if (isAction(id)) acts[id]();
        break;
      case 'client':
        void navigate({ to: '/entities', search: { client: id } });
        break;
      case 'entity':
        void navigate({ to: '/entities/$entityId', params: { entityId: id } });
        break;
      case 'account':
        void navigate({ to: '/transactions', search: { ...(entityId === undefined ? {} : { entity: entityId }), account: id } });
        break;
    }
  };
}
