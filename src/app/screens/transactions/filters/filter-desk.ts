import type { TimeZone } from '#domain/dates.ts';
import type { GridResult } from '#workers/start.ts';
import type { SearchChange, TransactionSearch } from '#app/screens/transactions/transaction-search.ts';
import type { Names } from '#app/screens/transactions/use-names.ts';

/** Everything the parts of the filter bar read and do. */
export interface FilterDesk {
  search: TransactionSearch;
  names: Names;
  now: number;
  zone: TimeZone;
  /** The watched query, for counts under it, and its newest answer; null before the first. */
  queryId: string;
  result: GridResult | null;
  /** The answer belongs to the query before. */
  isStale: boolean;
  /** The pasted hashes the address stands for. */
  hashes: readonly string[];
  onChange: (change: SearchChange) => void;
  /** Says what the next change is likely to be, so that its answer is there at once. */
  onPrepare: (change: SearchChange) => void;
  onHashes: (hashes: readonly string[]) => void;
  /** What was pasted and could not be applied yet; it outlives its editor. */
  hashDraft: string | null;
  onHashDraft: (text: string | null) => void;
}
