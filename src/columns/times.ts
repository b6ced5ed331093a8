/** One time per row, in whole milliseconds: `base + unit * at[row]`. */
export type TimeColumn = { readonly base: number; readonly unit: number; readonly at: Uint32Array | Float64Array };

/** The times from one to another, both included. */
export type Span = { readonly from: number; readonly to: number };

/** The time of a row. */
export function timeOf({ base, unit, at }: TimeColumn, row: number): number {
  return base + unit * (at[row] as number);
}

/** The narrowest column of descending times: seconds or milliseconds since the last in 32 bits, or as they are where that is too little. */
export function narrowTimes(times: Float64Array): TimeColumn {
  const base = times.at(-1) ?? 0;
  const unit = times.every((time) => (time - base) % 1000 === 0) ? 1000 : 1;
  if (((times[0] ?? 0) - base) / unit > 0xffffffff) return { base: 0, unit: 1, at: times };
  const at = new Uint32Array(times.length);
  for (let row = 0; row < at.length; row++) at[row] = ((times[row] as number) - base) / unit;
  return { base, unit, at };
}
