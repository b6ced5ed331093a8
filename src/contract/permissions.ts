import { z } from 'zod';

/** The nouns a permission key can name. */
export const permissionNouns = [
  'organization',
  'client',
  'entity',
  'account',
  'transaction',
  'transaction_match',
  'private_asset',
  'custodian',
  'credential',
  'security',
  'price',
  'raw_data',
  'report',
  'user',
  'ticket',
  'audit',
  'period_lock',
] as const;

export type PermissionNoun = (typeof permissionNouns)[number];
export type PermissionKey = `${PermissionNoun}_${'read' | 'write'}`;

/** Every permission key, each noun's read before its write. */
export const permissionKeys: readonly PermissionKey[] = permissionNouns.flatMap((noun): PermissionKey[] => [
  `${noun}_read`,
  `${noun}_write`,
]);

/** Permission key to granted or not, as `GET /users/me` answers it. */
export const permissionMapSchema = z.record(z.string(), z.boolean());
export type PermissionMap = z.infer<typeof permissionMapSchema>;
