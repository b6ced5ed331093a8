import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { ApiError } from '#contract/errors.ts';
import type { PermissionKey } from '#contract/permissions.ts';
import { isAllowed } from '#domain/permissions.ts';
import { lazyScreen } from './lazy-screen.ts';
import { deniedText } from './notices.tsx';
import { readAuditSearch } from './screens/audit/audit-search.ts';
import { readClientSearch } from './screens/clients/client-search.ts';
import { readAccountsSearch } from './screens/entities/accounts-search.ts';
import { ErrorScreen } from './screens/session/error-screen.tsx';
import { readEntitySearch, readNewEntitySearch } from './screens/entities/entity-search.ts';
import { readHomeSearch } from './screens/home/home-search.ts';
import { NotFoundScreen } from './screens/session/not-found-screen.tsx';
import { readOauthSearch } from './screens/session/oauth-answer.ts';
import { readOutboxSearch } from './screens/outbox/outbox-search.ts';
import { readUserSearch } from './screens/users/user-search.ts';
import { readSystemSearch } from './screens/system/system-search.ts';
import { readTransactionSearch } from './screens/transactions/transaction-search.ts';
import { lastOrganization, readOrganizationSearch } from './shell/organization-search.ts';
import type { Services } from './services.tsx';

/** Search values are plain text, so that an address reads well and any address can be read. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  // an address takes these letters as they are, and reads better with them
  const text = new URLSearchParams(entries).toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text ? `?${text}` : '';
}

/** Every route of the app, each with the permission its screen needs. */
export function createAppRouter(services: Services) {
  const { session, notices, local } = services;

  /** Lets only a signed-in user in who holds the key; a screen without a key is for everyone who is signed in. */
  function needs(key: PermissionKey) {
    return ({ location }: { location: { pathname: string } }): void => {
      const user = session.user();
      if (user && !isAllowed(user, { anyOf: [key] }))
        throw new ApiError({ code: 'permission_denied', detail: deniedText(location.pathname) });
    };
  }

  function tellDropped(names: readonly string[]): void {
    if (names.length > 0)
      notices.notice('warning', `This address held filters that mean nothing here, so they were left out: ${names.join(', ')}`);
  }

  const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundScreen, errorComponent: ErrorScreen });

  const index = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      if (!session.user()) throw redirect({ to: '/login', replace: true });
      throw redirect({ to: '/home', search: lastOrganization(local), replace: true });
    },
  });
  const login = createRoute({
    getParentRoute: () => root,
    path: '/login',
    component: lazyScreen(() => import('#app/screens/session/login-screen.tsx'), 'LoginScreen'),
  });
  const invitation = createRoute({
    getParentRoute: () => root,
    path: '/login/invitation',
    component: lazyScreen(() => import('#app/screens/session/invitation-screen.tsx'), 'InvitationScreen'),
  });
  const logout = createRoute({
    getParentRoute: () => root,
    path: '/logout',
    validateSearch: (search: Record<string, unknown>): { error?: string } =>
      typeof search.error === 'string' ? { error: search.error } : {},
    component: lazyScreen(() => import('#app/screens/session/logout-screen.tsx'), 'LogoutScreen'),
  });
  const oauthCallback = createRoute({
    getParentRoute: () => root,
    path: '/oauth/callback',
    validateSearch: readOauthSearch,
    component: lazyScreen(() => import('#app/screens/session/oauth-callback-screen.tsx'), 'OauthCallbackScreen'),
  });

  const app = createRoute({
    getParentRoute: () => root,
    id: '_app',
    beforeLoad: ({ location }) => {
      if (session.user()) return;
      session.rememberPlace(location.href);
      throw redirect({ to: '/login', replace: true });
    },
    component: lazyScreen(() => import('#app/shell/shell.tsx'), 'Shell'),
  });
  const home = createRoute({
    getParentRoute: () => app,
    path: '/home',
    beforeLoad: needs('client_read'),
    validateSearch: readHomeSearch,
    component: lazyScreen(() => import('#app/screens/home/home-screen.tsx'), 'HomeScreen'),
  });
  const organizations = createRoute({
    getParentRoute: () => app,
    path: '/organizations',
    beforeLoad: needs('organization_read'),
    component: lazyScreen(() => import('#app/screens/organizations/organizations-screen.tsx'), 'OrganizationsScreen'),
  });
  const organization = createRoute({
    getParentRoute: () => app,
    path: '/organizations/$organizationId',
    beforeLoad: needs('organization_read'),
    component: lazyScreen(() => import('#app/screens/organizations/organization-screen.tsx'), 'OrganizationScreen'),
  });
  const clients = createRoute({
    getParentRoute: () => app,
    path: '/clients',
    beforeLoad: needs('client_read'),
    validateSearch: readClientSearch,
    component: lazyScreen(() => import('#app/screens/clients/clients-screen.tsx'), 'ClientsScreen'),
  });
  const users = createRoute({
    getParentRoute: () => app,
    path: '/users',
    beforeLoad: needs('user_read'),
    validateSearch: readUserSearch,
    component: lazyScreen(() => import('#app/screens/users/users-screen.tsx'), 'UsersScreen'),
  });
  const userRoles = createRoute({
    getParentRoute: () => app,
    path: '/users/roles',
    beforeLoad: needs('user_read'),
    validateSearch: readOrganizationSearch,
    component: lazyScreen(() => import('#app/screens/users/roles-screen.tsx'), 'RolesScreen'),
  });
  const user = createRoute({
    getParentRoute: () => app,
    path: '/users/$userId',
    beforeLoad: needs('user_read'),
    validateSearch: readOrganizationSearch,
    component: lazyScreen(() => import('#app/screens/users/user-screen.tsx'), 'UserScreen'),
  });
  const entities = createRoute({
    getParentRoute: () => app,
    path: '/entities',
    beforeLoad: needs('entity_read'),
    validateSearch: readEntitySearch,
    component: lazyScreen(() => import('#app/screens/entities/entities-screen.tsx'), 'EntitiesScreen'),
  });
  const newEntity = createRoute({
    getParentRoute: () => app,
    path: '/entities/new',
    beforeLoad: needs('entity_write'),
    validateSearch: readNewEntitySearch,
    component: lazyScreen(() => import('#app/screens/entities/new-entity-screen.tsx'), 'NewEntityScreen'),
  });
  const entity = createRoute({
    getParentRoute: () => app,
    path: '/entities/$entityId',
    beforeLoad: needs('entity_read'),
    validateSearch: readAccountsSearch,
    component: lazyScreen(() => import('#app/screens/entities/entity-screen.tsx'), 'EntityScreen'),
  });
  const transactions = createRoute({
    getParentRoute: () => app,
    path: '/transactions',
    beforeLoad: needs('transaction_read'),
    validateSearch: (raw: Record<string, unknown>) => {
      const { search, dropped } = readTransactionSearch(raw);
      tellDropped(dropped);
      return search;
    },
    component: lazyScreen(() => import('#app/screens/transactions/transactions-screen.tsx'), 'TransactionsScreen'),
  });
  const settings = createRoute({
    getParentRoute: () => app,
    path: '/settings',
    component: lazyScreen(() => import('#app/screens/settings/settings-screen.tsx'), 'SettingsScreen'),
  });
  const outbox = createRoute({
    getParentRoute: () => app,
    path: '/outbox',
    validateSearch: readOutboxSearch,
    component: lazyScreen(() => import('#app/screens/outbox/outbox-screen.tsx'), 'OutboxScreen'),
  });

  const audit = createRoute({
    getParentRoute: () => app,
    path: '/audit',
    beforeLoad: needs('audit_read'),
    validateSearch: (raw: Record<string, unknown>) => {
      const { search, dropped } = readAuditSearch(raw);
      tellDropped(dropped);
      return search;
    },
    component: lazyScreen(() => import('#app/screens/audit/audit-screen.tsx'), 'AuditScreen'),
  });

  const system = createRoute({
    getParentRoute: () => app,
    path: '/system',
    // the key of those who look after an organization: no other role has it
    beforeLoad: needs('organization_write'),
    validateSearch: readSystemSearch,
    component: lazyScreen(() => import('#app/screens/system/system-screen.tsx'), 'SystemScreen'),
  });
  const ticket = createRoute({
    getParentRoute: () => app,
    path: '/tickets/$ticketId',
    beforeLoad: needs('ticket_read'),
    component: lazyScreen(() => import('#app/screens/tickets/ticket-screen.tsx'), 'TicketScreen'),
  });

  return createRouter({
    routeTree: root.addChildren([
      index,
      login,
      invitation,
      logout,
      oauthCallback,
      app.addChildren([
        home,
        organizations,
        organization,
        clients,
        users,
        userRoles,
        user,
        entities,
        newEntity,
        entity,
        transactions,
        settings,
        outbox,
        audit,
        system,
        ticket,
      ]),
    ]),
    parseSearch,
    stringifySearch,
    // what no route reads leaves the address
    search: { strict: true },
    defaultPendingMs: 300,
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFoundScreen,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
