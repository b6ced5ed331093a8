import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { rowReads } from '#contract/mutation-calls.ts';
import { mutationNamed } from '#contract/mutations.ts';
import { listClients } from '#contract/clients.ts';
import { listUsers } from '#contract/users.ts';
import { getTicket, getTicketHistory } from '#contract/tickets.ts';
import { editLine } from '#app/shell/outbox-words.ts';
import { isUndecided, keepMine } from '#replica/conflicts.ts';
import { retry } from '#replica/decisions.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { isSameValue } from '#replica/merge.ts';
import { isShown, needsPerson } from '#replica/mutation-states.ts';
import { isOfNewerBuild } from '#replica/newer-builds.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { pendingMutations } from '#replica/outbox.ts';
import type { OutboxRow, Receipt } from '#replica/outbox-tables.ts';
import { isMadeNoun } from '#replica/reducers.ts';
import { rowOfEdit } from '#replica/edited-fields.ts';
import { shownRows } from '#replica/shown-rows.ts';
import { allEntries } from '#tests/support/audit.ts';
import { browsersOn } from '#tests/support/browser.ts';
import { aGrid, anEngine, aWire } from '#tests/support/engine.ts';
import { settleTo } from '#tests/support/flow.ts';
import { pngBytes } from '#tests/support/images.ts';
import { aServer, type TestServer, testNow } from '#tests/support/server.ts';
import { listed } from '#tests/support/stored.ts';
import { keptDatabases, putDatabases, rowsIn } from './released/databases.ts';
import type { Fixture } from './released/fixture.ts';
import { aReleasedPlace, colleagueAfter, doneBefore, fixedId, pairCount, personEmail, places } from './released/place.ts';
import { sendAs } from './released/story.ts';

// What each release left in a browser is what later builds find there.

const folder = join(import.meta.dirname, 'released');
const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture)
  .sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));

const nobodyAnswers = aWire(() => Promise.reject(new TypeError('network')), 'feed');

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  // all of them are of one person, so each begins where there is none
  for (const { name = '' } of await indexedDB.databases())
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(name).onsuccess = resolve;
    });
});

/** A browser as a release left it. */
async function aBrowserOf({ databases }: Fixture) {
  await putDatabases(databases);
  return {
    kept: rowsIn(databases, 'tieout-outbox-', 'mutations') as OutboxRow[],
    receipts: rowsIn(databases, 'tieout-outbox-', 'receipts') as Receipt[],
    aPage: async () => {
      const page = await openReplica(browserStores, places.person, testNow);
      closing.push(async () => closeReplica(page));
      return page;
    },
  };
}

/** The same with the server as that release left it, updated. */
async function anOfficeOf(fixture: Fixture) {
  const { kept, receipts } = await aBrowserOf(fixture);
  const { generation, arrived } = fixture;
  const server: TestServer = await aServer();
  const browsers = browsersOn(() => server);
  closing.push(
    () => browsers.close(),
    () => server.close(),
  );
  await aReleasedPlace(server.database.db);
  if (generation) await server.database.db.execute(sql`update feed_state set server_gen = ${generation}::uuid`);
  const browser = await browsers.signIn(personEmail);
  await doneBefore(browser.call);
  const known = kept.filter((edit) => !isOfNewerBuild(edit));
  const every = [...known, ...arrived.filter(({ id }) => kept.every((edit) => edit.id !== id))];
  const before = await versionsOf(browser.call, every);
  for (const edit of arrived) await sendAs(edit, browser.call);
  const page = await browser.aPage();
  const device = browser.start({ build: 'later' });
  await device.engine.open(browser.session);
  return {
    ...browser,
    kept,
    receipts,
    page,
    edits: () => pendingMutations(page.outbox),
    settle: (states: string[]) => settleTo(states, { outbox: page.outbox, sync: () => device.sync() }),
    /** What the person changed of a row and of what hangs on it, as the audit trail has it. */
    changesOf: async (id: string) => {
      const entries = await allEntries(server.database.db);
      const own = entries.filter((entry) => entry.user_id === places.person && entry.row_id.includes(id));
      return own.map(({ action, noun }) => `${action} ${noun}`).sort();
    },
    /** How many versions newer the row of each edit is than before them; null where it is gone. */
    effects: async () => {
      const after = await versionsOf(browser.call, every);
      return every.map((edit, at) => [edit.name, after[at] === null ? null : (after[at] ?? 0) - (before[at] ?? 0)]);
    },
    /** What they are to be. */
    wanted: every.map((edit) => {
      const own = every.filter((one) => isSameValue(rowOfEdit(one), rowOfEdit(edit)));
      return [edit.name, mutationNamed(edit.name).removes ? null : isCounted(edit) ? own.length : 0];
    }),
  };
}

