import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteView, listSavedViews, saveView, savedViewLimits, savedViewMessages } from '#contract/saved-views.ts';
import { savedViews } from '#server/database/tables/saved-views.ts';
import { aServer, type TestServer, testNow } from '#tests/support/server.ts';
import { aUser, withReference } from '#tests/support/world.ts';

let server: TestServer;
type Person = Awaited<ReturnType<typeof aPerson>>;
let me: Person;

/** Somebody signed in who holds no role anywhere. */
async function aPerson() {
  const user = await aUser(server.database.db);
  const browser = await server.signedIn(user.email);
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const put = (id: string, body: object, key?: string) =>
    server.app.inject({
      method: 'PUT',
      url: `/api/saved_views/${id}`,
      headers: { cookie, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      payload: body,
    });
  const save = (name: string, changes: Partial<{ id: string; search: string }> = {}) =>
    browser.call(saveView, { id: uuidv7(), name, list: 'transactions', search: 'unpriced=only', ...changes });
  return { user, put, save, call: browser.call, names: async () => (await browser.call(listSavedViews, {})).map((view) => view.name) };
}

beforeAll(async () => {
  server = await aServer();
  await withReference(server.database.db);
});
beforeEach(async () => {
  me = await aPerson();
});
afterAll(() => server.close());

const view = { name: 'Mine', list: 'transactions', search: '' };
const stored = (userId: string) => server.database.db.select().from(savedViews).where(eq(savedViews.user_id, userId));

describe('saved views', () => {
  test('[SV1] a view is made under the id the client gave it, written over by the same id, and listed by name', async () => {
    const first = await me.save('Unpriced in Q3', { search: 'unpriced=only&from=2026-07-01&to=2026-09-30' });
    expect(first).toMatchObject({
      name: 'Unpriced in Q3',
      list: 'transactions',
      search: 'unpriced=only&from=2026-07-01&to=2026-09-30',
      version: 1,
      updated_at: new Date(testNow).toISOString(),
    });
    await me.save('  Airdrops  ');
    expect(await me.save('Q3', { id: first.id, search: '' })).toMatchObject({ id: first.id, name: 'Q3', search: '', version: 2 });
    expect(await me.names()).toEqual(['Airdrops', 'Q3']);
  });

  test('[SV2] another person can neither read nor change nor delete a view, whatever they know of it', async () => {
    const mine = await me.save('Mine', { search: 'account=secret' });
    const other = await aPerson();
    expect(await other.names()).toEqual([]);
    // the same id and name are theirs to use, and touch nothing of mine
    expect(await other.save('Mine', { id: mine.id, search: 'q=theirs' })).toMatchObject({ search: 'q=theirs', version: 1 });
    expect(await me.call(listSavedViews, {})).toEqual([mine]);
    await other.call(deleteView, { id: mine.id });
    expect(await other.names()).toEqual([]);
    expect(await me.call(listSavedViews, {})).toEqual([mine]);
    const superuser = await server.signedIn((await aUser(server.database.db, { is_superuser: true })).email);
    expect(await superuser.call(listSavedViews, {})).toEqual([]);
  });

  test('[SV3] a name used by another of my views is refused in words, whatever its case and blanks, and changes nothing', async () => {
    const taken = await me.save('Größe  offen');
    const other = await me.save('Other');
    for (const name of ['Größe  offen', 'GRÖßE OFFEN', ' größe offen ', 'größe offen'.normalize('NFD')]) {
      const answer = await me.put(other.id, { ...view, name });
      expect([name, answer.statusCode, answer.json()]).toEqual([name, 409, { detail: savedViewMessages.taken }]);
      expect((await me.put(uuidv7(), { ...view, name })).statusCode).toBe(409);
    }
    expect(await me.call(listSavedViews, {})).toEqual([taken, other]);
    // a view may keep its own name, and write it otherwise
    expect(await me.save('GRÖßE offen', { id: taken.id })).toMatchObject({ version: 2 });
  });

  test('[SV3] of two views saved at once under one name one is refused, and neither ends in a fault', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => me.put(uuidv7(), view)));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await me.names()).toEqual(['Mine']);
  });

  test('[SV4] deleting what is gone is fine, and a deleted view can be saved again under its id', async () => {
    const { id } = await me.save('Mine');
    expect(await me.call(deleteView, { id })).toEqual({});
    expect(await me.call(deleteView, { id })).toEqual({});
    expect(await me.call(deleteView, { id: 'never-was' })).toEqual({});
    expect(await me.names()).toEqual([]);
    await me.save('Mine', { id });
    expect(await me.names()).toEqual(['Mine']);
  });

  test('[SV5] names, searches and ids beyond their bounds are refused with 422 and a plain message', async () => {
    const id = uuidv7();
    const messages = async (body: object, at = id) => {
      const answer = await me.put(at, body);
      return [answer.statusCode, answer.json<{ detail: { msg: string }[] }>().detail[0]?.msg];
    };
    for (const name of ['', '   ', '\u0000', '\u200b\u200d', '\ud800'])
      expect([name, ...(await messages({ ...view, name }))]).toEqual([name, 422, savedViewMessages.noName]);
    expect(await messages({ ...view, name: 'x'.repeat(81) })).toEqual([422, savedViewMessages.longName]);
    expect(await messages({ ...view, search: 'q='.padEnd(8_001, 'x') })).toEqual([422, savedViewMessages.longSearch]);
    expect((await messages({ ...view, search: 'q=\u0000' }))[0]).toBe(422);
    expect((await messages({ ...view, list: 'passwords' }))[0]).toBe(422);
    expect((await messages(view, 'not-a-uuid'))[0]).toBe(422);
    expect((await messages(view, '00000000-0000-0000-0000-000000000000'))[0]).toBe(422);
    expect((await messages({}))[0]).toBe(422);
    expect(await stored(me.user.id)).toEqual([]);
    // the longest of each is kept whole
    const longest = { name: '\u{1D160}'.repeat(40), search: 'q='.padEnd(8_000, '€') };
    expect(await me.call(saveView, { id, list: 'transactions', ...longest })).toMatchObject({ search: longest.search });
  });

  test('[SV6] hostile text comes back as the text it is', async () => {
    const texts = [
      `'); drop table saved_views; --`,
      '<img src=x onerror=alert(1)>',
      '\u202egnp.exe',
      '=1+1',
      '{{7*7}}',
      'a\u{1F4B8}b',
      '%00%2e%2e/',
    ];
    for (const text of texts) expect(await me.save(text, { search: text })).toMatchObject({ name: text, search: text });
    expect((await me.names()).sort()).toEqual([...texts].sort());
    // half a character is no text: it is kept as the sign for that
    expect((await me.put(uuidv7(), { ...view, name: 'a\ud800' })).statusCode).toBe(200);
  });

  test('[SV7] one person has 400 views at most, may still change each, and the list is never cut', async () => {
    const rows = Array.from({ length: savedViewLimits.views }, (_, index) => ({
      user_id: me.user.id,
      id: uuidv7(),
      list: 'transactions' as const,
      name: `View ${index}`,
      name_key: `view ${index}`,
      search: '',
      updated_at: new Date(testNow),
    }));
    await server.database.db.insert(savedViews).values(rows);
    const answer = await me.put(uuidv7(), view);
    expect([answer.statusCode, answer.json()]).toEqual([409, { detail: savedViewMessages.full }]);
    expect(await me.save('Changed', { id: rows[0]!.id })).toMatchObject({ version: 2 });
    expect(await me.names()).toHaveLength(savedViewLimits.views);
    expect(savedViewLimits.views).toBeLessThan(savedViewLimits.page);
  });

  test('[SV8] the same key again has no second effect, and a refused save leaves its key free', async () => {
    const [id, key] = [uuidv7(), uuidv7()];
    const first = await me.put(id, view, key);
    const again = await me.put(id, view, key);
    expect([first.statusCode, again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, 200, 'true']);
    expect(again.json()).toEqual(first.json());
    expect((await stored(me.user.id))[0]?.version).toBe(1);
    const [other, otherKey] = [uuidv7(), uuidv7()];
    expect((await me.put(other, view, otherKey)).statusCode).toBe(409);
    expect((await me.put(other, { ...view, name: 'Other' }, otherKey)).statusCode).toBe(200);
  });
});
