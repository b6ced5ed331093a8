import { expect, test } from 'vitest';
import { oauthSettings } from '#server/oauth-settings.ts';

const given = { issuer: 'https://id.example/realm', clientId: 'tieout', clientSecret: 'secret' };
const here = 'https://tieout.example';

test('[OI18] the settings of a provider go together, and only one on this machine may do without TLS', () => {
  expect(oauthSettings({ issuer: undefined, clientId: undefined, clientSecret: '' }, here)).toBeNull();
  expect(oauthSettings(given, here)).toMatchObject({
    issuer: new URL('https://id.example/realm'),
    redirectUri: new URL('https://tieout.example/oauth/callback'),
  });
  for (const missing of ['issuer', 'clientId', 'clientSecret']) {
    expect(() => oauthSettings({ ...given, [missing]: '' }, here)).toThrow(/go together/);
  }
  for (const issuer of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    expect(oauthSettings({ ...given, issuer }, here)?.issuer.href).toBe(`${issuer}/`);
  for (const issuer of ['http://id.example', 'http://localhost.example', 'http://127.0.0.1.example', 'ftp://localhost', 'id.example'])
    expect(() => oauthSettings({ ...given, issuer }, here)).toThrow(/OIDC_ISSUER must be/);
});
