import { readFileSync } from 'node:fs';
import { createNoticeStore, noticeLimits } from '#app/notice-store.ts';
import { openPreferences } from '#app/preferences.ts';
import { queryBehaviour } from '#app/query-behaviour.ts';
import { rolesStaleMs } from '#app/screens/users/use-roles.ts';
import { meFreshMs } from '#app/session/use-me.ts';
import { cronJobsFreshMs, pollMs } from '#app/screens/system/system-queries.ts';
import { previewMost } from '#app/screens/tickets/screenshot.ts';
import { historyHeight } from '#app/screens/tickets/ticket-history.tsx';
import { organizationSettingsStaleMs } from '#app/use-organization-settings.ts';
import { searchDelayMs } from '#app/ui/use-debounced.ts';
import { listCustodians } from '#contract/custodians.ts';
import { listAvailableEntities, listClientEntities, listClients } from '#contract/clients.ts';
import { listEntities } from '#contract/entities.ts';
import { listRawData } from '#contract/raw-data.ts';
import { listSecurities } from '#contract/securities.ts';
import { sessionLimits } from '#contract/session.ts';
import { listTransactions } from '#contract/transactions.ts';
import { defaultPriceSource } from '#domain/price-sources.ts';
import { referenceSecurities } from '#server/seed/reference.ts';
import { streams } from '#workers/streams.ts';
import tailwind, { breakpoints, palette } from '../../tailwind.config.ts';
import type { LedgerState } from './calls.ts';

/** One value of section 9. `is` gives what the product has; an open one has nothing to ask yet. */
export type LedgerConstant =
  | { item: string; value: unknown; state: Extract<LedgerState, 'done'>; is: () => unknown }
  | { item: string; value: unknown; state: Extract<LedgerState, 'open'> };

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const cacheOf = (noun: string) => () => streams.find((stream) => stream.noun === noun)?.refreshAfterMs;

/** The corner in which an element of the notices stays, by its role. */
const cornerOf = (role: string) => () =>
  [...(new RegExp(`role="${role}"[^>]*?fixed (top|bottom)-\\d+ (left|right)-\\d+`).exec(readFileSync('src/app/notices.tsx', 'utf8')) ?? [])]
    .slice(1)
    .join(' ');

/** How many toasts are to be seen after two were shown, and which. */
function toastsAfterTwo(): unknown {
  const store = createNoticeStore(() => undefined);
  store.toast('info', 'first');
  store.toast('info', 'second');
  return store.snapshot().toast?.text;
}

/** The theme of a browser that has kept nothing, or a word. */
function themeOf(kept: string | null): string {
  const local = { getItem: (key: string) => (key === 'theme' ? kept : null) } as Storage;
  const body = { classList: { toggle: () => false } } as unknown as HTMLElement;
  return openPreferences(local, body, () => undefined).snapshot().theme;
}

