import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { archiveAsset, listArchivedAssets, unarchiveAsset } from '#contract/archived-assets.ts';
import { createClient, deleteClient } from '#contract/clients.ts';
import type { MutationInput } from '#contract/mutations.ts';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { archivedAssetsOf, archivedByAll } from '#replica/archived-assets.ts';
import { keepMine } from '#replica/conflicts.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { aFlow, settleTo } from '#tests/support/flow.ts';
import type { Speaks } from '#tests/support/engine.ts';
import { testNow } from '#tests/support/server.ts';
import { anArchivedAsset, anOffice, aSecurity } from '#tests/support/world.ts';

const { server, browsers } = aFlow();
const db = () => server.database.db;

/** A laptop of somebody who works in an office, and an asset of their client; `call` is somebody else's hand. */
async function aLaptop(speaks: Speaks) {
  const office = await anOffice(db());
  const security = await aSecurity(db());
  const client_id = office.client.id;
  const id = archivedAssetId(client_id, security.id);
  const browser = await browsers.signIn(office.accountant.email, '', speaks);
  const device = await browser.startSynced();
  const page = await browser.aPage();
  const shown = async () => (await archivedAssetsOf(page)).find((asset) => asset.id === id);
  const add = async <N extends 'archiveAsset' | 'unarchiveAsset'>(name: N, input: MutationInput<N>) =>
    enqueue(page.outbox, {
      id: uuidv7(),
      name,
      input,
      title: name,
      now: testNow,
      clientId: client_id,
      entityId: null,
      seen: (await shown()) ?? null,
    });
  const input = (is_spam: boolean) => ({ id, client_id, security_id: security.id, is_spam });
  return {
    ...browser,
    ...device,
    ...office,
    page,
    id,
    security,
    shown,
    archive: (is_spam = false) => add('archiveAsset', input(is_spam)),
    unarchive: () => add('unarchiveAsset', { id }),
    theirs: (is_spam: boolean) => browser.call(archiveAsset, input(is_spam)),
    stored: async () => (await browser.call(listArchivedAssets, {})).find((asset) => asset.id === id),
    settle: (states: string[]) => settleTo(states, { outbox: page.outbox, sync: () => device.sync() }),
  };
}

describe.each([
  ['that compares versions', 'feed' as const],
  ['that is read first', 'specification' as const],
])('on a server %s', (_what, speaks) => {
  test('[AA8] an asset archived without a network is so at once, reaches the server, and is shown again the same way', async () => {
    const { wire, archive, unarchive, shown, stored, settle, page } = await aLaptop(speaks);
    wire.cut();
    await archive();
    expect(await shown()).toMatchObject({ is_spam: false, version: 0, pending: { state: 'queued' } });
    await archive(true);
    expect(await shown()).toMatchObject({ is_spam: true });
    wire.mend();
    await settle([]);
    expect(await stored()).toMatchObject({ is_spam: true });
    await expect.poll(async () => (await shown())?.pending).toBeNull();

    wire.cut();
    await unarchive();
    expect(await shown()).toBeUndefined();
    await archive();
    expect(await shown()).toMatchObject({ is_spam: false });
    await unarchive();
    wire.mend();
    await settle([]);
    expect(await stored()).toBeUndefined();
    await expect.poll(() => archivedAssetsOf(page)).toEqual([]);
  });

  test('[AA9] two who archive one asset without a network make one row of it; where they differ, the person decides', async () => {
    const { wire, archive, unarchive, theirs, stored, settle, page } = await aLaptop(speaks);
    wire.cut();
    await archive();
    await theirs(false);
    wire.mend();
    await settle([]);
    expect(await stored()).toMatchObject({ is_spam: false, version: 1 });

    // one that somebody called spam meanwhile is not shown again unseen
    wire.cut();
    await unarchive();
    await theirs(true);
    wire.mend();
    await settle(['conflict']);
    expect(await stored()).toMatchObject({ is_spam: true });
    const [edit] = await pendingMutations(page.outbox);
    await keepMine(page.outbox, edit!, []);
    await settle([]);
    expect(await stored()).toBeUndefined();
  });
});

test('[AA10] what others archive comes by the feed, and goes with the client', async () => {
  const { page, id, sync, shown, theirs, call, organization, client } = await aLaptop('feed');
  await theirs(true);
  await expect.poll(async () => (await sync(), (await shown())?.is_spam)).toBe(true);
  await call(unarchiveAsset, { id });
  await expect.poll(async () => (await sync(), await shown())).toBeUndefined();
  await theirs(false);
  await expect.poll(async () => (await sync(), (await shown())?.is_spam)).toBe(false);
  // one stays, so that lists are not empty
  await call(createClient, { id: uuidv7(), organization_id: organization.id, client_name: 'Another' });
  await call(deleteClient, { id: client.id });
  await expect.poll(async () => (await sync(), await page.rows.read(['archived_assets'], (tx) => tx.list('archived_assets')))).toEqual([]);
});

test('[AA11] a list over several clients leaves out what every one of them archived', async () => {
  const { page, sync, client, security, call, organization } = await aLaptop('feed');
  const other = uuidv7();
  await call(createClient, { id: other, organization_id: organization.id, client_name: 'Another' });
  const alone = await aSecurity(db());
  await anArchivedAsset(db(), { client_id: client.id, security_id: security.id });
  await anArchivedAsset(db(), { client_id: client.id, security_id: alone.id, is_spam: true });
  await anArchivedAsset(db(), { client_id: other, security_id: security.id, is_spam: true });
  await expect.poll(async () => (await sync(), (await archivedAssetsOf(page)).length)).toBe(3);
  expect(await archivedByAll(page, [client.id])).toEqual(new Set([security.id, alone.id]));
  expect(await archivedByAll(page, [client.id, other])).toEqual(new Set([security.id]));
  expect(await archivedByAll(page, [])).toEqual(new Set());
});
