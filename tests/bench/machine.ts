import { median } from './statistics.ts';

/** Over this many times the fastest, others are using the machine and even ratios are not to be trusted. */
const busyRatio = 1.25;

/** Milliseconds that a fixed piece of work takes at this moment, the median of several. */
export function pieceOfWorkMs(): number {
  const times = Array.from({ length: 9 }, () => {
    const numbers = Float64Array.from({ length: 200_000 }, (_, index) => Math.imul(index, 0x9e3779b1));
    const began = performance.now();
    numbers.sort();
    return performance.now() - began;
  });
  return median(times);
}

/** What the same piece of work took around each engine, and whether the machine was left alone; engines are measured minutes apart. */
export function machineLine(around: ReadonlyMap<string, number>): string {
  const fastest = Math.min(...around.values());
  const ratios = Array.from(around, ([engine, ms]) => `${engine} ${(ms / fastest).toFixed(2)}x`).join(', ');
  const isBusy = Math.max(...around.values()) > fastest * busyRatio;
  // one engine's time says nothing beside itself
  const quiet = around.size > 1 ? 'the machine was left alone' : 'with one engine nobody can tell whether the machine was left alone';
  const verdict = isBusy ? 'THE MACHINE WAS BUSY WITH SOMETHING ELSE, so figures and ratios are rough' : quiet;
  return `A fixed piece of work took, around each engine: ${ratios}: ${verdict}`;
}
