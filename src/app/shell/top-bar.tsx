import { appKeys } from '#app/app-keys.ts';
import { useServices } from '#app/services.tsx';
import { IconButton } from '#app/ui/button.tsx';
import { ariaKeys } from '#app/ui/chords.ts';
import { MenuIcon, SearchIcon } from '#app/ui/icons.tsx';
import { KeyCaps } from '#app/ui/key-caps.tsx';
import { EnvironmentName } from './environment.tsx';
import { OutboxBadge } from './outbox-badge.tsx';
import { PlaceSwitcher } from './place-switcher.tsx';
import { SyncState } from './sync-state.tsx';
import { UserMenu } from './user-menu.tsx';

/** Opens the search over everything; a sign alone where there is little room. */
function SearchButton({ onSearch }: { onSearch: () => void }) {
  const { isMac } = useServices();
  return (
    <button
      type="button"
      aria-keyshortcuts={ariaKeys(appKeys.palette)}
      aria-haspopup="dialog"
      title="Search everything"
      onClick={onSearch}
      className="flex h-8 shrink-0 items-center gap-2 rounded px-2 text-grid text-soft transition-colors duration-[120ms] hover:bg-hover md:mx-auto md:w-64 md:border md:border-line-strong md:bg-surface max-md:ml-auto"
    >
      <SearchIcon />
      <span className="max-md:sr-only">
        Search<span className="sr-only"> everything</span>
      </span>
      <span aria-hidden="true" className="ml-auto max-md:hidden">
        <KeyCaps chord={appKeys.palette.keys[0]} isMac={isMac} />
      </span>
    </button>
  );
}

interface TopBarProps {
  /** Null where the menu is always there. */
  onMenu: (() => void) | null;
  onSearch: () => void;
  onAskSignOut: () => void;
}

/** The bar above every screen: where you are at the left, the way to anything in the middle, how things stand at the right. */
export function TopBar({ onMenu, onSearch, onAskSignOut }: TopBarProps) {
  const { config } = useServices();
  return (
    <header className="page-inset flex h-12 shrink-0 items-center gap-2 border-b border-line bg-surface print:hidden">
      {onMenu ? (
        <IconButton label="Open menu" onClick={onMenu} className="-ml-1 size-8">
          <MenuIcon />
        </IconButton>
      ) : null}
      <PlaceSwitcher />
      <SearchButton onSearch={onSearch} />
      <div className="flex min-w-0 items-center gap-1">
        <EnvironmentName name={config.environment_name} />
        <SyncState />
        <OutboxBadge />
        <UserMenu onAskSignOut={onAskSignOut} />
      </div>
    </header>
  );
}
