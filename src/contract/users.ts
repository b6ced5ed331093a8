import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { flagSchema, formOptionalSchema, idSchema, instantSchema, newIdSchema, orderFields, pageFields, textSchema } from './wire.ts';

/** The role a person has in an organization. */
export const membershipSchema = z.object({ organization_id: idSchema, role_id: idSchema });
export type Membership = z.infer<typeof membershipSchema>;

/** A person as somebody sees them who may see users: of organizations, clients and entities only those that are in sight are told. */
export const userSchema = z.looseObject({
  id: idSchema,
  email: z.string(),
  name: z.string().nullable(),
  is_enabled: z.boolean(),
  is_superuser: z.boolean(),
  /** By organization. */
  memberships: z.array(membershipSchema),
  /** Clients assigned whole, and entities assigned one by one, each by id. */
  client_ids: z.array(idSchema),
  entity_ids: z.array(idSchema),
  /** Whoever asks may change all of the person's account: they administer every organization the person works for. */
  is_administered: z.boolean(),
  /** The day of the last sign-in; null where there was none. */
  last_sign_in_on: z.string().nullable(),
  /** Until when the invitation that is open may be taken up. */
  invited_until: instantSchema.nullable(),
  version: z.number().int(),
});
export type User = z.infer<typeof userSchema>;

/** Messages the screens and the server share. */
export const userMessages = {
  email: 'Enter a valid email address',
  taken: 'Another user has this email address already',
  elsewhere: 'This person also works for an organization you do not administer, or may do more than you. Ask a superuser.',
  yourself: 'You cannot disable yourself',
  ownRole: 'You cannot take your own administration away',
  lastAdministrator: 'The last administrator of an organization stays',
  lastSuperuser: 'The last superuser stays',
  tooMuch: 'You can give and take only roles that may do no more than you',
  unknownRole: 'There is no such role',
  notThere: 'This person does not work for that organization',
  disabled: 'Enable this person first',
  ownInvitation: 'Another administrator makes the link for your own account',
} as const;

const enabledSchema = z.union(
  [
    z.literal('all').transform(() => undefined),
    z.boolean(),
    z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'], case: 'sensitive' }),
  ],
  { error: 'Expected all, true or false' },
);

/** The people of the organizations one sees, by e-mail. */
export const listUsers = defineEndpoint({
  name: 'listUsers',
  method: 'GET',
  path: '/users',
  permission: 'user_read',
  input: z.object({
    user_enabled: enabledSchema.prefault('all'),
    email: textSchema(320).optional(),
    organization_id: idSchema.optional(),
    /** One person alone. */
    id: idSchema.optional(),
    ...orderFields(['id', 'email', 'name', 'is_enabled']),
    ...pageFields(500),
  }),
  output: z.array(userSchema),
  paging: { by: 'skip', limit: 500 },
});

/** An e-mail address as it is kept: small letters, so that one address is one person. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email({ message: userMessages.email }).max(320, userMessages.email));

export const userFieldsSchema = z.object({ name: formOptionalSchema('Name', 200), is_enabled: flagSchema });

export const createUserInputSchema = z.object({
  id: newIdSchema,
  email: emailSchema,
  name: userFieldsSchema.shape.name,
  organization_id: idSchema,
  role_id: idSchema,
});
export type CreateUserInput = z.infer<typeof createUserInputSchema>;

/** Makes a person known, with a role in one organization. They sign in once they took up an invitation, or by the provider. */
export const createUser = defineEndpoint({
  name: 'createUser',
  method: 'POST',
  path: '/users',
  permission: 'user_write',
  input: createUserInputSchema,
  output: userSchema,
  ifMatch: { noun: 'users', id: 'id' },
});

export const updateUserInputSchema = z.object({ id: idSchema, ...userFieldsSchema.shape });
export type UpdateUserInput = z.infer<typeof updateUserInputSchema>;

/** Changes the person's account, which is one for all organizations. Disabling ends every session at once. */
export const updateUser = defineEndpoint({
  name: 'updateUser',
  method: 'PUT',
  path: '/users/:id',
  permission: 'user_write',
  input: updateUserInputSchema,
  output: userSchema,
  ifMatch: { noun: 'users', id: 'id' },
});

export const setUserRoleInputSchema = z.object({ id: idSchema, organization_id: idSchema, role_id: idSchema.nullable() });
export type SetUserRoleInput = z.infer<typeof setUserRoleInputSchema>;

/** Gives a person a role in an organization, in place of the one they have; null takes them out of it, with all that is assigned to them there. */
export const setUserRole = defineEndpoint({
  name: 'setUserRole',
  method: 'PUT',
  path: '/users/:id/organizations/:organization_id',
  permission: 'user_write',
  input: setUserRoleInputSchema,
  output: userSchema,
  ifMatch: { noun: 'users', id: 'id' },
});

/** What a person sees of a client: all of it, since it is assigned to them or their role sees everything, or some entities. */
export const userClientSchema = z.looseObject({
  id: idSchema,
  client_name: z.string(),
  organization_id: idSchema,
  is_assigned: z.boolean(),
  is_seen_by_role: z.boolean(),
  entities: z.array(z.object({ id: idSchema, label: z.string() })),
});
export type UserClient = z.infer<typeof userClientSchema>;

/** The clients a person sees, of those whoever asks sees, by id. `entities` are those that are assigned one by one. */
export const listUserClients = defineEndpoint({
  name: 'listUserClients',
  method: 'GET',
  path: '/users/:id/clients',
  permission: 'user_read',
  input: z.object({ id: idSchema }),
  output: z.record(idSchema, userClientSchema),
});

const idsSchema = z.array(idSchema).max(5_000).prefault([]);

export const assignUserInputSchema = z.object({
  id: idSchema,
  assign_clients: idsSchema,
  unassign_clients: idsSchema,
  assign_entities: idsSchema,
  unassign_entities: idsSchema,
});
export type AssignUserInput = z.infer<typeof assignUserInputSchema>;

/**
 * Assigns clients and entities to a person and takes others away, all or nothing. It says what is to change and not what is to be:
 * nobody who sees a part of somebody's assignments writes over the rest.
 */
export const assignUser = defineEndpoint({
  name: 'assignUser',
  method: 'PUT',
  path: '/users/:id/clients',
  permission: 'user_write',
  input: assignUserInputSchema,
  output: userSchema,
  ifMatch: { noun: 'users', id: 'id' },
});
