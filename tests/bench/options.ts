import { parseArgs } from 'node:util';
import { type EngineName, engineNames } from './bundles.ts';

export interface Options {
  readonly rows: readonly number[];
  readonly engines: readonly EngineName[];
  /** Where all figures are written as JSON, or null. */
  readonly json: string | null;
  readonly seed: number;
  /** Spoils every answer before it is compared: the run must then fail. */
  readonly isSabotaged: boolean;
  readonly skipsTypes: boolean;
}

export const usage = `npm run bench -- [options]
  --rows 100000,1000000   numbers of rows; above 1,000,000 only ours is run
  --engines ${engineNames.join(',')}
  --json FILE             writes all figures
  --seed 7                another ledger and other questions
  --sabotage              spoils every answer before it is compared; the run must fail
  --skip-types            does not check the types of tests/bench first`;

/** The most rows that the engines beside ours are asked to hold. */
const mostForAll = 1_000_000;

/** Reads the command line. Throws an Error that says what is wrong with it. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: '100000,1000000' },
      engines: { type: 'string', default: engineNames.join(',') },
      json: { type: 'string' },
      seed: { type: 'string', default: '7' },
      sabotage: { type: 'boolean', default: false },
      'skip-types': { type: 'boolean', default: false },
    },
  });
  const rows = values.rows.split(',').map(Number);
  if (!rows.every((count) => Number.isInteger(count) && count >= 1000 && count <= 10_000_000)) {
    throw new Error(`--rows takes numbers from 1000 to 10000000, not ${values.rows}`);
  }
  const engines = values.engines.split(',').map((name) => {
    const known = engineNames.find((each) => each === name);
    if (!known) throw new Error(`There is no engine "${name}"; there are ${engineNames.join(', ')}`);
    return known;
  });
  const seed = Number(values.seed);
  if (!Number.isInteger(seed)) throw new Error(`--seed takes a whole number, not ${values.seed}`);
  return { rows, engines, json: values.json ?? null, seed, isSabotaged: values.sabotage, skipsTypes: values['skip-types'] };
}

/** The engines that are run at a number of rows. */
export function enginesAt(rows: number, engines: readonly EngineName[]): EngineName[] {
  return engines.filter((name) => name === 'columns' || rows <= mostForAll);
}
