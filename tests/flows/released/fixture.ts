import { sql } from 'drizzle-orm';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { rowsOf } from '#server/database/open.ts';
import { anEngine, aWire } from '#tests/support/engine.ts';
import { type TestServer, testNow } from '#tests/support/server.ts';
import { type KeptDatabase, keptDatabases } from './databases.ts';
import { aHand } from './hand.ts';
import { aReleasedPlace, doneBefore, personEmail, places } from './place.ts';
import { type ArrivedEdit, tellStory } from './story.ts';

/** What a released build left in a browser, and what the server knew by then. */
export interface Fixture {
  version: string;
  /** Which database the server had; null where that build's did not tell. */
  generation: string | null;
  arrived: ArrivedEdit[];
  databases: KeptDatabase[];
}

/** Has this build pull, make edits of all kinds in all states, and leave them. The server has no rows of anybody yet. */
export async function makeFixture(server: TestServer, version: string): Promise<Fixture> {
  await aReleasedPlace(server.database.db);
  const { call, fetch } = await server.signedIn(personEmail);
  await doneBefore(call);
  const device = anEngine(aWire(fetch, 'feed'), server.clock.now, () => Promise.resolve());
  await device.engine.open({ userId: places.person, apiBaseUrl: 'http://localhost/api', signInId: null });
  await device.sync();
  await device.engine.close(places.person);
  const page = await openReplica(browserStores, places.person, testNow);
  const arrived = await tellStory(await aHand(page), call);
  closeReplica(page);
  const [state] = await rowsOf<{ server_gen: string }>(server.database.db, sql`select server_gen::text as server_gen from feed_state`);
  return { version, generation: state?.server_gen ?? null, arrived, databases: await keptDatabases() };
}

/** A fixture as it is kept: a line for each store and record, so that what differs can be read. */
export function fixtureText({ databases, ...rest }: Fixture): string {
  const listText = (head: object, name: string, items: readonly string[]): string =>
    `${JSON.stringify(head).slice(0, -1)},"${name}":[${items.map((item) => `\n${item}`).join(',')}]}`;
  const texts = databases.map(({ stores, ...database }) => {
    const held = stores.map(({ rows, ...store }) =>
      listText(
        store,
        'rows',
        rows.map((row) => JSON.stringify(row)),
      ),
    );
    return listText(database, 'stores', held);
  });
  return `${listText(rest, 'databases', texts)}\n`;
}
