/** What an address the provider sends people back to holds. */
export interface OauthSearch {
  code?: string;
  state?: string;
  /** The provider's own name. */
  iss?: string;
  error?: string;
}

/** Reads the address; whatever else it holds is left out. */
export function readOauthSearch(raw: Record<string, unknown>): OauthSearch {
  const fields = ['code', 'state', 'iss', 'error'] as const;
  return Object.fromEntries(fields.flatMap((name) => (typeof raw[name] === 'string' && raw[name] !== '' ? [[name, raw[name]]] : [])));
}

/** What the address says went wrong, in our words: nothing in it but a code is shown, for anybody may have written it. */
export function providerProblem({ code, state, error }: OauthSearch): string | null {
  if (error === 'access_denied') return 'You were not signed in: it was cancelled or refused at the provider.';
  if (error !== undefined) return `The provider could not sign you in${/^[a-z_]{1,40}$/.test(error) ? ` (${error})` : ''}.`;
  return code === undefined || state === undefined ? 'This page is only of use on the way back from the sign-in provider.' : null;
}
