import { useServices } from '#app/services.tsx';
import { IconButton } from '#app/ui/button.tsx';
import { MenuIcon } from '#app/ui/icons.tsx';
import { EnvironmentName } from './environment.tsx';
import { OutboxBadge } from './outbox-badge.tsx';
import { PlaceSwitcher } from './place-switcher.tsx';
import { SyncState } from './sync-state.tsx';
import { UserMenu } from './user-menu.tsx';

/** The bar above every screen: where you are at the left, how things stand at the right. `onMenu` is null where the menu is always there. */
export function TopBar({ onMenu }: { onMenu: (() => void) | null }) {
  const { config } = useServices();
  return (
    <header className="page-inset flex h-12 shrink-0 items-center gap-2 border-b border-line bg-surface">
      {onMenu ? (
        <IconButton label="Open menu" onClick={onMenu} className="-ml-1 size-8">
          <MenuIcon />
        </IconButton>
      ) : null}
      <PlaceSwitcher />
      <div className="ml-auto flex min-w-0 items-center gap-1">
        <EnvironmentName name={config.environment_name} />
        <SyncState />
        <OutboxBadge />
        <UserMenu />
      </div>
    </header>
  );
}
