import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { idSchema, instantSchema, limitSchema, textSchema } from './wire.ts';

/** The feed's version this server speaks, and the oldest one it still answers. */
export const feedProtocol = { current: 1, oldest: 1 } as const;

/** The most changes of one page, and the most scopes one asks for. */
export const feedLimits = { page: 2_000, scopes: 20_000 } as const;

/** What a server with a feed can do beside answering the specification's calls. */
export const feedCapabilities = ['changes', 'idempotency', 'client_ids', 'if_match', 'sizes', 'devices'] as const;

/** The nouns whose changes are told. */
export const feedNouns = [
  'organizations',
  'clients',
  'entities',
  'archived_assets',
  'custodians',
  'securities',
  'saved_views',
  'users',
  'accounts',
  'entity_worklists',
  'value_histories',
  'transactions',
  'transaction_matches',
] as const;
export type FeedNoun = (typeof feedNouns)[number];

/** A place in the order of commits. Opaque: kept and handed back as it came, and compared by the server alone. */
export const cursorSchema = z.string().regex(/^\d{1,19}\.\d{1,18}$/, 'Expected a cursor as the server gave it');

/** `user`, `client:<id>` or `entity:<id>`. One that means nothing is as good as one that may not be seen. */
export const scopeKeySchema = textSchema(80);

/** Names this device; the header `X-Device-Id` of a change carries the same. */
export const deviceIdSchema = z.string().min(1).max(200);

export const helloSchema = z.looseObject({
  protocol: z.number().int(),
  server_gen: idSchema,
  server_time: instantSchema,
  min_client: z.number().int(),
  perm_version: z.number().int(),
  floor: cursorSchema,
  max_limit: z.number().int(),
  caps: z.array(z.string()),
});
export type Hello = z.infer<typeof helloSchema>;

/** Whether this server has a feed, and where it stands. A server without one answers 404. `floor` is the oldest cursor it can go on from. */
export const hello = defineEndpoint({
  name: 'hello',
  method: 'GET',
  path: '/sync/v1/hello',
  permission: 'signed_in',
  input: z.object({}),
  output: helloSchema,
});

/**
 * What became of one row: `put` with the row as it is now, `del` where it is no more, `out` where it left what this person
 * may see of the scopes asked for.
 */
export const feedChangeSchema = z.looseObject({
  scope: z.string(),
  noun: z.string(),
  id: idSchema,
  op: z.enum(['put', 'del', 'out']),
  version: z.number().int(),
  row: z.looseObject({ id: idSchema }).optional(),
});
export type FeedChange = z.infer<typeof feedChangeSchema>;

/** The stored answer to a change this device sent. `version` is that of the row it answered with. */
export const feedAckSchema = z.looseObject({
  mutation_id: z.string(),
  status: z.number().int(),
  version: z.number().int().optional(),
  error: z.string().optional(),
});
export type FeedAck = z.infer<typeof feedAckSchema>;

export const feedAnswerSchema = z.looseObject({
  cursor: cursorSchema,
  has_more: z.boolean(),
  server_time: instantSchema,
  perm_version: z.number().int(),
  scopes_gained: z.array(z.looseObject({ key: z.string(), parent: z.string() })),
  scopes_lost: z.array(z.string()),
  changes: z.array(feedChangeSchema),
  acks: z.array(feedAckSchema),
});
export type FeedAnswer = z.infer<typeof feedAnswerSchema>;

/**
 * What changed in these scopes after a cursor, in the order of commits, each row once. Without a cursor: the present one and
 * no changes, to be taken before the lists are read. Refuses with `cursor_too_old` (beside it `floor`, and `resync`, the
 * scopes to read anew), `generation_changed` (another database: everything is read anew) and `client_too_old`.
 */
export const listChanges = defineEndpoint({
  name: 'listChanges',
  method: 'POST',
  path: '/sync/v1/changes',
  permission: 'signed_in',
  input: z.object({
    protocol: z.number().int().min(0).max(1_000),
    device_id: deviceIdSchema,
    server_gen: idSchema,
    cursor: cursorSchema.nullable(),
    scopes: z.array(scopeKeySchema).max(feedLimits.scopes),
    limit: limitSchema(feedLimits.page).prefault(feedLimits.page),
  }),
  output: feedAnswerSchema,
  asksOnly: true,
});

/** How many transactions each entity has that the person may read: what a first pull of it is to bring. */
export const listSizes = defineEndpoint({
  name: 'listSizes',
  method: 'GET',
  path: '/sync/v1/sizes',
  permission: 'transaction_read',
  input: z.object({}),
  output: z.array(z.object({ entity_id: idSchema, transactions: z.number().int().nonnegative() })),
});

/**
 * On the stream of nudges, in milliseconds: how long the changes of a moment are gathered into one nudge, how often one is sent
 * at most, and how often a sign of life. And how many streams one person has at most.
 */
export const nudgeLimits = { gatherMs: 50, everyMs: 1_000, heartbeatMs: 25_000, streams: 6 } as const;

/**
 * Server-Sent Events without content: `event: nudge` says that something one sees may have changed, so it is time to ask
 * for changes. Closed when the session ends.
 */
export const followNudges = defineEndpoint({
  name: 'followNudges',
  method: 'GET',
  path: '/sync/v1/events',
  permission: 'signed_in',
  input: z.object({}),
  output: z.string(),
  answerAs: 'events',
});
