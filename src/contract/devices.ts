import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { deviceIdSchema } from './feed.ts';
import { instantSchema } from './wire.ts';

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
