// npm run bench:ui: what a person waits for, in the real app in a real Chromium: keystroke to painted rows and totals, frames while
// flinging, an edit among many rows and among few, and an hour of editing. The demo office's busiest entity is filled up to --rows
// rows (default 1,000,000), written as pages of a pull are; the app, its worker and its server are the real ones.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { demoIdOf } from '../../../src/server/seed/demo-places.ts';
import { aFolder } from '../../support/e2e.ts';
import { browserFrames, browserTimes, editTimes, hourOfEdits, keystrokeTimes, scrollFrames } from './measures.ts';
import { openOffice, withoutTick } from './office.ts';
import { judge, longest, type UiGate, uiGates } from '../gates.ts';
import { median, quantile } from '../statistics.ts';

const few = 1_000;

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, json: { type: 'string' }, edits: { type: 'string', default: '1800' } },
});
const rows = Number(values.rows);
const edits = Number(values.edits);
if (!Number.isInteger(rows) || rows < few) throw new Error(`--rows takes a whole number from ${few} on`);
if (!Number.isInteger(edits) || edits < 1) throw new Error('--edits takes a whole number from 1 on');

interface Gated {
  gate: UiGate;
  measured: number;
}

/** What a frame may take. */
const frameMs = uiGates.fling.bound.atMost;
/** Said beside what a browser took that draws as soon as there is something to draw. */
const untimed = ' *';
const entity = { name: 'Meridian Master Fund LP', id: demoIdOf.entity('Meridian Master Fund LP') };
const work = aFolder('bench-ui');

async function measure() {
  const small = await openOffice({ folder: `${work.path}/few`, entity, rows: few });
  const editFew = await editTimes(small.page);
  await small.close();

  const office = await openOffice({ folder: `${work.path}/many`, entity, rows });
  console.log(`${office.rows.toLocaleString('en-US')} rows in the list\n`);
  const keystroke = await keystrokeTimes(office.page);
  const anew = await browserTimes(office.page);
  const editMany = await editTimes(office.page);
  const hour = await hourOfEdits(office.page, edits, office.memory);
  const page = await office.withTick();
  const keystrokeInTime = await keystrokeTimes(page);
  const ours = await scrollFrames(page);
  const bare = await browserFrames(page, rows);
  await office.close();

  const results: Record<string, readonly number[]> = {
    [`keystroke to painted rows and totals${untimed}`]: keystroke,
    [`all its texts written anew, the browser alone${untimed}`]: anew,
    "keystroke, drawn at a display's pace": keystrokeInTime,
    [`edit, few rows${untimed}`]: editFew,
    [`edit, many rows${untimed}`]: editMany,
    [`edit, before ${edits} others${untimed}`]: hour.first,
    [`edit, after ${edits} others${untimed}`]: hour.last,
    'frame while flinging': ours.flings,
    'the same rows flung by the browser alone': bare.flings,
    'frame after a jump': ours.jumps,
    'the same rows jumped to by the browser alone': bare.jumps,
  };
  const gates: Gated[] = [
    { gate: uiGates.keystroke, measured: quantile(keystroke, 0.95) },
    { gate: uiGates.fling, measured: longest(ours.flings) },
    { gate: uiGates.edit, measured: median(editMany) / median(editFew) },
    { gate: uiGates.latency, measured: median(hour.last) / median(hour.first) },
    { gate: uiGates.memory, measured: hour.memoryAfter / hour.memoryBefore },
  ];
  return { results, gates, answered: hour.answered, jumps: ours.jumps };
}

const { results, gates, answered, jumps } = await measure().finally(() => work.remove());
const number = (value: number, places: number): string => (Number.isFinite(value) ? value.toFixed(places) : '-').padStart(8);
const name = (of: string): string => of.padEnd(66);

console.log(
  `${name('milliseconds')}${'median'.padStart(8)}${'p95'.padStart(8)}${'most'.padStart(8)}${`over ${frameMs}`.padStart(8)}${'times'.padStart(7)}`,
);
for (const [of, times] of Object.entries(results)) {
  const figures = [median(times), quantile(times, 0.95), longest(times)].map((ms) => number(ms, 1)).join('');
  console.log(`${name(of)}${figures}${String(times.filter((ms) => ms > frameMs).length).padStart(8)}${String(times.length).padStart(7)}`);
}
console.log(`\n*  in a browser started with ${withoutTick.join(' ')}: a frame does not wait for a display, which takes up to 17 ms more`);
console.log(`${answered.toLocaleString('en-US')} of ${edits.toLocaleString('en-US')} edits showed (an hour of work is 1,800)\n`);
for (const { gate, measured } of gates)
  console.log(`${name(gate.measure)}${number(measured, 2)}  at most ${gate.bound.atMost}  ${judge(gate, measured)}`);
console.log(`${name('longest frame after a jump through all rows, ms')}${number(longest(jumps), 2)}  told alone`);
if (values.json) writeFileSync(values.json, JSON.stringify({ rows, edits, answered, results, gates }, null, 2));
if (gates.some(({ gate, measured }) => judge(gate, measured) !== 'met')) process.exitCode = 1;
