// npm run sim:sabotage: plants one fault after another into a copy of the engine and sees that the simulator finds each. A simulator
// that finds nothing proves nothing.

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type PlantedFault, plantedFaults } from './planted-faults.ts';

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '500' }, only: { type: 'string' } } });
const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** Whether the simulator fails on a copy with a fault, within so many seeds. */
async function isFound({ file, find, put }: PlantedFault, seeds: number): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'sabotage-'));
  try {
    for (const part of ['src', 'package.json', 'tests/sim', 'tests/support'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(find).length !== 2) throw new Error(`${file} does not have this text once: ${find}`);
    writeFileSync(
      path,
      text.replace(find, () => put),
    );
    for (let [from, batch] = [1, firstBatch]; from <= seeds; [from, batch] = [from + batch, batch * 2]) {
      const most = String(Math.min(batch, seeds - from + 1));
      const command = [
        '--import',
        'tsx',
        'tests/sim/main.ts',
        '--from',
        String(from),
        '--seeds',
        most,
        '--steps',
        '200',
        '--brief',
        'true',
        '--first',
        'true',
      ];
      const output = await run(process.execPath, command, { cwd: folder, maxBuffer: 1e8 }).then(
        () => null,
        ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
      );
      if (output === null) continue;
      const [told] = /^Seed .*$/m.exec(output) ?? [];
      // a copy that does not even run shows nothing of the simulator
      if (told === undefined) throw new Error(`No seed failed, and yet the run did: ${output.slice(-600)}`);
      return told;
    }
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Seeds before the first look; twice as many before each further one. */
const firstBatch = 20;
let missed = 0;
const chosen = plantedFaults.filter(({ name }) => values.only === undefined || name.includes(values.only));
for (const fault of chosen) {
  const found = await isFound(fault, Number(values.seeds));
  if (found === null) missed += 1;
  console.log(`${found === null ? 'MISSED' : 'found '} ${fault.name}${found === null ? '' : `\n         ${found.slice(0, 180)}`}`);
}
console.log(`${chosen.length} faults, ${missed} missed within ${values.seeds} seeds`);
if (missed > 0) process.exitCode = 1;
