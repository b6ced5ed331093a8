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
