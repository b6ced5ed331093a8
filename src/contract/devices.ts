import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { deviceIdSchema } from './feed.ts';
import { idSchema, instantSchema, textSchema } from './wire.ts';

/** How many devices of one person are remembered, the ones heard of last. */
export const mostDevices = 50;

const countSchema = z.number().int().min(0).max(1_000_000);

/** Edits that waited on a device when it was heard of last, before its browser cleared what it kept. */
export const lostEditsSchema = z.object({ pending: countSchema, told_at: instantSchema });
export type LostEdits = z.infer<typeof lostEditsSchema>;

/**
 * A device says how many edits wait on it. The browser is known by a cookie that no script reads, so that one that comes back with its
 * databases gone, and therefore under another `device_id`, is told what went with them: every time until it says that it knows. Nothing
 * is remembered of a shared computer.
 */
export const reportDevice = defineEndpoint({
  name: 'reportDevice',
  method: 'PUT',
  path: '/sync/v1/device',
  permission: 'signed_in',
  input: z.object({ device_id: deviceIdSchema, pending: countSchema, knows_loss: z.boolean().default(false) }),
  output: z.object({ lost: lostEditsSchema.nullable() }),
});

/** Why what a device keeps of a person is to go: their account was disabled, or their sign-in there was ended with that wish. */
export const removalReasons = ['disabled', 'revoked'] as const;
export type RemovalReason = (typeof removalReasons)[number];

/** An order that what one device keeps of one person goes. It names both, so that it is nobody else's. */
export const removalSchema = z.object({
  id: idSchema,
  user_id: idSchema,
  device_id: deviceIdSchema,
  reason: z.enum(removalReasons),
  ordered_at: instantSchema,
});
export type Removal = z.infer<typeof removalSchema>;

/**
 * Whether what this device keeps of a person is to go, asked where nobody is signed in any more: the browser is known by its cookie. The
 * answer repeats the question, so that no other answer is taken for one to it. Null where nothing is to go, and for whoever is not known.
 */
export const findRemoval = defineEndpoint({
  name: 'findRemoval',
  method: 'POST',
  path: '/sync/v1/removal',
  permission: 'anyone',
  input: z.object({ question: idSchema, user_id: idSchema, device_id: deviceIdSchema }),
  output: z.object({ question: idSchema, removal: removalSchema.nullable() }),
  asksOnly: true,
});

/** Edits of one kind that went unsent, the kind in words. */
export const lostKindSchema = z.object({ kind: textSchema(80), count: countSchema });
export type LostKind = z.infer<typeof lostKindSchema>;

/** Tells that an order is about to be carried out, and what had not been sent; again, it changes nothing. `lost` is null where nobody could tell. */
export const reportRemoval = defineEndpoint({
  name: 'reportRemoval',
  method: 'PUT',
  path: '/sync/v1/removal',
  permission: 'anyone',
  input: z.object({ id: idSchema, user_id: idSchema, device_id: deviceIdSchema, lost: z.array(lostKindSchema).max(100).nullable() }),
  output: z.object({}),
});
