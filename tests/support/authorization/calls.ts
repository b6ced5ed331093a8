import { v7 as uuidv7 } from 'uuid';
import { getAccount, listAccounts } from '#contract/accounts.ts';
import { archiveAsset, listArchivedAssets, unarchiveAsset } from '#contract/archived-assets.ts';
import { listEntityBalances } from '#contract/balances.ts';
import { getCustodian, listCustodians, listCustodianTypes } from '#contract/custodians.ts';
import { listAuditEntries, listAuditPeople } from '#contract/audit.ts';
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import { findRemoval, reportDevice, reportRemoval } from '#contract/devices.ts';
import { followNudges, hello, listChanges, listSizes } from '#contract/feed.ts';
import {
  createClient,
  deleteClient,
  listAccountingSystems,
  listAvailableEntities,
  listClientEntities,
  listClients,
  updateClient,
} from '#contract/clients.ts';
import { createEntity, deleteEntity, getEntity, listAllocationMethods, listEntities, updateEntity } from '#contract/entities.ts';
import { getRunningTasks, listCronJobs, listWorkerTasks } from '#contract/jobs.ts';
import {
  createOrganization,
  deleteOrganization,
  getOrganizationIdForEntity,
  getOrganizationSettings,
  listOrganizations,
  updateOrganization,
  updateOrganizationSettings,
} from '#contract/organizations.ts';
import { listEntityWorklists } from '#contract/entity-worklists.ts';
import { listValueHistories } from '#contract/value-histories.ts';
import { importFile, listImportProfiles, listRawData } from '#contract/raw-data.ts';
import { listUnreconciledAccounts } from '#contract/reconciliations.ts';
import { deleteView, listSavedViews, saveView } from '#contract/saved-views.ts';
import { getSecurity, listSecurities, listSecurityTypes } from '#contract/securities.ts';
import { beginOauth, finishOauth } from '#contract/oauth.ts';
import { endOtherSessions, endOwnSession, getMe, listOwnSessions, login, logout, refreshToken } from '#contract/session.ts';
import { acceptInvitation, inviteUser, lookAtInvitation } from '#contract/invitations.ts';
import { listPermissions, listRoles } from '#contract/roles.ts';
import { assignUser, createUser, listUserClients, listUsers, setUserRole, updateUser } from '#contract/users.ts';
import { getDiagnosis } from '#contract/system.ts';
import { attachToTicket, getTicket, getTicketAttachment, getTicketHistory, submitTicket } from '#contract/tickets.ts';
import { countTransactionMatches, listTransactionMatches, markTransfer } from '#contract/transaction-matches.ts';
import { listTransactions, listTransactionTypeGroups, selectTransactions } from '#contract/transactions.ts';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { securityIdOf } from '#server/seed/reference.ts';
import { csvFile, csvHeaders } from '#tests/support/import-files.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { pngBytes } from '#tests/support/images.ts';
import { testPassword } from '#tests/support/server.ts';
import type { Level } from './people.ts';
import type { Target } from './world.ts';

/** One way of making a call, asked by everybody about every line of its level. */
export interface Asking<E extends Endpoint = Endpoint> {
  /** Told where a call is made in more ways than one. */
  as?: string;
  /** What the call is about, and so which lines it has. */
  about: Level;
  /** A valid input about a target: what is refused is refused for who asks and nothing else. */
  input(target: Target): InputOf<E>;
  /** Whether a list holds the target's rows; without it any answer will do. */
  holds?(answer: OutputOf<E>, target: Target): boolean;
  /** Ids an answer names because their rows are gone, and the rest of it. Without it all of an answer shows what is there. */
  apart?(answer: OutputOf<E>): { gone: string[]; shown: unknown };
  file?: { name: string; content: Blob };
  /** Of what was deleted those go on reading who could see it. */
  remembers?: true;
}

/** A call with the ways it is asked. */
export interface AskedCall {
  endpoint: Endpoint;
  askings: readonly Asking[];
}

function asked<E extends Endpoint>(endpoint: E, ...askings: Asking<E>[]): AskedCall {
  return { endpoint, askings };
}

