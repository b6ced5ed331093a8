import { demoIdOf } from './demo-places.ts';

/** Someone who can sign in to the demo. Passwords are meant to be read: `npm start` prints them. */
export interface DemoUser {
  id: string;
  email: string;
  name: string;
  password: string;
  is_superuser: boolean;
  /** Role in every organization listed. */
  roleId: string;
  /** Ids of organizations the user is a member of. */
  organizations: readonly string[];
  /** Ids of clients assigned to the user. */
  clients: readonly string[];
}

const harbor = demoIdOf.organization('Harbor Ledger Advisory');
const northlight = demoIdOf.organization('Northlight Fund Services');
const calder = demoIdOf.organization('Calder & Wynn Family Office');
const meridian = demoIdOf.client('Meridian Digital Assets');
const hawthorne = demoIdOf.client('Hawthorne Family Office');

function demoUser(user: Omit<DemoUser, 'id'>): DemoUser {
  return { id: demoIdOf.user(user.email), ...user };
}

/** Who makes the decisions the demo's decided matches tell of: the accountant where assigned, else the administrator. */
export const demoAdministrator = demoUser({
  email: 'admin@tieout.example',
  name: 'Avery Quinn',
  password: 'tieout-demo-admin-2026',
  is_superuser: true,
  roleId: 'administrator',
  organizations: [harbor, northlight, calder],
  clients: [],
});

export const demoAccountant = demoUser({
  email: 'accountant@tieout.example',
  name: 'Morgan Ellis',
  password: 'tieout-demo-ledger-2026',
  is_superuser: false,
  roleId: 'accountant',
  organizations: [harbor],
  clients: [meridian, hawthorne],
});

/** Shares a client with the accountant, so one sees what the other did. */
const demoAuditor = demoUser({
  email: 'auditor@tieout.example',
  name: 'Sam Okafor',
  password: 'tieout-demo-review-2026',
  is_superuser: false,
  roleId: 'auditor',
  organizations: [harbor],
  clients: [meridian],
});

/** Everybody who can sign in to the demo, the superuser first. */
export const demoUsers: readonly DemoUser[] = [demoAdministrator, demoAccountant, demoAuditor];
