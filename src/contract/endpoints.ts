import { getAccount, listAccounts } from './accounts.ts';
import { archiveAsset, listArchivedAssets, unarchiveAsset } from './archived-assets.ts';
import { listAuditEntries, listAuditPeople } from './audit.ts';
import { listEntityBalances } from './balances.ts';
import { getCustodian, listCustodians, listCustodianTypes } from './custodians.ts';
import { findRemoval, reportDevice, reportRemoval } from './devices.ts';
import type { Endpoint } from './endpoint.ts';
import { listEntityWorklists } from './entity-worklists.ts';
import { followNudges, hello, listChanges, listSizes } from './feed.ts';
import {
  createClient,
  deleteClient,
  listAccountingSystems,
  listAvailableEntities,
  listClientEntities,
  listClients,
  updateClient,
} from './clients.ts';
import { createEntity, deleteEntity, getEntity, listAllocationMethods, listEntities, updateEntity } from './entities.ts';
import { getRunningTasks, listCronJobs, listWorkerTasks } from './jobs.ts';
import {
  createOrganization,
  deleteOrganization,
  getOrganizationIdForEntity,
  getOrganizationSettings,
  listOrganizations,
  updateOrganization,
  updateOrganizationSettings,
} from './organizations.ts';
import { acceptInvitation, inviteUser, lookAtInvitation } from './invitations.ts';
import { beginOauth, finishOauth } from './oauth.ts';
import { importFile, listImportProfiles, listRawData } from './raw-data.ts';
import { listUnreconciledAccounts } from './reconciliations.ts';
import { listPermissions, listRoles } from './roles.ts';
import { deleteView, listSavedViews, saveView } from './saved-views.ts';
import { getSecurity, listSecurities, listSecurityTypes } from './securities.ts';
import { endOtherSessions, endOwnSession, getMe, listOwnSessions, login, logout, refreshToken } from './session.ts';
import { getDiagnosis } from './system.ts';
import { attachToTicket, getTicket, getTicketAttachment, getTicketHistory, submitTicket } from './tickets.ts';
import { countTransactionMatches, listTransactionMatches, markTransfer } from './transaction-matches.ts';
import { listTransactions, listTransactionTypeGroups, selectTransactions } from './transactions.ts';
import { listValueHistories } from './value-histories.ts';
import { assignUser, createUser, listUserClients, listUsers, setUserRole, updateUser } from './users.ts';

/** Every call of the API, in the order the documentation lists them. */
export const endpoints: readonly Endpoint[] = [
  login,
  beginOauth,
  finishOauth,
  lookAtInvitation,
  acceptInvitation,
  refreshToken,
  logout,
  getMe,
  listOwnSessions,
  endOwnSession,
  endOtherSessions,
  listRoles,
  listPermissions,
  listUsers,
  createUser,
  updateUser,
  setUserRole,
  listUserClients,
  assignUser,
  inviteUser,
  listOrganizations,
  createOrganization,
  updateOrganization,
  deleteOrganization,
  getOrganizationSettings,
  updateOrganizationSettings,
  getOrganizationIdForEntity,
  listClients,
  createClient,
  updateClient,
  deleteClient,
  listClientEntities,
  listAvailableEntities,
  listAccountingSystems,
  listArchivedAssets,
  archiveAsset,
  unarchiveAsset,
  listEntities,
  getEntity,
  createEntity,
  updateEntity,
  deleteEntity,
  listUnreconciledAccounts,
  listEntityBalances,
  listAllocationMethods,
  listAccounts,
  getAccount,
  listEntityWorklists,
  listValueHistories,
  listCustodians,
  listCustodianTypes,
  getCustodian,
  listSecurities,
  getSecurity,
  listSecurityTypes,
  listTransactions,
  selectTransactions,
  listTransactionTypeGroups,
  listTransactionMatches,
  countTransactionMatches,
  markTransfer,
  listImportProfiles,
  importFile,
  listRawData,
  listSavedViews,
  saveView,
  deleteView,
  listAuditEntries,
  listAuditPeople,
  getTicketHistory,
  submitTicket,
  attachToTicket,
  getTicketAttachment,
  getTicket,
  hello,
  listSizes,
  listChanges,
  followNudges,
  reportDevice,
  findRemoval,
  reportRemoval,
  getDiagnosis,
  listCronJobs,
  getRunningTasks,
  listWorkerTasks,
];