const nothing = { about: 'anywhere', input: () => ({}) } as const;
const has = (rows: readonly { id: unknown }[], id: string) => rows.some((row) => row.id === id);

/** The feed tells a browser which rows it held are gone. */
const feedApart = (answer: OutputOf<typeof listChanges>) => ({
  gone: answer.changes.filter(({ op }) => op !== 'put').map(({ id }) => id),
  shown: { ...answer, changes: answer.changes.filter(({ op }) => op === 'put') },
});
/** The trail goes on telling of what was deleted to whoever could see it. */
const auditApart = (answer: OutputOf<typeof listAuditEntries>) => ({ gone: [JSON.stringify(answer)], shown: [] });
const puts = ({ changes }: OutputOf<typeof listChanges>, id: string) => changes.some((change) => change.op === 'put' && change.id === id);

const file = {
  name: 'rows.csv',
  content: new Blob([csvFile(csvHeaders.generic, [['2026-09-01', 'deposit', 'BTC', '1', '', '', '', '', '', '']])]),
};

const image = { name: 'shot.png', content: new Blob([pngBytes]) };

/** The id of what is made: each call meets the database as it was. */
const newId = uuidv7();

const fields = { ...entityFields, entity_name: 'A new entity' };

/** Every call of the contract, in its order. A new one is an entry here; its lines in the table are written by `-u`, and then reviewed. */
export const askedCalls: readonly AskedCall[] = [
  asked(login, { about: 'anywhere', input: ({ asker }) => ({ email: asker.email, password: testPassword }) }),
  // the server of the matrix has no provider
  asked(beginOauth, nothing),
  asked(finishOauth, { about: 'anywhere', input: () => ({ code: 'code', state: 'state' }) }),
  asked(lookAtInvitation, { about: 'anywhere', input: () => ({ token: 'token' }) }),
  asked(acceptInvitation, { about: 'anywhere', input: () => ({ token: 'token', password: 'a new password' }) }),
  asked(refreshToken, nothing),
  asked(logout, nothing),
  asked(getMe, nothing),
  asked(listOwnSessions, nothing),
  // whose they are is proved where sessions are: SE22
  asked(endOwnSession, { about: 'anywhere', input: () => ({ id: newId }) }),
  asked(endOtherSessions, nothing),
  asked(listRoles, nothing),
  asked(
    listPermissions,
    { as: 'of all roles', ...nothing },
    { as: 'of a person', about: 'user', input: ({ member }) => ({ user_id: member.id }) },
  ),
  asked(
    listUsers,
    { as: 'of all organizations', about: 'user', input: () => ({}), holds: (rows, { member }) => has(rows, member.id) },
    {
      as: 'of one organization',
      about: 'user',
      input: ({ organization }) => ({ organization_id: organization.id }),
      holds: (rows, { member }) => has(rows, member.id),
    },
  ),
  asked(createUser, {
    about: 'organization',
    input: ({ organization }) => ({
      id: newId,
      email: 'new@example.org',
      name: null,
      organization_id: organization.id,
      role_id: 'auditor',
    }),
  }),
  asked(updateUser, { about: 'user', input: ({ member: { id } }) => ({ id, name: 'Another name', is_enabled: true }) }),
  asked(
    setUserRole,
    {
      as: 'of somebody there',
      about: 'organization',
      input: ({ member: { id }, organization }) => ({ id, organization_id: organization.id, role_id: 'auditor' }),
    },
    {
      as: 'of somebody of the own organization',
      about: 'organization',
      input: ({ first, organization }) => ({ id: first.member.id, organization_id: organization.id, role_id: 'reporter' }),
    },
    {
      as: 'of nobody any more',
      about: 'organization',
      input: ({ member: { id }, organization }) => ({ id, organization_id: organization.id, role_id: null }),
    },
  ),
  asked(listUserClients, { about: 'user', input: ({ member: { id } }) => ({ id }) }),
  asked(
    assignUser,
    {
      as: 'a client',
      about: 'client',
      input: ({ member: { id }, client }) => ({ id, assign_clients: [client.id] }),
    },
    {
      as: 'an entity',
      about: 'entity',
      input: ({ member: { id }, entity }) => ({ id, assign_entities: [entity.id] }),
    },
    {
      as: 'a client, to somebody of the own organization',
      about: 'client',
      input: ({ first, client }) => ({ id: first.member.id, assign_clients: [client.id] }),
    },
  ),
  asked(inviteUser, { about: 'user', input: ({ member: { id } }) => ({ id }) }),
  asked(listOrganizations, { about: 'organization', input: () => ({}), holds: (rows, { organization }) => has(rows, organization.id) }),
  asked(createOrganization, { about: 'anywhere', input: () => ({ id: newId, name: 'A new organization' }) }),
  asked(updateOrganization, { about: 'organization', input: ({ organization: { id } }) => ({ id, name: 'Another name' }) }),
  asked(deleteOrganization, { about: 'organization', input: ({ organization: { id } }) => ({ id }) }),
  asked(getOrganizationSettings, { about: 'organization', input: ({ organization }) => ({ organization_id: organization.id }) }),
  asked(updateOrganizationSettings, {
    about: 'organization',
    input: ({ organization: { id } }) => ({
      organization_id: id,
      name: 'Another name',
      default_accounting_system_id: 3,
      time_zone: 'CET' as const,
    }),
  }),
  asked(getOrganizationIdForEntity, { about: 'entity', input: ({ entity }) => ({ entity_id: entity.id }) }),
  asked(
    listClients,
    { as: 'of all organizations', about: 'client', input: () => ({}), holds: (rows, { client }) => has(rows, client.id) },
    {
      as: 'of one organization',
      about: 'client',
      input: ({ organization }) => ({ organization_id: organization.id }),
      holds: (rows, { client }) => has(rows, client.id),
    },
  ),
  asked(
    createClient,
    {
      as: 'in an organization',
      about: 'organization',
      input: ({ organization }) => ({ id: newId, organization_id: organization.id, client_name: 'A new client' }),
    },
    {
      as: 'in the own organization, under the id of one that is there',
      about: 'client',
      input: ({ first, client }) => ({ id: client.id, organization_id: first.organization.id, client_name: 'A new client' }),
    },
  ),
  asked(updateClient, { about: 'client', input: ({ client: { id } }) => ({ id, client_name: 'Another name' }) }),
  asked(deleteClient, { about: 'client', input: ({ client: { id } }) => ({ id }) }),
  asked(
    listClientEntities,
    { as: 'of all clients', about: 'entity', input: () => ({}), holds: (rows, { entity }) => has(rows, entity.id) },
    {
      as: 'of one client',
      about: 'entity',
      input: ({ client }) => ({ client_id: client.id }),
      holds: (rows, { entity }) => has(rows, entity.id),
    },
  ),
  asked(listAvailableEntities, {
    about: 'entity',
    input: ({ client }) => ({ client_id: client.id }),
    holds: (rows, { entity }) => has(rows, entity.id),
  }),
  asked(listAccountingSystems, nothing),
  asked(
    listArchivedAssets,
    { as: 'of all clients', about: 'client', input: () => ({}), holds: (rows, { archived }) => has(rows, archived.id) },
    {
      as: 'of one client',
      about: 'client',
      input: ({ client }) => ({ client_id: client.id }),
      holds: (rows, { archived }) => has(rows, archived.id),
    },
  ),
  asked(
    archiveAsset,
    { as: 'one that is archived, as spam', about: 'client', input: ({ archived }) => ({ ...archived, is_spam: true }) },
    {
      as: 'another one',
      about: 'client',
      input: ({ client }) => ({
        id: archivedAssetId(client.id, securityIdOf('BTC')),
        client_id: client.id,
        security_id: securityIdOf('BTC'),
        is_spam: false,
      }),
    },
  ),
  asked(unarchiveAsset, { about: 'client', input: ({ archived: { id } }) => ({ id }) }),
  asked(
    listEntities,
    { as: 'of all clients', about: 'entity', input: () => ({}), holds: (rows, { entity }) => has(rows, entity.id) },
    {
      as: 'of one client',
      about: 'entity',
      input: ({ client }) => ({ client_id: client.id }),
      holds: (rows, { entity }) => has(rows, entity.id),
    },
    {
      as: 'of one organization',
      about: 'entity',
      input: ({ organization }) => ({ organization_id: organization.id }),
      holds: (rows, { entity }) => has(rows, entity.id),
    },
  ),
  asked(getEntity, { about: 'entity', input: ({ entity }) => ({ id: entity.id }) }),
  asked(
    createEntity,
    { as: 'of a client', about: 'client', input: ({ client }) => ({ id: newId, client_id: client.id, ...fields }) },
    {
      as: 'of the first client, under the id of one that is there',
      about: 'entity',
      input: ({ first, entity }) => ({ id: entity.id, client_id: first.client.id, ...fields }),
    },
  ),
  asked(updateEntity, { about: 'entity', input: ({ entity: { id } }) => ({ id, ...fields }) }),
  asked(deleteEntity, { about: 'entity', input: ({ entity: { id } }) => ({ id }) }),
  asked(listUnreconciledAccounts, {
    about: 'entity',
    input: ({ entity: { id } }) => ({ id, end_date: '2026-08-31' }),
    holds: (rows, { account }) => rows.some((row) => row.account_id === account.id),
  }),
  asked(listEntityBalances, { about: 'entity', input: ({ entity: { id } }) => ({ id }) }),
  asked(listAllocationMethods, nothing),
  asked(
    listAccounts,
    {
      as: 'of an entity',
      about: 'entity',
      input: ({ entity }) => ({ entity_id: entity.id }),
      holds: (rows, { account }) => has(rows, account.id),
    },
    {
      as: 'of a client',
      about: 'entity',
      input: ({ client }) => ({ client_id: client.id }),
      holds: (rows, { account }) => has(rows, account.id),
    },
    {
      as: 'of a custodian',
      about: 'entity',
      input: ({ account }) => ({ custodian_id: account.custodian_id }),
      holds: (rows, { account }) => has(rows, account.id),
    },
  ),
  asked(getAccount, { about: 'entity', input: ({ account }) => ({ id: account.id }) }),
  asked(
    listEntityWorklists,
    { as: 'of all clients', about: 'entity', input: () => ({}), holds: (rows, { entity }) => has(rows, entity.id) },
    {
      as: 'of one client',
      about: 'entity',
      input: ({ client }) => ({ client_id: client.id }),
      holds: (rows, { entity }) => has(rows, entity.id),
    },
  ),
  asked(
    listValueHistories,
    { as: 'of all clients', about: 'entity', input: () => ({}), holds: (rows, { entity }) => has(rows, entity.id) },
    {
      as: 'of one client',
      about: 'entity',
      input: ({ client }) => ({ client_id: client.id }),
      holds: (rows, { entity }) => has(rows, entity.id),
    },
  ),
  asked(listCustodians, { about: 'anywhere', input: () => ({}), holds: (rows) => rows.length > 0 }),
  asked(listCustodianTypes, nothing),
  asked(getCustodian, { about: 'anywhere', input: ({ account }) => ({ id: account.custodian_id }) }),
  asked(listSecurities, { about: 'anywhere', input: () => ({}), holds: (rows) => rows.length > 0 }),
  asked(getSecurity, { about: 'anywhere', input: () => ({ security_ticker: 'USD', security_type_id: 3 }) }),
  asked(listSecurityTypes, nothing),
  asked(
    listTransactions,
    {
      as: 'of an entity',
      about: 'entity',
      input: ({ entity }) => ({ entity_id: entity.id, start_date: '2020-01-01' }),
      holds: (rows, { out }) => has(rows, out.id),
    },
    {
      as: 'of an account',
      about: 'entity',
      input: ({ account }) => ({ account_id: account.id }),
      holds: (rows, { out }) => has(rows, out.id),
    },
    {
      as: 'of two accounts',
      about: 'entity',
      input: ({ account, wallet }) => ({ account_id: [account.id, wallet.id] }),
      holds: (rows, { out }) => has(rows, out.id),
    },
  ),
  asked(selectTransactions, {
    about: 'entity',
    input: ({ out, into }) => ({ trx_id: [out.id, into.id] }),
    holds: (rows, { out }) => has(rows, out.id),
  }),
  asked(listTransactionTypeGroups, nothing),
  asked(listTransactionMatches, {
    about: 'entity',
    input: ({ entity }) => ({ entity_id: entity.id }),
    holds: (rows, { match }) => has(rows, match.id),
  }),
  asked(countTransactionMatches, {
    about: 'entity',
    input: ({ entity }) => ({ entity_id: entity.id }),
    holds: ({ count }) => count > 0,
  }),
  asked(
    markTransfer,
    {
      as: 'a pair',
      about: 'entity',
      input: ({ out, into }) => ({ trx_id: out.id, counterpart_id: into.id, is_transfer: true }),
    },
    {
      as: 'a leg in the first entity with one elsewhere',
      about: 'entity',
      input: ({ first, into }) => ({ trx_id: first.out.id, counterpart_id: into.id, is_transfer: true }),
    },
    { as: 'one leg', about: 'entity', input: ({ out }) => ({ trx_id: out.id, counterpart_id: null, is_transfer: false }) },
  ),
  asked(listImportProfiles, nothing),
  asked(importFile, { about: 'entity', input: ({ account }) => ({ account_id: account.id }), file }),
  asked(
    listRawData,
    { as: 'of all accounts', about: 'entity', input: () => ({}), holds: (rows, { raw }) => has(rows, raw.id) },
    {
      as: 'of an account',
      about: 'entity',
      input: ({ account }) => ({ account_id: account.id }),
      holds: (rows, { raw }) => has(rows, raw.id),
    },
  ),
  asked(listSavedViews, { about: 'person', input: () => ({}), holds: (rows, { view }) => has(rows, view.id) }),
  asked(
    saveView,
    { as: 'over a view', about: 'anywhere', input: ({ view }) => ({ ...view, name: 'Quarter end' }) },
    {
      as: "under the id of somebody else's, which stays theirs",
      about: 'anywhere',
      input: ({ colleague }) => ({ ...colleague.view, name: 'Quarter end' }),
    },
  ),
  asked(deleteView, { about: 'person', input: ({ view }) => ({ id: view.id }) }),
  asked(
    listAuditEntries,
    {
      as: 'of an organization',
      about: 'organization',
      input: ({ organization }) => ({ organization_id: organization.id, limit: 500 }),
      holds: (rows) => rows.length > 0,
      apart: auditApart,
      remembers: true,
    },
    {
      as: 'of a client',
      about: 'client',
      input: ({ client }) => ({ client_id: client.id, limit: 500 }),
      holds: (rows) => rows.length > 0,
      apart: auditApart,
      remembers: true,
    },
    {
      as: 'of an entity',
      about: 'entity',
      input: ({ entity }) => ({ entity_id: entity.id, limit: 500 }),
      holds: (rows) => rows.length > 0,
      apart: auditApart,
      remembers: true,
    },
  ),
  asked(listAuditPeople, nothing),
  asked(getTicketHistory, {
    about: 'ticket',
    input: ({ ticket }) => ({ reporter: ticket.reporter }),
    holds: ({ issues }, { ticket }) => has(issues, ticket.id),
  }),
  asked(
    submitTicket,
    {
      as: 'a new one',
      about: 'anywhere',
      input: ({ asker }) => ({ id: newId, headline: 'a', description: 'b', priority: 'low' as const, reporter: asker.email }),
    },
    {
      as: 'under the id of one that is there',
      about: 'ticket',
      input: ({ ticket, asker }) => ({ id: ticket.id, headline: 'a', description: 'b', priority: 'low' as const, reporter: asker.email }),
    },
  ),
  asked(attachToTicket, { about: 'ticket', input: ({ ticket }) => ({ ticket_id: ticket.bare, fileName: 'a.png' }), file: image }),
  asked(getTicketAttachment, { about: 'ticket', input: ({ ticket }) => ({ ticket_id: ticket.id }) }),
  asked(getTicket, { about: 'ticket', input: ({ ticket }) => ({ ticket_id: ticket.id }) }),
  asked(hello, nothing),
  asked(listSizes, {
    about: 'entity',
    input: () => ({}),
    holds: (answer, { entity }) => answer.some(({ entity_id: id }) => id === entity.id),
  }),

  asked(
    listChanges,
    {
      as: 'of organizations',
      about: 'organization',
      input: ({ feed }) => ({ ...feed, scopes: ['user'] }),
      holds: (answer, { organization }) => puts(answer, organization.id),
      apart: feedApart,
    },
    {
      as: 'of clients',
      about: 'client',
      input: ({ feed }) => ({ ...feed, scopes: ['user'] }),
      holds: (answer, { client }) => puts(answer, client.id),
      apart: feedApart,
    },
    {
      as: 'of entities',
      about: 'entity',
      input: ({ feed }) => ({ ...feed, scopes: ['user'] }),
      holds: (answer, { entity }) => puts(answer, entity.id),
      apart: feedApart,
    },
    {
      as: 'of users',
      about: 'user',
      input: ({ feed }) => ({ ...feed, scopes: ['user'] }),
      holds: (answer, { member }) => puts(answer, member.id),
      apart: feedApart,
    },
    {
      as: 'of accounts',
      about: 'entity',
      input: ({ feed, client }) => ({ ...feed, scopes: [`client:${client.id}`] }),
      holds: (answer, { account }) => puts(answer, account.id),
      apart: feedApart,
    },
    {
      as: 'of transactions',
      about: 'entity',
      input: ({ feed, entity }) => ({ ...feed, scopes: [`entity:${entity.id}`] }),
      holds: (answer, { out }) => puts(answer, out.id),
      apart: feedApart,
    },
    {
      as: 'of matches',
      about: 'entity',
      input: ({ feed, entity }) => ({ ...feed, scopes: [`entity:${entity.id}`] }),
      holds: (answer, { match }) => puts(answer, match.id),
      apart: feedApart,
    },
    {
      as: 'of saved views',
      about: 'person',
      input: ({ feed }) => ({ ...feed, scopes: ['user'] }),
      holds: (answer, { view }) => puts(answer, view.id),
      apart: feedApart,
    },
  ),
  asked(followNudges, nothing),
  asked(reportDevice, { about: 'anywhere', input: () => ({ device_id: 'a device', pending: 0 }) }),
  // whom a device may speak for is proved where devices are: EV9
  asked(findRemoval, { about: 'anywhere', input: ({ asker }) => ({ question: newId, user_id: asker.id, device_id: 'a device' }) }),
  asked(reportRemoval, { about: 'anywhere', input: ({ asker }) => ({ id: newId, user_id: asker.id, device_id: 'a device', lost: null }) }),
  asked(getDiagnosis, nothing),
  asked(listCronJobs, nothing),
  asked(
    getRunningTasks,
    {
      as: 'of an entity',
      about: 'entity',
      input: () => ({}),
      holds: ({ reconciliation }, { account }) => reconciliation.account_ids.includes(account.id),
    },
    {
      as: 'of a client',
      about: 'client',
      input: () => ({}),
      holds: ({ exports }, { client }) => exports.batch_ids.includes(`batch of ${client.id}`),
    },
    {
      as: 'of an organization',
      about: 'organization',
      input: () => ({}),
      holds: ({ reports }, { organization }) => reports.report_ids.includes(`report of ${organization.id}`),
    },
  ),
  asked(
    listWorkerTasks,
    {
      as: 'of an entity',
      about: 'entity',
      input: () => ({}),
      holds: (tasks, { account }) => tasks.some(({ subject_ids }) => subject_ids.includes(account.id)),
    },
    {
      as: 'of a client',
      about: 'client',
      input: () => ({}),
      holds: (tasks, { client }) => tasks.some(({ subject_ids }) => subject_ids.includes(`batch of ${client.id}`)),
    },
    {
      as: 'of an organization',
      about: 'organization',
      input: () => ({}),
      holds: (tasks, { organization }) => tasks.some(({ subject_ids }) => subject_ids.includes(`report of ${organization.id}`)),
    },
  ),
];
