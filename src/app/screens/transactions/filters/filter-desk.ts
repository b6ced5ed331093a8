import type { TimeZone } from '#domain/dates.ts';
import type { QuerySource } from '#app/screens/transactions/query-source.ts';
import type { SearchChange, TransactionSearch } from '#app/screens/transactions/transaction-search.ts';
import type { Names } from '#app/screens/transactions/use-names.ts';

/** Everything the parts of the filter bar read and do. */
export interface FilterDesk {
  search: TransactionSearch;
  names: Names;
  now: number;
  zone: TimeZone;
  /** The watched query: for counts under it, and what of the pasted hashes it found. */
  source: QuerySource;
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
