import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { permissionKeys } from './permissions.ts';
import { idSchema, manySchema, textSchema } from './wire.ts';

/** A role: what its name grants is asked for by `listPermissions`. */
export const roleSchema = z.looseObject({
  id: idSchema,
  name: z.string(),
  /** Whoever has it sees every client of the organization without being assigned to it. */
  sees_whole_organization: z.boolean(),
});
export type Role = z.infer<typeof roleSchema>;

/** All roles, those that may most first. */
export const listRoles = defineEndpoint({
  name: 'listRoles',
  method: 'GET',
  path: '/roles',
  permission: 'user_read',
  input: z.object({ query: textSchema(200).optional() }),
  output: z.array(roleSchema),
});

/** A permission key, and which of the roles that were asked about grant it. */
export const grantedPermissionSchema = z.looseObject({ id: z.string(), roles: z.array(idSchema) });
export type GrantedPermission = z.infer<typeof grantedPermissionSchema>;

/**
 * The keys that some roles grant, or those of a person in the organizations one sees; of both, the keys the person has by one of these
 * roles. Without either: what all roles grant.
 */
export const listPermissions = defineEndpoint({
  name: 'listPermissions',
  method: 'GET',
  path: '/permissions',
  permission: 'user_read',
  input: z.object({ roles: manySchema(idSchema), user_id: idSchema.optional() }),
  output: z.array(grantedPermissionSchema),
});

/** Where a key stands among all; one of a newer server comes last. */
export function permissionPlace(key: string): number {
  const place = (permissionKeys as readonly string[]).indexOf(key);
  return place < 0 ? permissionKeys.length : place;
}
