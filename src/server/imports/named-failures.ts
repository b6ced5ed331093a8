import { type ImportAnswer, importLimitBytes } from '#contract/raw-data.ts';

/**
 * The failures an answer names: the first ones, whole, as long as there is room for their reasons and texts; one in any case. The others
 * are counted and kept with their reasons.
 * @param room in characters: as many as a file may have.
 */
export function namedFailures(failures: ImportAnswer['failures'], room = importLimitBytes): ImportAnswer['failures'] {
  let left = room;
  const end = failures.findIndex(({ reason, text }, index) => {
    left -= reason.length + text.length;
    return left < 0 && index > 0;
  });
  return end === -1 ? failures : failures.slice(0, end);
}
