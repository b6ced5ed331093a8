import { Dialog, DialogBackdrop, DialogPanel } from '@headlessui/react';
import { Outlet } from '@tanstack/react-router';
import { type CSSProperties, Suspense, useState, useSyncExternalStore } from 'react';
import type { Me } from '#contract/session.ts';
import { EngineStatusProvider } from '#app/engine-status.tsx';
import { OutboxProvider } from '#app/outbox-edits.tsx';
import { type Opened, PaletteHost } from '#app/palette/palette-host.tsx';
import { UserProvider, useServices } from '#app/services.tsx';
import { useInactivity } from '#app/session/use-inactivity.ts';
import { useLease } from '#app/session/use-lease.ts';
import { useOwedSignOut } from '#app/session/use-owed-sign-out.ts';
import { useFreshMe } from '#app/session/use-me.ts';
import { useSessionRefresh } from '#app/session/use-session-refresh.ts';
import { SkeletonRows } from '#app/ui/states.tsx';
import { useMediaQuery } from '#app/ui/use-media-query.ts';
import { useEngine } from '#app/use-engine.ts';
import { useKeptQueries } from '#app/use-kept-queries.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { useSettledNotices } from '#app/use-settled-notices.ts';
import { pageInset, railWidth } from './header-offset.ts';
import { OutdatedBanner } from './outdated-banner.tsx';
import { PrintHead } from './print-head.tsx';
import { SideMenu } from './side-menu.tsx';
import { TopBar } from './top-bar.tsx';
import { useLostPlace } from './use-lost-place.ts';
import { useClearedStorage } from './use-cleared-storage.ts';
import { useUsualZone } from './use-usual-zone.ts';
import { useSignedOutElsewhere } from './use-signed-out-elsewhere.ts';

function Drawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog open={isOpen} onClose={onClose} className="relative z-40" aria-label="Menu">
      <DialogBackdrop transition className="fixed inset-0 bg-[#0d182a]/45 transition-opacity duration-[120ms] data-closed:opacity-0" />
      <DialogPanel
        transition
        className="fixed inset-y-0 left-0 w-[232px] transition duration-[120ms] ease-out data-closed:-translate-x-full"
      >
        <SideMenu isCollapsed={false} canCollapse={false} onChoice={onClose} />
      </DialogPanel>
    </Dialog>
  );
}

/** Of the menu with its words, in pixels. */
const menuWidth = 232;

/** Menu and bar around a screen. */
function Frame() {
  const isWide = useMediaQuery('(min-width: 900px)');
  const { preferences } = useServices();
  const { isMenuCollapsed, isDrawerOpen } = usePreferences();
  const setIsDrawerOpen = (isDrawerOpen: boolean): void => preferences.set({ isDrawerOpen });
  const [opened, setOpened] = useState<Opened | null>(null);
  useSettledNotices();
  useClearedStorage();
  useKeptQueries();
  useUsualZone();
  useLostPlace();
  return (
    <div
      className="flex h-full print:block print:h-auto"
      style={{ '--page-inset': `${pageInset(isWide && !isMenuCollapsed)}px` } as CSSProperties}
    >
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-primary focus:px-3 focus:py-2 focus:text-on-primary"
      >
        Skip to content
      </a>
      {isWide ? (
        <div className="shrink-0 print:hidden" style={{ width: isMenuCollapsed ? railWidth : menuWidth }}>
          <SideMenu isCollapsed={isMenuCollapsed} canCollapse />
        </div>
      ) : (
        <Drawer isOpen={isDrawerOpen} onClose={() => setIsDrawerOpen(false)} />
      )}
      <div className="flex min-w-0 grow flex-col print:block">
        <TopBar
          onMenu={isWide ? null : () => setIsDrawerOpen(true)}
          onSearch={() => setOpened('search')}
          onAskSignOut={() => setOpened('sign-out')}
        />
        <OutdatedBanner />
        <PrintHead />
        {/* what lies in a screen without a place of its own, as words for screen readers do, scrolls with it: else the shell could be scrolled away */}
        <main id="main" tabIndex={-1} className="relative min-h-0 grow overflow-y-auto bg-surface outline-none">
          <Suspense fallback={<SkeletonRows />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <PaletteHost opened={opened} onOpen={setOpened} />
    </div>
  );
}

function SignedIn({ user }: { user: Me }) {
  useSessionRefresh();
  useInactivity();
  useLease(user);
  useOwedSignOut();
  const status = useEngine(user);
  useFreshMe(status);
  return (
    <UserProvider value={user}>
      <EngineStatusProvider value={status}>
        <Suspense fallback={<div className="h-full bg-canvas" />}>
          <OutboxProvider>
            <Frame />
          </OutboxProvider>
        </Suspense>
      </EngineStatusProvider>
    </UserProvider>
  );
}

/** The signed-in part of the app. */
export function Shell() {
  const { session } = useServices();
  const user = useSyncExternalStore(session.subscribe, session.user);
  useSignedOutElsewhere(user);
  return user ? <SignedIn key={user.id} user={user} /> : null;
}