/** Whether each effect makes the row one version newer. A person's is newer with whatever changes what they may see. */
function isCounted(edit: Pick<OutboxRow, 'name' | 'input'>): boolean {
  const row = rowOfEdit(edit);
  return row !== null && row.noun !== 'users';
}

/** The version of the row each edit is about; null where there is none, 0 where effects are not counted by it. */
function versionsOf(call: ApiCall, edits: readonly Pick<OutboxRow, 'name' | 'input'>[]): Promise<(number | null)[]> {
  const versionOf = async (edit: Pick<OutboxRow, 'name' | 'input'>): Promise<number | null> => {
    const row = rowOfEdit(edit);
    if (!row || !isCounted(edit)) return 0;
    const { endpoint, input } = rowReads[row.noun];
    const found = (await call(endpoint, input(row.id)).catch(() => [])) as
      | { id: string; version: number }
      | { id: string; version: number }[];
    return [found].flat().find(({ id }) => id === row.id)?.version ?? null;
  };
  return Promise.all(edits.map(versionOf));
}

test('[UG5] every release the README names has left its fixture', () => {
  const readme = readFileSync(join(process.cwd(), 'README.md'), 'utf8');
  const released = [...readme.matchAll(/^- (\d+\.\d+\.\d+): /gm)].map((match) => match[1]);
  expect(fixtures.map(({ version }) => version)).toEqual(released.toReversed());
});

describe.each(fixtures.map((fixture) => [fixture.version, fixture] as const))('what %s left', (_version, fixture) => {
  test('[UG1] opens with everything that waits, in its state and as it was, and with what is settled', async () => {
    const { aPage, kept, receipts } = await aBrowserOf(fixture);
    const { outbox } = await aPage();
    expect(kept.length).toBeGreaterThan(0);
    expect(await pendingMutations(outbox)).toEqual(kept);
    expect(await listed(outbox, 'receipts')).toEqual(receipts);
    for (const store of ['blobs', 'drafts'] as const)
      expect(await listed(outbox, store)).toEqual(rowsIn(fixture.databases, 'tieout-outbox-', store));
    expect(kept.filter(isOfNewerBuild)).toEqual([]);
    expect(kept.filter((edit) => !/\w/.test(editLine(edit, false)))).toEqual([]);
  });

  test('[UG2] shows its rows without a network, with the edits laid over them', async () => {
    const { aPage, kept } = await aBrowserOf(fixture);
    const page = await aPage();
    const { engine } = anEngine(
      nobodyAnswers,
      () => testNow,
      () => Promise.resolve(),
    );
    closing.push(() => engine.close(places.person));
    await engine.open({ userId: places.person, apiBaseUrl: 'http://localhost/api', signInId: null });
    const grid = await aGrid(engine, places.client);
    await grid.until(({ count }) => count === 2 * pairCount);
    const marks = kept.filter((edit) => rowOfEdit(edit)?.noun === 'transactions');
    const statesOf = async (): Promise<unknown[]> => {
      const rows = await grid.rows();
      return marks.map((edit) => rows.find(({ id }) => id === rowOfEdit(edit)?.id)?.match_state);
    };
    await expect.poll(statesOf).toEqual(marks.map(({ state }) => (isShown(state) ? 'APPROVED' : 'PENDING')));
    for (const edit of kept) {
      const about = rowOfEdit(edit);
      if (!about || !isMadeNoun(about.noun)) continue;
      const shown = (await shownRows(page, about.noun)).find(({ id }) => id === about.id);
      if (mutationNamed(edit.name).removes) expect([edit.name, shown]).toEqual([edit.name, undefined]);
      else expect([edit.name, shown?.pending?.state]).toEqual([edit.name, expect.any(String)]);
    }
  });

  test('[UG3] reaches the server, each edit once; what waited for the person waits for them, and goes once they say so', async () => {
    const { page, changesOf, edits, settle, kept, receipts, call, effects, wanted } = await anOfficeOf(fixture);
    const stuck = kept.filter(({ state }) => needsPerson(state));
    await settle(stuck.map(({ state }) => state));
    expect(await edits()).toMatchObject(stuck.map(({ id, state, input, title }) => ({ id, state, input, title })));
    for (const edit of stuck) await (isUndecided(edit) ? keepMine(page.outbox, edit) : retry(page.outbox, edit.seq));
    await settle([]);
    expect(await effects()).toEqual(wanted);
    const settled = await listed(page.outbox, 'receipts');
    expect(settled.slice(0, receipts.length)).toEqual(receipts);
    expect(new Map(settled.slice(receipts.length).map(({ id, outcome }) => [id, outcome]))).toEqual(
      new Map(kept.map(({ id }) => [id, 'accepted'])),
    );
    const names = kept.map(({ name }) => name);
    if (names.includes('assignUser')) {
      expect((await call(listUsers, { id: places.colleague }))[0]).toMatchObject(colleagueAfter);
      expect(await changesOf(places.colleague)).toEqual(['create client_assignments', 'update organization_members', 'update users']);
    }
    if (!names.includes('submitTicket')) return;
    const { issues } = await call(getTicketHistory, { reporter: personEmail });
    expect(issues).toHaveLength(1);
    expect((await call(getTicket, { ticket_id: issues[0]?.id ?? '' })).fields.attachment).toMatchObject([{ size: pngBytes.length }]);
  }, 120_000);
});

