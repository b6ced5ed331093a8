import { Menu, MenuButton, MenuItem, MenuItems } from '@headlessui/react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isAllowed } from '#domain/permissions.ts';
import { useServices, useUser } from '#app/services.tsx';
import { useBeginSignOut } from '#app/session/sign-out-dialog.tsx';
import { ReportDialog } from '#app/screens/tickets/report-dialog.tsx';
import { UserIcon } from '#app/ui/icons.tsx';
import { usePreferences } from '#app/use-preferences.ts';

const itemLook = 'flex h-8 w-full items-center rounded-sm px-2 text-left text-grid data-focus:bg-selected';

/** Who is signed in, the settings, the theme, and the way out. @param onAskSignOut what is done where edits still wait. */
export function UserMenu({ onAskSignOut }: { onAskSignOut: () => void }) {
  const { preferences } = useServices();
  const user = useUser();
  const isDark = usePreferences().theme === 'dark';
  const begin = useBeginSignOut(onAskSignOut);
  /** The page an issue is being reported about. */
  const [reportedUrl, setReportedUrl] = useState<string | null>(null);
  return (
    <>
      <Menu>
        <MenuButton
          aria-label="User menu"
          title={user.email}
          className="-mr-1 flex size-8 items-center justify-center rounded text-soft hover:bg-hover"
        >
          <UserIcon />
        </MenuButton>
        <MenuItems
          modal={false}
          anchor={{ to: 'bottom end', gap: 4, padding: 8 }}
          className="z-30 w-64 rounded bg-raised p-1 shadow-pop outline-none"
        >
          <p className="truncate border-b border-line px-2 pt-1.5 pb-2 text-grid font-medium" title={user.email}>
            {user.email}
          </p>
          <div className="pt-1">
            <MenuItem>
              <Link to="/settings" className={itemLook}>
                Settings
              </Link>
            </MenuItem>
            <MenuItem>
              <button
                type="button"
                className={itemLook}
                onClick={(event) => {
                  event.preventDefault();
                  preferences.set({ theme: isDark ? 'light' : 'dark' });
                }}
              >
                Dark Theme
                <span className="sr-only">{isDark ? ', on' : ', off'}</span>
                <span
                  aria-hidden="true"
                  className={`ml-auto flex h-5 w-9 items-center rounded-full border p-0.5 ${isDark ? 'border-primary bg-primary' : 'border-control bg-subtle'}`}
                >
                  <span className={`size-3.5 rounded-full ${isDark ? 'translate-x-4 bg-on-primary' : 'bg-control'}`} />
                </span>
              </button>
            </MenuItem>
            {isAllowed(user, { anyOf: ['ticket_write'] }) ? (
              <MenuItem>
                <button type="button" className={itemLook} onClick={() => setReportedUrl(window.location.href)}>
                  Report an issue
                </button>
              </MenuItem>
            ) : null}
            <MenuItem>
              <button type="button" className={itemLook} onClick={begin}>
                Sign Out
              </button>
            </MenuItem>
          </div>
        </MenuItems>
      </Menu>
      <ReportDialog pageUrl={reportedUrl} onClose={() => setReportedUrl(null)} />
    </>
  );
}
