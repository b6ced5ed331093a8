import { jobTypeIds } from '#contract/jobs.ts';

/** Whether the product has it yet. An open row is ticked with what it asks for: the tests of the ledger refuse it otherwise. */
export type LedgerState = 'done' | 'open';

/** One call of the specification. */
export interface LedgerCall {
  /** Method and path to the letter. */
  call: string;
  state: LedgerState;
  /** Every parameter of the query, each with a value it may have. */
  query?: Readonly<Record<string, unknown>>;
  /** The fields of the body, where the specification shows them, each with a value it may have. */
  body?: Readonly<Record<string, unknown>>;
  bodyAs?: 'form' | 'multipart';
  /** Rows of a page. */
  limit?: number;
  /** Parameters with the value they have where none is given. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Parameters of a call that is done which are open themselves. */
  lacks?: readonly string[];
}

const order = { order_by: 'id', order_by_asc: true } as const;
const page = (limit: number) => ({ skip: 0, limit });
const snapshots = { limit: 100, skip: 0, custodian_security_ids: ['a', 'b'], start_date: '2026-08-01', end_date: '2026-08-31' } as const;
const matches = { entity_id: 'e', pending_matches_only: true } as const;

/** Section 7, in its order and under its headings. Its `...` is the entity, and the asset, too, where what follows is of one asset. */
export const calls: Readonly<Record<string, readonly LedgerCall[]>> = {
  'Session and users': [
    { call: 'GET /users/me', state: 'done' },
    { call: 'POST /refresh_token', state: 'done', body: { refresh_token: 'a' }, bodyAs: 'form' },
    { call: 'GET /roles', state: 'done' },
    { call: 'GET /permissions', state: 'done', query: { roles: ['a', 'b'], user_id: 'u' } },
    { call: 'GET /users', state: 'done', query: { user_enabled: 'all', ...page(100) }, defaults: { user_enabled: 'all' } },
    { call: 'GET /users/{id}/clients', state: 'done' },
  ],
  'Organizations and clients': [
    { call: 'GET /organizations', state: 'done', query: { name: 'a', ...page(100), ...order } },
    { call: 'POST /organizations', state: 'done' },
    { call: 'PUT /organizations/{id}', state: 'done' },
    { call: 'DELETE /organizations/{id}', state: 'done' },
    { call: 'POST /organizations/get_organization_settings', state: 'done', query: { organization_id: 'o' } },
    { call: 'POST /organizations/get_organization_id_for_entity', state: 'done', query: { entity_id: 'e' } },
    { call: 'GET /clients/', state: 'done', query: { organization_id: 'o', limit: 500 }, limit: 500 },
    { call: 'POST /clients', state: 'done', body: { client_name: 'a', organization_id: 'o' } },
    { call: 'PUT /clients/{id}', state: 'done', body: { client_name: 'a', organization_id: 'o' } },
    { call: 'DELETE /clients/{id}', state: 'done' },
    { call: 'GET /clients/{client_id}/available_entities', state: 'done', query: { limit: 400 }, limit: 400 },
    { call: 'GET /clients/entities', state: 'done', query: { limit: 200 }, limit: 200 },
    { call: 'GET /clients/get_accounting_systems', state: 'done' },
  ],
  Entities: [
    {
      call: 'GET /entities/',
      state: 'done',
      query: { name: 'a', active: '1', ...order, limit: 400 },
      limit: 400,
    },
    { call: 'GET /entities/{id}', state: 'done' },
    { call: 'POST /entities', state: 'done' },
    { call: 'PUT /entities/{id}', state: 'done' },
    { call: 'DELETE /entities/{id}', state: 'done' },
    { call: 'GET /entities/{id}/unreconciled_accounts_summary', state: 'done', query: { end_date: '2026-08-31' } },
    { call: 'GET /entities/{id}/balances', state: 'done' },
    { call: 'GET /entities/titan/allocation_methods', state: 'done' },
  ],
  'Accounts, balances, sync': [
    { call: 'GET /accounts/{id}', state: 'done' },
    {
      call: 'GET /accounts',
      state: 'done',
      query: { client_id: 'c', custodian_id: 'd', entity_id: 'e', exclude_sub_accounts: true, is_inactive: true },
      defaults: { exclude_sub_accounts: false, is_inactive: false },
    },
    {
      call: 'GET /balances',
      state: 'open',
      query: { account_id: 'a', entity_id: 'e', client_id: 'c', order_by: 'usd_volume', order_by_asc: false },
      defaults: { order_by: 'usd_volume', order_by_asc: false },
    },
    { call: 'GET /accounts/{id}/balances/snapshots', state: 'open', query: { as_of: '2026-08-31', initial_balance: true } },
    { call: 'GET /accounts/{id}/balances/snapshots/list', state: 'open', query: snapshots },
    {
      call: 'POST /integration/submission/snapshot_and_transactions_job',
      state: 'open',
      body: { account_id: 'a', entity_id: 'e', sync_type: 'snapshot_and_transactions' },
    },
  ],
  DeFi: [
    { call: 'GET /defi_accounts/{id}', state: 'open' },
    { call: 'POST /defi_accounts', state: 'open' },
    { call: 'PUT /defi_accounts/{accountId}', state: 'open' },
    { call: 'DELETE /defi_accounts/{id}', state: 'open' },
    {
      call: 'GET /defi_balances/{id}',
      state: 'open',
      query: { order_by: 'usd_volume', order_by_asc: false },
      defaults: { order_by: 'usd_volume', order_by_asc: false },
    },
    { call: 'GET /defi_accounts/{id}/defi_balances/snapshots/list', state: 'open', query: snapshots, limit: 100 },
  ],
  'Custodians and credentials': [
    { call: 'GET /custodians/{id}', state: 'done' },
    {
      call: 'GET /custodians/',
      state: 'done',
      query: { limit: 500, name: 'a', custodian_type_id: 'all', active: 'inactive', ...order },
      limit: 500,
      defaults: { custodian_type_id: 'all', active: 'active' },
    },
    { call: 'GET /custodians/types', state: 'done' },
    { call: 'GET /custodians/{id}/securities', state: 'open', query: { is_mapped: true, ...page(500) }, limit: 500 },
    { call: 'GET /custodians/unmapped_securities', state: 'open', query: { entity_id: 'e' } },
    { call: 'GET /credentials', state: 'open', query: { client_id: 'c', entity_id: 'e', custodian_id: 'd', skip: 0 } },
  ],
  'Transactions and matches': [
    {
      call: 'GET /transactions',
      state: 'done',
      query: {
        ...page(100),
        account_id: 'a',
        entity_id: 'e',
        start_date: '2026-08-01',
        end_date: '2026-08-31',
        security_id: ['a', 'b'],
        custodian_security_ids: ['a', 'b'],
        custodian_id: ['a', 'b'],
        trx_type_id: [1, 2],
        manual_trx: true,
        updated_trx: true,
        unpriced_trx: true,
        is_unidentified: true,
        newest_first: true,
      },
      limit: 100,
    },
    { call: 'GET /transactions/select', state: 'done', query: { trx_id: 'a', primary_trx_type_id: 1, account_id: 'a' } },
    { call: 'GET /transactions/types/groups', state: 'done' },
    { call: 'GET /transaction_matches', state: 'done', query: { ...matches, limit: 50, offset: 10 } },
    { call: 'GET /transaction_matches/defi', state: 'open', query: { ...matches, limit: 50, offset: 10 } },
    // a count is of the whole list: the specification gives the four calls one set of parameters, of which a page is none of a count's
    { call: 'GET /transaction_matches/count', state: 'done', query: matches },
    { call: 'GET /transaction_matches/defi/count', state: 'open', query: matches },
  ],
  'Private assets': [
    { call: 'GET /private_assets/{entityId}/summary', state: 'open' },
    { call: 'GET /private_assets/{entityId}/asset_list', state: 'open' },
    { call: 'POST /private_assets/{entityId}/initial_purchase', state: 'open' },
    { call: 'PUT /private_assets/{entityId}/{assetId}', state: 'open' },
    { call: 'DELETE /private_assets/{entityId}/{assetId}', state: 'open' },
    { call: 'GET /private_assets/{entityId}/{assetId}/price_history/list', state: 'open' },
    {
      call: 'POST /private_assets/{entityId}/{assetId}/update_price',
      state: 'open',
      body: { price: '1.5', effective_at: '2026-08-31T00:00:00.000Z' },
    },
    { call: 'GET /private_assets/{entityId}/{assetId}/transactions', state: 'open' },
    { call: 'POST /private_assets/{entityId}/{assetId}/transactions', state: 'open' },
    { call: 'PUT /private_assets/{entityId}/{assetId}/transactions/{id}', state: 'open' },
    { call: 'DELETE /private_assets/{entityId}/{assetId}/transactions/{id}', state: 'open' },
    { call: 'POST /private_assets/{entityId}/{assetId}/corporate_actions', state: 'open' },
    { call: 'GET /private_assets/{entityId}/{assetId}/corporate_actions/{id}', state: 'open' },
    { call: 'PUT /private_assets/{entityId}/{assetId}/corporate_actions/{id}', state: 'open' },
    { call: 'DELETE /private_assets/{entityId}/{assetId}/corporate_actions/{id}', state: 'open' },
    { call: 'GET /private_assets/{entityId}/{assetId}/asset_notes', state: 'open' },
    { call: 'POST /private_assets/{entityId}/{assetId}/asset_notes', state: 'open' },
    { call: 'DELETE /private_assets/{entityId}/{assetId}/asset_notes/{id}', state: 'open' },
    { call: 'GET /private_assets/{entityId}/{assetId}/transactions/{id}/notes', state: 'open' },
    { call: 'POST /private_assets/{entityId}/{assetId}/transactions/{id}/notes', state: 'open' },
    { call: 'DELETE /private_assets/{entityId}/{assetId}/transactions/{id}/notes/{noteId}', state: 'open' },
    { call: 'GET /private_assets/{entityId}/{assetId}/asset_documents', state: 'open' },
    { call: 'POST /private_assets/{entityId}/{assetId}/asset_documents', state: 'open', bodyAs: 'multipart' },
    { call: 'GET /private_assets/{entityId}/{assetId}/transactions/{id}/documents', state: 'open' },
    { call: 'POST /private_assets/{entityId}/{assetId}/transactions/{id}/documents', state: 'open', bodyAs: 'multipart' },
    { call: 'DELETE /private_assets/{entityId}/documents/{docId}', state: 'open' },
    { call: 'GET /private_assets/{entityId}/documents/{docId}/download', state: 'open' },
  ],
  'Securities and pricing': [
    {
      call: 'GET /securities/',
      state: 'done',
      query: {
        price_source_id: '1',
        ...page(100),
        order_by: 'ticker',
        order_by_asc: false,
        security_name: 'a',
        security_type_id: 3,
        ticker: 'USD',
        dart_security_id: 'd',
      },
      limit: 100,
    },
    { call: 'GET /securities/security', state: 'done', query: { security_ticker: 'USD', security_type_id: 3 } },
    { call: 'GET /securities/types', state: 'done', query: { category: 'default' }, defaults: { category: 'default' } },
    { call: 'GET /securities/sub_types', state: 'open' },
    {
      call: 'GET /pricing/sources/{id}/security_master',
      state: 'open',
      query: { ...page(100), security_name: 'a', security_type_id: 3, ticker: 'USD', dart_security_id: 'd', full_join: true },
      limit: 100,
      defaults: { full_join: false },
    },
    { call: 'GET /pricing/sources/securities', state: 'open' },
  ],
  'Raw data and reports': [
    {
      call: 'GET /raw_data/',
      state: 'done',
      query: { account_id: 'a', credential_id: 'c', is_processed: '-1', ...page(20) },
      limit: 20,
      lacks: ['credential_id'],
    },
    { call: 'GET /raw_data/{id}/payload', state: 'open' },
    { call: 'GET /raw_data/{id}/download', state: 'open' },
    { call: 'GET /raw_data/{id}/api_requests', state: 'open' },
    {
      call: 'GET /snapshot_raw_data',
      state: 'open',
      query: { ...page(20), account_id: 'a', defi_account_id: 'd', credential_id: 'c', status: ['PROCESSED', 'FAILED'] },
      limit: 20,
    },
    { call: 'GET /snapshot_raw_data/{id}/payload', state: 'open' },
    { call: 'GET /reports/', state: 'open', query: { organization_id: 'o', ...page(10) }, limit: 10 },
    { call: 'GET /reports/{id}', state: 'open' },
  ],
  'Support and system': [
    { call: 'GET /ticket/history', state: 'done', query: { reporter: 'a@example.org' } },
    {
      call: 'POST /ticket/submit',
      state: 'done',
      body: { headline: 'a', description: 'b', priority: 'low', reporter: 'a@example.org' },
    },
    { call: 'POST /ticket/attachment/{ticketId}', state: 'done', body: { fileName: 'a.png' }, bodyAs: 'multipart' },
    { call: 'GET /diagnosis', state: 'done' },
    {
      call: 'GET /cron_jobs/get_jobs',
      state: 'done',
      // the id of a job type is found by its name
      query: { job_type_id: jobTypeIds.traditional, include_job_count: true },
      defaults: { job_type_id: 'traditional', include_job_count: true },
    },
  ],
};
