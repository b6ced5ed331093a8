import type { TypeSum } from './engines/engine.ts';
import type { Answer } from './workload/oracle.ts';
import { unitsOf } from './workload/oracle.ts';

/** How far a sum of floats may be off, relative to the sum of a type; engines with decimals must be exact. */
const floatTolerance = 1e-9;

/** Compares an engine's answer with the oracle's, full rows included. @returns the first difference, or null. */
export function differenceBetween(expected: Answer, given: Answer): string | null {
  if (expected.kind === 'sums') return given.kind === 'sums' ? sumsDifference(expected.sums, given.sums) : 'rows came for sums';
  if (given.kind !== 'rows') return 'sums came for rows';
  if (given.count !== expected.count) return `count is ${given.count}, not ${expected.count}`;
  if (given.rows.length !== expected.rows.length) return `${given.rows.length} rows came, not ${expected.rows.length}`;
  for (const [index, row] of expected.rows.entries()) {
    const other = given.rows[index];
    if (other?.id !== row.id) return `row ${index} is ${other?.id}, not ${row.id}`;
    if (canonical(other) !== canonical(row)) return `row ${index} is ${canonical(other)}, not ${canonical(row)}`;
  }
  return null;
}

function sumsDifference(expected: readonly TypeSum[], given: readonly TypeSum[]): string | null {
  if (given.length !== expected.length) return `${given.length} types came, not ${expected.length}`;
  for (const { type, count, usd } of expected) {
    const other = given.find((sum) => sum.type === type);
    if (other?.count !== count) return `type ${type} counts ${other?.count}, not ${count}`;
    if (!sameSum(String(usd), other.usd)) return `type ${type} sums up to ${other.usd}, not ${usd}`;
  }
  return null;
}

function sameSum(expected: string, given: string | number): boolean {
  if (typeof given === 'string') return unitsOf(given) === unitsOf(expected);
  return Math.abs(given - Number(expected)) <= floatTolerance * Math.max(1, Math.abs(Number(expected)));
}

function canonical(row: object): string {
  return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** An answer that is wrong in one way after another: a comparison that lets one of them pass is worthless. */
export function* spoiltAnswers(answer: Answer): Generator<Answer> {
  if (answer.kind === 'sums') {
    const [first, ...others] = answer.sums;
    if (!first) return;
    yield { ...answer, sums: others };
    yield { ...answer, sums: [{ ...first, count: first.count + 1 }, ...others] };
    yield { ...answer, sums: [{ ...first, usd: addUnit(String(first.usd)) }, ...others] };
    yield { ...answer, sums: [{ ...first, usd: Number(first.usd) * (1 + 1e-8) + 1e-8 }, ...others] };
    return;
  }
  yield { ...answer, count: answer.count + 1 };
  const [first, second, ...others] = answer.rows;
  if (!first) return;
  yield { ...answer, rows: answer.rows.slice(1) };
  yield { ...answer, rows: [{ ...first, id: `${first.id}x` }, ...answer.rows.slice(1)] };
  yield { ...answer, rows: [{ ...first, price: '0.1' }, ...answer.rows.slice(1)] };
  if (second) yield { ...answer, rows: [second, first, ...others] };
}

function addUnit(usd: string): string {
  const last = Number(usd.at(-1));
  return `${usd.slice(0, -1)}${(last + 1) % 10}`;
}

/** Makes sure that the comparison finds every fault planted in right answers. Throws where it does not. */
export function proveComparison(answers: readonly Answer[]): number {
  let planted = 0;
  for (const answer of answers) {
    if (differenceBetween(answer, answer) !== null) throw new Error('The comparison refuses a right answer');
    for (const spoilt of spoiltAnswers(answer)) {
      planted++;
      if (differenceBetween(answer, spoilt) === null) throw new Error(`The comparison let a wrong answer pass: ${JSON.stringify(spoilt)}`);
    }
  }
  return planted;
}
