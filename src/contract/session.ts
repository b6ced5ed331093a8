import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { permissionMapSchema } from './permissions.ts';
import { countAnswerSchema, flagSchema, idSchema, instantSchema } from './wire.ts';

/** Messages the sign-in form and the server share. */
export const signInMessages = {
  email: 'Enter a valid email address',
  password: 'Enter your password',
  refused: 'Invalid credentials',
} as const;

/** How long the specification lets things last, in milliseconds (section 9). */
export const sessionLimits = {
  accessMs: 60 * 60_000,
  refreshBelowMs: 30 * 60_000,
  inactivityMs: 60 * 60_000,
  onlineMs: 12 * 60 * 60_000,
} as const;

export const signInSchema = z.object({
  email: z.email({ message: signInMessages.email }).max(320),
  password: z.string().min(1, signInMessages.password).max(1024),
});

/** Said at sign-in: the session is to end with the browser. */
export const sharedComputerSchema = z.object({ shared_computer: z.boolean().optional() });

/** `expires_at` is UTC without a zone suffix, as the specification has it. */
export const loginAnswerSchema = z.object({ refresh_token: z.string(), expires_at: z.string() });
export type LoginAnswer = z.infer<typeof loginAnswerSchema>;

export const meSchema = z.looseObject({
  id: idSchema,
  email: z.string(),
  name: z.string().nullable(),
  is_superuser: z.boolean(),
  permissions: permissionMapSchema,
});
export type Me = z.infer<typeof meSchema>;

export const login = defineEndpoint({
  name: 'login',
  method: 'POST',
  path: '/login',
  permission: 'anyone',
  input: signInSchema.extend(sharedComputerSchema.shape),
  output: loginAnswerSchema,
});

/** The cookie wins over the form field when both come. */
export const refreshToken = defineEndpoint({
  name: 'refreshToken',
  method: 'POST',
  path: '/refresh_token',
  permission: 'anyone',
  sendAs: 'form',
  input: z.object({ refresh_token: z.string().max(200).optional() }),
  output: loginAnswerSchema,
});

export const logout = defineEndpoint({
  name: 'logout',
  method: 'POST',
  path: '/logout',
  permission: 'anyone',
  input: z.object({}),
  output: z.object({}),
});

export const getMe = defineEndpoint({
  name: 'getMe',
  method: 'GET',
  path: '/users/me',
  permission: 'signed_in',
  input: z.object({}),
  output: meSchema,
});

/** A sign-in that is still open. `last_renewed_at` tells when it was last in use, to the half hour. */
export const ownSessionSchema = z.looseObject({
  id: idSchema,
  started_at: instantSchema,
  last_renewed_at: instantSchema,
  is_present: z.boolean(),
  /** A device keeps a copy under it that can be removed with it; absent where the server knows of none such. */
  keeps_copy: z.boolean().optional(),
});
export type OwnSession = z.infer<typeof ownSessionSchema>;

/** All open sign-ins of the person who asks, the newest first. */
export const listOwnSessions = defineEndpoint({
  name: 'listOwnSessions',
  method: 'GET',
  path: '/users/me/sessions',
  permission: 'signed_in',
  input: z.object({}),
  output: z.array(ownSessionSchema),
});

/**
 * Ends one of one's own sign-ins; one that has ended already is fine, one of somebody else is not found. With `remove_copy` what its device
 * keeps goes, too, once that reaches the server: not where another open sign-in is on the same device.
 */
export const endOwnSession = defineEndpoint({
  name: 'endOwnSession',
  method: 'DELETE',
  path: '/users/me/sessions/:id',
  permission: 'signed_in',
  input: z.object({ id: idSchema, remove_copy: flagSchema.optional() }),
  output: z.object({}),
});

/** Ends all of one's own sign-ins but the one that asks. */
export const endOtherSessions = defineEndpoint({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/users/me/sessions',
  permission: 'signed_in',
  input: z.object({}),
  output: countAnswerSchema,
});
