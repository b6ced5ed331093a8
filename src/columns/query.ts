import type { Condition } from './conditions.ts';
import type { Sort } from './sorting.ts';

/** Which rows, in which order. */
export type Query = {
  /** All must hold. */
  readonly where?: readonly Condition[];
  /** The first is the most significant; ties always end in the default order (time descending, key descending). */
  readonly sort?: readonly Sort[];
};