describe('what a newer build left', () => {
  const newest = fixtures.at(-1) as Fixture;
  /** Edits this build does not know: by their format, their name and their state. */
  const unknown = [{ v: 2 }, { name: 'moveClient' }, { state: 'postponed' }].map((changes, index) => ({
    seq: 1001 + index,
    id: fixedId(1001 + index),
    v: 1,
    name: 'updateClient',
    input: { id: places.renamedClient, client_name: `Newer ${index}` },
    lane: `client:newer-${index}`,
    state: 'queued',
    attempts: 0,
    next_attempt_at: 0,
    created_at: testNow,
    title: `Newer ${index}`,
    client_id: null,
    entity_id: null,
    ...changes,
  }));

  /** The newest fixture as a later build would leave it: a further store and records in databases of later versions. */
  const ofNewer: Fixture = {
    ...newest,
    databases: newest.databases.map((database) => ({
      ...database,
      version: database.version + 1000,
      stores: [
        ...database.stores.map((store) => (store.name === 'mutations' ? { ...store, rows: [...store.rows, ...unknown] } : store)),
        { name: 'newer', keyPath: 'k', autoIncrement: false, indexes: [], rows: [{ k: 'one', value: 1 }] },
      ],
    })),
  };

  test('[UG4] is left untouched, edits and stores this build does not know, and paused; everything else goes on', async () => {
    const { page, edits, settle, call, kept } = await anOfficeOf(ofNewer);
    const stays = kept.filter((edit) => isOfNewerBuild(edit) || needsPerson(edit.state));
    expect(stays.filter(isOfNewerBuild)).toEqual(unknown);
    await settle(stays.map(({ state }) => state));
    expect((await edits()).map(({ id }) => id)).toEqual(stays.map(({ id }) => id));
    expect((await edits()).filter(isOfNewerBuild)).toEqual(unknown);
    for (const edit of unknown) expect(editLine(edit as OutboxRow, true)).toMatch(/newer/i);
    expect((await call(listClients, {})).find(({ id }) => id === places.renamedClient)?.client_name).toBe('Renamed');
    page.outbox.close();
    const [outbox] = await keptDatabases((name) => name.startsWith('tieout-outbox-'));
    expect(rowsIn(outbox ? [outbox] : [], 'tieout-outbox-', 'newer')).toEqual([{ k: 'one', value: 1 }]);
  }, 120_000);
});
