import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { loginAnswerSchema, sharedComputerSchema } from './session.ts';
import { idSchema, instantSchema } from './wire.ts';

/** How long an invitation is good for, and how long a password is, in characters. */
export const invitationMs = 7 * 24 * 60 * 60_000;
export const passwordLimits = { shortest: 12, longest: 1024 } as const;

/** Messages the screen and the server share. */
export const invitationMessages = {
  stale: 'This link is no longer good: it was used, replaced, or is too old. Ask your administrator for a new one.',
  keyed: 'An invitation is told once: it takes no idempotency key',
  short: `A password has at least ${passwordLimits.shortest} characters`,
  long: `A password has at most ${passwordLimits.longest} characters`,
} as const;

/**
 * Makes the one open invitation of a person, in place of the one before: with it they choose a password, their first or another. It is
 * told here and nowhere else, and kept as a hash.
 */
export const inviteUser = defineEndpoint({
  name: 'inviteUser',
  method: 'POST',
  path: '/users/:id/invitation',
  permission: 'user_write',
  input: z.object({ id: idSchema }),
  output: z.object({ token: z.string(), expires_at: instantSchema }),
});

export const invitationTokenSchema = z.string().min(1).max(200);

/** Whose invitation it is, for who has it. */
export const lookAtInvitation = defineEndpoint({
  name: 'lookAtInvitation',
  method: 'POST',
  path: '/login/invitation',
  permission: 'anyone',
  input: z.object({ token: invitationTokenSchema }),
  output: z.object({ email: z.string(), expires_at: instantSchema }),
  asksOnly: true,
});

export const newPasswordSchema = z
  .string()
  .min(passwordLimits.shortest, invitationMessages.short)
  .max(passwordLimits.longest, invitationMessages.long);

/** Takes an invitation up, once: sets the password, ends what sessions there were, and begins one. */
export const acceptInvitation = defineEndpoint({
  name: 'acceptInvitation',
  method: 'POST',
  path: '/login/invitation/accept',
  permission: 'anyone',
  input: z.object({ token: invitationTokenSchema, password: newPasswordSchema, ...sharedComputerSchema.shape }),
  output: loginAnswerSchema,
});
