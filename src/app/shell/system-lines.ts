import type { OutputOf } from '#contract/endpoint.ts';
import type { getDiagnosis } from '#contract/system.ts';

type Diagnosis = OutputOf<typeof getDiagnosis>;

/** A part of the system as the menu tells of it. */
export interface SystemLine {
  name: string;
  version: string;
  /** Milliseconds as they came; null where nobody knows. */
  latencyMs: number | null;
}

/** The two parts by their places in the answer, which lists them in opposite orders. @source specification section 3, system diagnosis */
export function systemLines({ version_ctrl: versions, latency_info: latencies }: Diagnosis): SystemLine[] {
  const [api, integrations] = versions;
  const [integrationsLatency, apiLatency] = latencies;
  return [
    { name: 'REST API', version: api?.version ?? '–', latencyMs: apiLatency?.latency_ms ?? null },
    { name: 'Exchange integrations', version: integrations?.version ?? '–', latencyMs: integrationsLatency?.latency_ms ?? null },
  ];
}

/** `2 ms`; a dash where nobody knows. */
export function latencyText(ms: number | null): string {
  return ms === null ? '–' : `${ms.toLocaleString('en-US', { maximumFractionDigits: 0 })} ms`;
}
