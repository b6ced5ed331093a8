// npm run bench:ui: what a person waits for, in the real app in a real Chromium: keystroke to painted rows and totals, frames while
// flinging, an edit among many rows and among few, and an hour of editing. The demo office's busiest entity is filled up to --rows
// rows (default 1,000,000), written as pages of a pull are; the app, its worker and its server are the real ones.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { demoIdOf } from '../../../src/server/seed/demo-places.ts';
import { aFolder } from '../../support/e2e.ts';
import { browserFrames, browserTimes, editTimes, hourOfEdits, keystrokeTimes, scrollFrames } from './measures.ts';
import { openOffice } from './office.ts';
import { median, quantile } from '../statistics.ts';

const few = 1_000;

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, json: { type: 'string' }, edits: { type: 'string', default: '1800' } },
});
const rows = Number(values.rows);
const edits = Number(values.edits);
if (!Number.isInteger(rows) || rows < few) throw new Error(`--rows takes a whole number from ${few} on`);

interface Gate {
  measure: string;
  measured: number;
  /** The largest value that meets it. */
  atMost: number;
}

const shown = (ms: number): string => ms.toFixed(1).padStart(8);
/** What a frame may take. */
const frameMs = 32;
const row = (name: string, times: readonly number[]): string =>
  `${name.padEnd(52)}${shown(median(times))}${shown(quantile(times, 0.95))}${shown(Math.max(...times))}${String(times.filter((ms) => ms > frameMs).length).padStart(8)}${String(times.length).padStart(7)}`;

const entity = { name: 'Meridian Master Fund LP', id: demoIdOf.entity('Meridian Master Fund LP') };
const work = aFolder('bench-ui');
const results: Record<string, readonly number[]> = {};
const gates: Gate[] = [];

async function measure(): Promise<void> {
  const small = await openOffice({ folder: `${work.path}/few`, entity, rows: few });
  results['edit, few rows'] = await editTimes(small.page);
  await small.close();

  const office = await openOffice({ folder: `${work.path}/many`, entity, rows });
  console.log(`${office.rows.toLocaleString('en-US')} rows in the list\n`);
  results['keystroke to painted rows and totals'] = await keystrokeTimes(office.page);
  results['all its texts written anew, the browser alone'] = await browserTimes(office.page);
  results['edit, many rows'] = await editTimes(office.page);
  const hour = await hourOfEdits(office.page, edits, office.memory);
  results['edit, first of the hour'] = hour.first;
  results['edit, last of the hour'] = hour.last;
  const page = await office.withTick();
  const ours = await scrollFrames(page);
  const bare = await browserFrames(page, rows);
  results['frame while flinging'] = ours.flings;
  results['the same rows flung by the browser alone'] = bare.flings;
  results['frame after a jump'] = ours.jumps;
  results['the same rows jumped to by the browser alone'] = bare.jumps;
  await office.close();

  gates.push(
    {
      measure: 'keystroke p95, ms beyond the debounce',
      measured: quantile(results['keystroke to painted rows and totals'], 0.95),
      atMost: 16,
    },
    { measure: 'longest frame while flinging, ms', measured: Math.max(...results['frame while flinging']), atMost: frameMs },
    {
      measure: `edit at ${rows.toLocaleString('en-US')} rows against ${few.toLocaleString('en-US')}`,
      measured: median(results['edit, many rows']) / median(results['edit, few rows']),
      atMost: 1.2,
    },
    { measure: `latency after ${edits} edits against before`, measured: median(hour.last) / median(hour.first), atMost: 1.2 },
    { measure: `memory after ${edits} edits against before`, measured: hour.memoryAfter / hour.memoryBefore, atMost: 1.1 },
  );
}

try {
  await measure();
} finally {
  work.remove();
}

console.log(
  `${'milliseconds'.padEnd(52)}${'median'.padStart(8)}${'p95'.padStart(8)}${'most'.padStart(8)}${`over ${frameMs}`.padStart(8)}${'times'.padStart(7)}`,
);
for (const [name, times] of Object.entries(results)) console.log(row(name, times));
console.log('');
for (const { measure: name, measured, atMost } of gates)
  console.log(`${name.padEnd(52)}${measured.toFixed(2).padStart(8)}  at most ${atMost}  ${measured <= atMost ? 'met' : 'MISSED'}`);
if (values.json) writeFileSync(values.json, JSON.stringify({ rows, results, gates }, null, 2));
if (!gates.every(({ measured, atMost }) => measured <= atMost)) process.exitCode = 1;
