/** The value that a share of all values does not exceed, between two neighbours where it falls between them. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] as number;
  return below + (at - Math.floor(at)) * ((sorted[Math.ceil(at)] as number) - below);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
