import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { loginAnswerSchema, sharedComputerSchema } from './session.ts';

/** What the server says of a sign-in at the provider. */
export const oauthMessages = {
  none: 'This server has no sign-in provider',
  stale: 'This sign-in is no longer valid: it took too long, was used before, or began in another browser',
} as const;

/** Begins a sign-in at the OpenID provider: gives the address to go to, and this browser a cookie that the end asks for. */
export const beginOauth = defineEndpoint({
  name: 'beginOauth',
  method: 'POST',
  path: '/oauth/begin',
  permission: 'anyone',
  input: z.object({}),
  output: z.object({ authorization_url: z.url({ protocol: /^https?$/ }) }),
});

/** Ends it with what the provider sent back; the answer is that of `login`. `iss` comes from providers that name themselves. */
export const finishOauth = defineEndpoint({
  name: 'finishOauth',
  method: 'POST',
  path: '/oauth/finish',
  permission: 'anyone',
  input: z.object({
    code: z.string().min(1).max(4_000),
    state: z.string().min(1).max(200),
    iss: z.string().max(2_000).optional(),
    ...sharedComputerSchema.shape,
  }),
  output: loginAnswerSchema,
});
export type OauthAnswer = z.infer<typeof finishOauth.input>;
