import { describe, expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { withRenewal } from '#api-client/renewal.ts';
import { ApiError } from '#contract/errors.ts';
import { getMe, login, refreshToken } from '#contract/session.ts';
import { getDiagnosis } from '#contract/system.ts';
import { listUsers } from '#contract/users.ts';

/** A server whose session has ended until it is renewed. @param fault what is met there. @param isThere whether it answers how it is. */
function anEndedSession(canRenew: boolean, fault: Error | null = null, isThere = true) {
  const asked: string[] = [];
  let isValid = false;
  const call = (async (endpoint: { name: string }) => {
    asked.push(endpoint.name);
    if (endpoint.name === getDiagnosis.name && isThere) return {};
    if (endpoint.name === refreshToken.name) {
      if (fault) throw fault;
      if (!canRenew) throw new ApiError({ code: 'not_authenticated', detail: 'No access token', isSaid: true });
      isValid = true;
      return {};
    }
    if (!isValid) throw new ApiError({ code: 'not_authenticated', detail: 'Invalid token' });
    return {};
  }) as unknown as ApiCall;
  return { asked, call: withRenewal(call, (work) => work()) };
}

describe('renewal', () => {
  test('[SE15] calls that meet an ended session together renew it once and are asked again', async () => {
    const { asked, call } = anEndedSession(true);
    await Promise.all([call(getMe, {}), call(getMe, {}), call(getMe, {})]);
    expect(asked.filter((name) => name === 'refreshToken')).toHaveLength(1);
    expect(asked.filter((name) => name === 'getMe')).toHaveLength(6);
  });

  test('[SE16] where it cannot be renewed the first refusal stands; signing in never renews', async () => {
    const { asked, call } = anEndedSession(false);
    await expect(call(getMe, {})).rejects.toMatchObject({ detail: 'Invalid token' });
    await expect(call(login, { email: 'a@example.org', password: 'x' })).rejects.toMatchObject({ code: 'not_authenticated' });
    expect(asked).toEqual(['getMe', 'refreshToken', 'login']);
  });

  const said = { isSaid: true };
  test.each([
    ['the network failed', new ApiError({ code: 'network', detail: 'The server could not be reached' }), 'network'],
    ['it took too long', new ApiError({ code: 'timeout', detail: 'The server did not answer in time' }), 'timeout'],
    ['the server failed', new ApiError({ code: 'internal', detail: 'Internal server error', ...said }), 'unavailable'],
    ["a hotel's page came", new ApiError({ code: 'bad_answer', detail: 'The server gave no readable answer' }), 'unavailable'],
    ['somebody else signed in', new ApiError({ code: 'other_user', detail: 'Somebody else is signed in', ...said }), 'other_user'],
    ['the lock for it was taken away', new Error('AbortError'), 'unavailable'],
    ['there is no renewing', new ApiError({ code: 'not_found', detail: 'Not found', ...said }), 'not_authenticated'],
  ])('[SE53] only the server says that a session has ended: %s', async (_, fault, code) => {
    const { call } = anEndedSession(true, fault);
    await expect(call(getMe, {})).rejects.toMatchObject({ code });
  });

  test.each([
    ['the server answers, and it is rather its own', true, 'not_authenticated'],
    ['nothing of the server comes through', false, 'unavailable'],
  ])('[SE53] a page that refuses to renew a session may be anybody’s: %s', async (_, isThere, code) => {
    const { call } = anEndedSession(true, new ApiError({ code: 'not_authenticated', detail: 'The server answered 401' }), isThere);
    await expect(call(getMe, {})).rejects.toMatchObject({ code });
  });

  test('[SE53] a page that refuses one thing, and one that refuses to renew, say nothing of a session in which the person is known', async () => {
    const refusal = new ApiError({ code: 'not_authenticated', detail: 'The server answered 401' });
    const call = (async (endpoint: { name: string }) => {
      if (endpoint.name === getMe.name || endpoint.name === getDiagnosis.name) return {};
      throw refusal;
    }) as unknown as ApiCall;
    await expect(withRenewal(call, (work) => work())(listUsers, {})).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.each([
    [true, 'not_authenticated'],
    [false, 'bad_answer'],
  ])('[SE53] what is refused though the session is new is not the session’s fault, unless the server says so: %s', async (isSaid, code) => {
    const call = (async (endpoint: { name: string }) => {
      if (endpoint.name === refreshToken.name) return {};
      throw new ApiError({ code: 'not_authenticated', detail: 'The server answered 401', isSaid });
    }) as unknown as ApiCall;
    await expect(withRenewal(call, (work) => work())(getMe, {})).rejects.toMatchObject({ code });
  });
});
