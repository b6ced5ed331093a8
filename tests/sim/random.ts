import { openRandom, type Random as Numbers } from '#server/seed/random.ts';

/** Choices that a seed makes: the same seed, the same run. */
export interface Random extends Pick<Numbers, 'unit' | 'below' | 'chance' | 'pick'> {
  uuid: () => string;
}

export function randomOf(seed: string): Random {
  const { unit, below, chance, pick } = openRandom(seed);
  const hex = (digits: number): string => Array.from({ length: digits }, () => below(16).toString(16)).join('');
  return { unit, below, chance, pick, uuid: () => `${hex(8)}-${hex(4)}-7${hex(3)}-a${hex(3)}-${hex(12)}` };
}

/** One of a list by a number from 0 to 1; none of an empty one. */
export function pickBy<T>(from: readonly T[], by: number): T | undefined {
  return from[Math.floor(by * from.length)];
}
