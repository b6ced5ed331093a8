import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';

/** `GET /config.json`, beside the app and outside the API: where the API is and what this place is called. */
export const runtimeConfigSchema = z.object({
  api_base_url: z.string(),
  environment_name: z.string(),
  support_url: z.string().nullable(),
  /** The OpenID provider one may sign in with, by the words on its button; null where there is none. */
  oauth: z.object({ label: z.string() }).nullable().default(null),
});
export type RuntimeConfig = z.infer<typeof runtimeConfigSchema>;

/** The API's address where no configuration was ever read. */
export const fallbackApiBaseUrl = 'http://localhost:8000/api';

export const diagnosisSchema = z.object({
  version_ctrl: z.array(z.object({ name: z.string(), version: z.string() })),
  latency_info: z.array(z.object({ name: z.string(), latency_ms: z.number().nullable() })),
});

/** Also the readiness probe: answers without a session once the database does. */
export const getDiagnosis = defineEndpoint({
  name: 'getDiagnosis',
  method: 'GET',
  path: '/diagnosis',
  permission: 'anyone',
  input: z.object({}),
  output: diagnosisSchema,
});
