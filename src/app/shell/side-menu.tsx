import { Link, useRouterState } from '@tanstack/react-router';
import { useLiveQuery } from 'dexie-react-hooks';
import type { ReactNode } from 'react';
import { organizationsOf } from '#replica/nouns.ts';
import { useServices, useUser } from '#app/services.tsx';
import {
  AuditIcon,
  ClientsIcon,
  CollapseIcon,
  ExpandIcon,
  HomeIcon,
  OrganizationsIcon,
  OutboxIcon,
  SupportIcon,
  UsersIcon,
  SystemIcon,
} from '#app/ui/icons.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { useOutbox } from '#app/outbox-edits.tsx';
import { useReplica } from '#app/use-replica.ts';
import { EnvironmentBar } from './environment.tsx';
import { type MenuEntry, menuEntriesFor } from './menu-entries.ts';
import { carriedOrganization } from './organization-search.ts';
import { outboxLabel, waitingWords } from './outbox-words.ts';
import { SystemState } from './system-state.tsx';

const icons: Readonly<Record<MenuEntry['to'], typeof HomeIcon>> = {
  '/home': HomeIcon,
  '/organizations': OrganizationsIcon,
  '/clients': ClientsIcon,
  '/users': UsersIcon,
  '/audit': AuditIcon,
  '/system': SystemIcon,
};

const entryLook = 'flex h-9 items-center gap-3 rounded px-3 text-base transition-colors duration-[120ms] hover:bg-menu-hover';

function Entry({ isCollapsed, icon, label }: { isCollapsed: boolean; icon: ReactNode; label: string }) {
  return (
    <>
      {icon}
      <span className={isCollapsed ? 'sr-only' : 'truncate'}>{label}</span>
    </>
  );
}

function Mark({ isCollapsed }: { isCollapsed: boolean }) {
  return (
    <div className="flex h-12 shrink-0 items-center gap-3 px-5">
      <svg aria-hidden="true" width="24" height="24" viewBox="12 13 40 39" className="shrink-0">
        <rect x="13" y="15" width="38" height="9" rx="2" fill="#4bb3fd" />
        <rect x="21" y="29" width="9" height="21" rx="2" fill="#fff" />
        <rect x="34" y="29" width="9" height="21" rx="2" fill="#fff" />
      </svg>
      <span className={isCollapsed ? 'sr-only' : 'text-large font-semibold tracking-tight'}>Tieout</span>
    </div>
  );
}

const activeLook = 'bg-menu-active font-semibold shadow-[inset_3px_0_0_var(--primary)]';

/** The way to the outbox, with how many edits are in it. */
function OutboxEntry({ isCollapsed, isHere, onChoice }: { isCollapsed: boolean; isHere: boolean; onChoice: (() => void) | undefined }) {
  const found = useOutbox();
  const edits = found ?? [];
  return (
    <Link
      to="/outbox"
      title={isCollapsed ? outboxLabel(found) : undefined}
      aria-current={isHere ? 'page' : undefined}
      className={`${entryLook} relative ${isHere ? activeLook : ''}`}
      onClick={onChoice}
    >
      <Entry isCollapsed={isCollapsed} icon={<OutboxIcon size={20} />} label="Outbox" />
      {edits.length > 0 ? (
        <>
          <span
            aria-hidden="true"
            className={`figures rounded-full bg-primary px-1.5 text-center font-semibold text-on-primary ${isCollapsed ? 'absolute top-0.5 right-0.5 min-w-4 text-mini leading-4' : 'ml-auto min-w-5 text-small'}`}
          >
            {edits.length.toLocaleString('en-US')}
          </span>
          <span className="sr-only">, {waitingWords(edits)}</span>
        </>
      ) : null}
    </Link>
  );
}

interface SideMenuProps {
  isCollapsed: boolean;
  /** A choice was made: a drawer closes. */
  onChoice?: () => void;
  /** Whether the menu can be folded to icons; a drawer cannot. */
  canCollapse: boolean;
}

/** The navy menu with the screens that exist. */
export function SideMenu({ isCollapsed, onChoice, canCollapse }: SideMenuProps) {
  const { config, hostName, preferences } = useServices();
  const user = useUser();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { isMenuCollapsed } = usePreferences();
  const replica = useReplica();
  const organizations = useLiveQuery(async () => (await organizationsOf(replica)).length, [replica]) ?? 0;
  return (
    <nav aria-label="Main" className="flex h-full flex-col bg-menu text-menu-ink">
      <EnvironmentBar hostName={hostName} />
      <Mark isCollapsed={isCollapsed} />
      <ul className="flex grow flex-col gap-1 px-2 pt-2">
        {menuEntriesFor(user, organizations).map(({ to, label, carriesOrganization, isAt }) => {
          const Icon = icons[to];
          return (
            <li key={to}>
              <Link
                to={to}
                search={carriesOrganization ? carriedOrganization : {}}
                title={isCollapsed ? label : undefined}
                aria-current={isAt(path) ? 'page' : undefined}
                className={`${entryLook} ${isAt(path) ? activeLook : ''}`}
                onClick={onChoice}
              >
                <Entry isCollapsed={isCollapsed} icon={<Icon />} label={label} />
              </Link>
            </li>
          );
        })}
        <li>
          <OutboxEntry isCollapsed={isCollapsed} isHere={path === '/outbox'} onChoice={onChoice} />
        </li>
        {config.support_url ? (
          <li>
            <a
              href={config.support_url}
              target="_blank"
              rel="noreferrer"
              title={isCollapsed ? 'Contact Support' : undefined}
              className={entryLook}
            >
              <Entry isCollapsed={isCollapsed} icon={<SupportIcon />} label="Contact Support" />
            </a>
          </li>
        ) : null}
      </ul>
      {isCollapsed ? null : (
        <div className="px-2 pb-2">
          <SystemState />
        </div>
      )}
      {canCollapse ? (
        <div className="border-t border-menu-hover p-2">
          <button
            type="button"
            className={`${entryLook} w-full text-menu-muted hover:text-menu-ink`}
            title={isCollapsed ? 'Expand menu' : undefined}
            onClick={() => preferences.set({ isMenuCollapsed: !isMenuCollapsed })}
          >
            <Entry
              isCollapsed={isCollapsed}
              icon={isCollapsed ? <ExpandIcon /> : <CollapseIcon />}
              label={isCollapsed ? 'Expand menu' : 'Collapse menu'}
            />
          </button>
        </div>
      ) : null}
    </nav>
  );
}
