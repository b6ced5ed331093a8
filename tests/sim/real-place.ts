import { sql } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import type { FeedNoun } from '#contract/feed.ts';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { Security } from '#contract/securities.ts';
import { rowsOf } from '#server/database/open.ts';
import { generationOf } from '#server/repositories/change-log.ts';
import { rowsNow } from '#server/repositories/feed-rows.ts';
import type { TestServer } from '#tests/support/server.ts';
import { aClient, aCustodian, anAccount, anEntity, anOrganization, aSecurity, aUser } from '#tests/support/world.ts';
import type { Logged, Place } from './real-server.ts';

/**
 * An office of its own at a server: two clients with three entities, and an accountant who is given each entity, and a third client that
 * is given to them whole; signed in for good.
 */
export async function aPlace({ app, database, signedIn }: TestServer): Promise<Place> {
  const { db } = database;
  const organization = await anOrganization(db);
  const entityIds: string[] = [];
  const custodian = await aCustodian(db);
  await aSecurity(db);
  for (const count of [2, 1]) {
    const client = await aClient(db, { organization_id: organization.id });
    for (let no = 0; no < count; no += 1) {
      const entity = await anEntity(db, { client_id: client.id });
      entityIds.push(entity.id);
      for (let account = 0; account < 2; account += 1) await anAccount(db, { entity_id: entity.id, custodian_id: custodian.id });
    }
  }
  const whole = await aClient(db, { organization_id: organization.id });
  const user = await aUser(db, { role: 'accountant', organizationIds: [organization.id], entityIds, clientIds: [whole.id] });
  const { jar } = await signedIn(user.email);
  // hours pass in a world, and it is not about sessions
  await db.execute(sql`update session_tokens set expires_at = '2100-01-01'
    where session_id in (select id from sessions where user_id = ${user.id}::uuid)`);
  const rows = async (noun: FeedNoun, mine: ReturnType<typeof sql>): Promise<unknown[]> => {
    const ids = await rowsOf<{ id: string }>(db, sql`select id::text as id from ${sql.identifier(noun)} where ${mine}`);
    const found = await rowsNow(
      db,
      { id: user.id, is_superuser: true },
      noun,
      ids.map(({ id }) => id),
    );
    return [...found.values()];
  };
  const ours = sql`(select e.id from entities e join clients c on c.id = e.client_id where c.organization_id = ${organization.id}::uuid)`;
  const [last] = await rowsOf<Logged>(
    db,
    sql`select xid::text as xid, seq::text as seq from change_log order by change_log.xid desc, change_log.seq desc limit 1`,
  );
  return {
    app,
    db,
    userId: user.id,
    cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    wholeClientId: whole.id,
    clients: (await rows('clients', sql`organization_id = ${organization.id}::uuid`)) as Client[],
    entities: (await rows('entities', sql`id in ${ours}`)) as Entity[],
    accounts: (await rows('accounts', sql`entity_id in ${ours}`)) as Account[],
    securities: (await rows('securities', sql`true`)) as Security[],
    generation: (await generationOf(db)) ?? '',
    begins: last ?? null,
  };
}
