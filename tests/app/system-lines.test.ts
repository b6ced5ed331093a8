import { expect, test } from 'vitest';
import { latencyText, systemLines } from '#app/shell/system-lines.ts';

test('[SH4] the foot of the menu tells version and latency of each part by its place in the answer', () => {
  const parts = {
    version_ctrl: [
      { name: 'a', version: '1.2.0' },
      { name: 'b', version: '3.4.5' },
    ],
    latency_info: [
      { name: 'b', latency_ms: 90 },
      { name: 'a', latency_ms: 1.6 },
    ],
  };
  expect(systemLines(parts).map(({ name, version, latencyMs }) => `${name} ${version} ${latencyText(latencyMs)}`)).toEqual([
    'REST API 1.2.0 2 ms',
    'Exchange integrations 3.4.5 90 ms',
  ]);
  expect(
    systemLines({ version_ctrl: [], latency_info: [] }).map(({ version, latencyMs }) => `${version} ${latencyText(latencyMs)}`),
  ).toEqual(['– –', '– –']);
});
