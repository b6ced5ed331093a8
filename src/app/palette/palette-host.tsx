import { lazy, Suspense, useState } from 'react';
import type { Account } from '#contract/accounts.ts';
import { appKeys } from '#app/app-keys.ts';
import { useServices, useUser } from '#app/services.tsx';
import { SignOutDialog, useBeginSignOut } from '#app/session/sign-out-dialog.tsx';
import { ShortcutSheet } from '#app/shell/shortcut-sheet.tsx';
import { useKey } from '#app/ui/use-key.ts';
import { CreateClient } from './create-client.tsx';
import { accountFindsOf, findsOf } from './finds.ts';
import { createIndexer, type Indexer } from './indexer.ts';
import { Palette } from './palette.tsx';
import { recentKeys } from './recents.ts';
import type { Entry } from './search.ts';
import { type Asking, useChoice } from './use-choice.ts';
import { useEntries } from './use-entries.ts';

const ImportDialog = lazy(() =>
  import('#app/screens/entities/import-dialog.tsx').then(({ ImportDialog: component }) => ({ default: component })),
);

/** What is open: the search, what an action asks for, or the account a file goes into. */
export type Opened = 'search' | Asking | { importInto: Account };

interface SearchProps<Choice> {
  indexer: Indexer;
  onChoose: (choice: Choice) => void;
  onClose: () => void;
}

function SearchEverything({ indexer, ...rest }: SearchProps<Entry>) {
  const { local } = useServices();
  const user = useUser();
  const entries = useEntries(indexer);
  const [recents] = useState(() => recentKeys(local, user.id));
  return (
    <Palette
      title="Search everything"
      hint="Client, entity, account, screen or action"
      findsOf={(text) => findsOf(entries, text, recents)}
      isReading={!entries.isRead}
      {...rest}
    />
  );
}

/** Asks for the account a file goes into. */
function SearchAccount({ indexer, onChoose, onClose }: SearchProps<Account | undefined>) {
  const entries = useEntries(indexer);
  return (
    <Palette
      title="Import file: into which account?"
      hint="Account to import a file into"
      findsOf={(text) => accountFindsOf(entries, text)}
      isReading={!entries.isRead}
      onChoose={({ id }) => onChoose(entries.account(id))}
      onClose={onClose}
    />
  );
}

interface PaletteHostProps {
  opened: Opened | null;
  onOpen: (what: Opened | null) => void;
}

/** The search over everything, the list of shortcuts, and what its actions ask for; with the keys that open them anywhere. */
export function PaletteHost({ opened, onOpen }: PaletteHostProps) {
  const [indexer] = useState(createIndexer);
  const beginSignOut = useBeginSignOut(() => onOpen('sign-out'));
  const close = (): void => onOpen(null);
  const choose = useChoice((what) => {
    if (what === 'sign-out') beginSignOut();
    else onOpen(what);
  });
  useKey(appKeys.palette, () => onOpen('search'), { whileTyping: true });
  useKey(appKeys.shortcuts, () => onOpen('show-shortcuts'));
  return (
    <>
      {opened === 'search' ? (
        <SearchEverything
          indexer={indexer}
          onClose={close}
          onChoose={(entry) => {
            close();
            choose(entry);
          }}
        />
      ) : null}
      {opened === 'import-file' ? (
        <SearchAccount indexer={indexer} onClose={close} onChoose={(account) => onOpen(account ? { importInto: account } : null)} />
      ) : null}
      {opened === 'show-shortcuts' ? <ShortcutSheet onClose={close} /> : null}
      {opened === 'create-client' ? <CreateClient onClose={close} /> : null}
      {opened !== null && typeof opened === 'object' ? (
        <Suspense>
          <ImportDialog account={opened.importInto} onClose={close} />
        </Suspense>
      ) : null}
      <SignOutDialog isOpen={opened === 'sign-out'} onClose={close} />
    </>
  );
}
