import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { aFolder, startAsShipped } from '#tests/support/e2e.ts';

const data = aFolder('start');
afterAll(() => data.remove());

describe('npm start', () => {
  test('[ST1] a first start seeds, says where to go and how to sign in; SIGTERM and SIGINT close it cleanly; data outlives kill -9', async () => {
    const env = { DATA_DIR: data.path, DEMO_TRANSACTIONS: '2000' };
    const first = await startAsShipped(env);
    expect(first.output()).toContain(first.url);
    expect(first.output().match(/^email: \S+ {2}password: \S+$/gm)).toHaveLength(3);
    expect(first.output()).toMatch(/email: admin@/);
    const config = await fetch(`${first.url}/config.json`);
    expect(await config.json()).toMatchObject({ api_base_url: '/api' });
    expect((await fetch(`${first.url}/api/diagnosis`)).status).toBe(200);
    expect(await (await fetch(`${first.url}/transactions?entity=x`)).text()).toContain('<div id="root">');
    expect((await fetch(`${first.url}/assets/nothing.js`)).status).toBe(404);
    expect(await first.stop('SIGTERM')).toBe(0);

    const second = await startAsShipped({ ...env, SEED: 'none' });
    const login = () =>
      fetch(`${second.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'admin@tieout.example', password: 'tieout-demo-admin-2026' }),
      });
    expect((await login()).status).toBe(200);
    await second.stop('SIGKILL');

    const third = await startAsShipped(env);
    expect(third.output()).not.toContain('Writing demo data');
    expect(await third.stop('SIGINT')).toBe(0);
  }, 120_000);

  test('[ST3] a server that is told to stop waits for no connection on which nothing is asked', async () => {
    const server = await startAsShipped({ DATA_DIR: data.path, SEED: 'none' });
    // as browsers open ahead of need
    const socket = connect(Number(new URL(server.url).port), 'localhost');
    await once(socket, 'connect');
    expect(await server.stop('SIGTERM')).toBe(0);
    socket.destroy();
  }, 60_000);

  test('[ST2] without demo data the first superuser comes from the environment, and bad settings are named', async () => {
    const empty = aFolder('start-empty');
    const server = await startAsShipped({
      DATA_DIR: empty.path,
      SEED: 'none',
      ADMIN_EMAIL: 'owner@example.org',
      ADMIN_PASSWORD: 'a long enough password',
    });
    const body = JSON.stringify({ email: 'owner@example.org', password: 'a long enough password' });
    const answer = await fetch(`${server.url}/api/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(answer.status).toBe(200);
    await server.stop();
    await expect(startAsShipped({ DATA_DIR: empty.path, PORT: 'eighty' })).rejects.toThrow(/PORT must be a whole number/);
    await expect(startAsShipped({ DATA_DIR: empty.path, DEMO_TRANSACTIONS: '-1' })).rejects.toThrow(/DEMO_TRANSACTIONS must be/);
    for (const wrong of ['10.0.0.0/33', '0.0.0.0/0', 'proxy.example.org']) {
      const started = startAsShipped({ DATA_DIR: empty.path, TRUST_PROXY: `loopback, ${wrong}` });
      await expect(started).rejects.toThrow(`TRUST_PROXY must list addresses or networks such as 10.0.0.0/8, not "${wrong}"`);
    }
    empty.remove();
  }, 120_000);
});