/** Section 9, row by row. */
export const constants: Readonly<Record<string, readonly LedgerConstant[]>> = {
  'Pages and limits': [
    { item: 'client list limit', value: 500, state: 'done', is: () => listClients.paging?.limit },
    { item: 'entity list limit', value: 400, state: 'done', is: () => listEntities.paging?.limit },
    { item: 'client entities limit', value: 200, state: 'done', is: () => listClientEntities.paging?.limit },
    { item: 'available entities limit', value: 400, state: 'done', is: () => listAvailableEntities.paging?.limit },
    { item: 'custodian list page', value: 500, state: 'done', is: () => listCustodians.paging?.limit },
    { item: 'custodian securities page', value: 500, state: 'open' },
    { item: 'transactions page', value: 100, state: 'done', is: () => listTransactions.paging?.limit },
    { item: 'securities page', value: 100, state: 'done', is: () => listSecurities.paging?.limit },
    { item: 'DeFi snapshot page', value: 100, state: 'open' },
    { item: 'raw data list', value: 20, state: 'done', is: () => listRawData.paging?.limit },
    { item: 'snapshot raw data list', value: 20, state: 'open' },
    { item: 'reports list', value: 10, state: 'open' },
  ],
  'Sync and session': [
    { item: 'sync de-dup window', value: minute, state: 'open' },
    { item: 'session refresh threshold', value: 30 * minute, state: 'done', is: () => sessionLimits.refreshBelowMs },
    { item: 'inactivity timeout', value: hour, state: 'done', is: () => sessionLimits.inactivityMs },
    { item: 'recent date window, in days', value: 90, state: 'open' },
  ],
  Notices: [
    { item: 'notifications at once', value: 3, state: 'done', is: () => noticeLimits.most },
    { item: 'notifications hide after', value: 5 * second, state: 'done', is: () => noticeLimits.hideAfterMs },
    { item: 'notifications are at the', value: 'bottom left', state: 'done', is: cornerOf('log') },
    { item: 'one toast at a time, the last', value: 'second', state: 'done', is: toastsAfterTwo },
    { item: 'the toast is at the', value: 'top right', state: 'done', is: cornerOf('alert') },
  ],
  Defaults: [
    {
      item: 'USD security: ticker USD, type 3',
      value: [3],
      state: 'done',
      is: () => referenceSecurities.filter(({ ticker }) => ticker === 'USD').map((security) => security.security_type_id),
    },
    { item: 'default price source id', value: '1', state: 'done', is: () => defaultPriceSource.id },
    { item: 'theme values', value: ['light', 'dark'], state: 'done', is: () => ['light', 'dark'].map(themeOf) },
    { item: 'default theme', value: 'light', state: 'done', is: () => themeOf(null) },
    { item: 'search debounce', value: 166, state: 'done', is: () => searchDelayMs },
    { item: 'default balance sort', value: 'usd_volume descending', state: 'open' },
  ],
  Polling: [
    { item: 'running tasks', value: 15 * second, state: 'done', is: () => pollMs.runningTasks },
    { item: 'worker tasks, no retry', value: second, state: 'done', is: () => pollMs.workerTasks },
    { item: 'reports', value: 10 * second, state: 'open' },
  ],
  Cache: [
    { item: 'clients list', value: 10 * minute, state: 'done', is: cacheOf('clients') },
    { item: 'single client', value: 5 * minute, state: 'open' },
    { item: 'organizations', value: 10 * minute, state: 'done', is: cacheOf('organizations') },
    { item: 'organization settings', value: 10 * minute, state: 'done', is: () => organizationSettingsStaleMs },
    { item: 'entity lookups', value: 10 * minute, state: 'done', is: cacheOf('entities') },
    { item: 'balances', value: minute, state: 'open' },
    { item: 'DeFi accounts', value: minute, state: 'open' },
    { item: 'account', value: minute, state: 'open' },
    { item: 'account list', value: 30 * second, state: 'done', is: cacheOf('accounts') },
    { item: 'cron jobs', value: 30 * second, state: 'done', is: () => cronJobsFreshMs },
    { item: 'me', value: minute, state: 'done', is: () => meFreshMs },
    { item: 'securities', value: hour, state: 'done', is: cacheOf('securities') },
    { item: 'custodians', value: 24 * hour, state: 'done', is: cacheOf('custodians') },
    { item: 'roles', value: 24 * hour, state: 'done', is: () => rolesStaleMs },
    {
      item: 'queries are not asked again by themselves or at a focus',
      value: { retry: false, refetchOnWindowFocus: false },
      state: 'done',
      is: () => queryBehaviour,
    },
  ],
  Looks: [
    { item: 'ticket history scrolls above, in pixels', value: 150, state: 'done', is: () => historyHeight },
    { item: 'screenshot preview at most, in pixels', value: [100, 180], state: 'done', is: () => [previewMost.height, previewMost.width] },
    { item: 'breakpoints, in pixels', value: [0, 600, 900, 1200, 1536], state: 'done', is: () => [0, ...Object.values(breakpoints)] },
    { item: 'primary colour', value: '#4bb3fd', state: 'done', is: () => palette.light.primary },
    { item: 'secondary colour', value: '#182c4a', state: 'done', is: () => palette.light.secondary },
    { item: 'radius', value: '8px', state: 'done', is: () => tailwind.theme.borderRadius.DEFAULT },
  ],
};
