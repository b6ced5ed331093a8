import { getAccount, listAccounts } from './accounts.ts';
import { listAuditEntries, listAuditPeople } from './audit.ts';
import { getCustodian, listCustodians, listCustodianTypes } from './custodians.ts';
import type { Endpoint } from './endpoint.ts';
import { followNudges, hello, listChanges } from './feed.ts';
import { getEntity, listAccountingSystems, listClients, listEntities, listOrganizations } from './organizations.ts';
import { importFile, listImportProfiles, listRawData } from './raw-data.ts';
import { deleteView, listSavedViews, saveView } from './saved-views.ts';
import { getSecurity, listSecurities, listSecurityTypes } from './securities.ts';
import { getMe, login, logout, refreshToken } from './session.ts';
import { getDiagnosis } from './system.ts';
import { countTransactionMatches, listTransactionMatches, markTransfer } from './transaction-matches.ts';
import { listTransactions, listTransactionTypeGroups, selectTransactions } from './transactions.ts';

/** Every call of the API, in the order the documentation lists them. */
export const endpoints: readonly Endpoint[] = [
  login,
  refreshToken,
  logout,
  getMe,
  listOrganizations,
  listClients,
  listAccountingSystems,
  listEntities,
  getEntity,
  listAccounts,
  getAccount,
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
  hello,
  listChanges,
  followNudges,
  getDiagnosis,
];
