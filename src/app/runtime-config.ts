import { fallbackApiBaseUrl, type RuntimeConfig, runtimeConfigSchema } from '#contract/system.ts';
import { keptKeys, type LocalStorage } from './kept-keys.ts';

const { key } = keptKeys.runtimeConfig;

function kept(local: LocalStorage): RuntimeConfig | null {
  try {
    const parsed = runtimeConfigSchema.safeParse(JSON.parse(local.getItem(key) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/**
 * Reads where the API is: from `/config.json`, else the last one read, else the development address.
 * @param waitMs longest wait for an answer where an older one is kept, so that a dead network does not hold the app up.
 */
export async function readRuntimeConfig(fetch: typeof globalThis.fetch, local: LocalStorage, waitMs = 2_000): Promise<RuntimeConfig> {
  const last = kept(local);
  try {
    const response = await fetch('/config.json', { cache: 'no-store', signal: AbortSignal.timeout(last ? waitMs : 10_000) });
    const parsed = runtimeConfigSchema.safeParse(response.ok ? await response.json() : null);
    if (parsed.success) {
      local.setItem(key, JSON.stringify(parsed.data));
      return parsed.data;
    }
  } catch {
    // offline, or a network that answers with a page of its own: the last good one holds
  }
  return last ?? { api_base_url: fallbackApiBaseUrl, environment_name: '', support_url: null, oauth: null };
}

/** The API's address as workers need it: absolute, without a trailing slash. */
export function absoluteBase(config: RuntimeConfig, origin: string): string {
  return new URL(config.api_base_url, origin).href.replace(/\/+$/, '');
}
