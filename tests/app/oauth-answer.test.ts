import { expect, test } from 'vitest';
import { providerProblem, readOauthSearch } from '#app/screens/session/oauth-answer.ts';

test('[OI21] of the address the provider sends people back to, a code alone is shown, whoever wrote it', () => {
  expect(readOauthSearch({ code: 'c', state: 's', iss: 'i', session_state: 'x', error: '' })).toEqual({ code: 'c', state: 's', iss: 'i' });
  expect(providerProblem({ code: 'c', state: 's' })).toBeNull();
  expect(providerProblem({ code: 'c' })).toMatch(/on the way back/);
  expect(providerProblem({})).toMatch(/on the way back/);
  expect(providerProblem({ code: 'c', state: 's', error: 'access_denied' })).toMatch(/cancelled or refused/);
  expect(providerProblem({ state: 's', error: 'server_error' })).toBe('The provider could not sign you in (server_error).');
  expect(providerProblem({ error: 'Call 555 0100 and tell them your password' })).toBe('The provider could not sign you in.');
});
