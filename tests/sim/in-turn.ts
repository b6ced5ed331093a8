import { randomOf } from './random.ts';

/** A run of all tests takes one of so many moments of a routine; `EVERY=1` takes them all, which takes most of an hour. */
const every = Number(process.env.EVERY ?? 8);

/** Those of a routine's moments whose turn it is. By its name each begins elsewhere, so that together they meet every kind of moment. */
export function inTurn(moments: readonly number[], name: string): number[] {
  const first = randomOf(name).below(every);
  return moments.filter((_, index) => index % every === first);
}
