import { columnsOfKeys } from '#domain/file-cells.ts';
import { type FileFormat, transactionsFileName } from '#domain/file-names.ts';
import type { GridQuery } from '#workers/start.ts';
import { useServices } from '#app/services.tsx';

interface ListExport {
  /** Null while it is not known yet: what is shown is another list still. */
  query: GridQuery | null;
  /** Keys of the columns shown, in their order. */
  columns: readonly string[];
  /** Whose transactions they are. */
  place: string;
}

/** Saves all rows of the list as a file: what the filter shows, in its order, with the columns shown. To be called while a click is handled. */
export function useListExport({ query, columns, place }: ListExport): (format: FileFormat) => void {
  const { exports } = useServices();
  return (format) => {
    if (!query) return;
    const keys = columnsOfKeys(columns).map(({ key }) => key);
    void exports.start({ query, format, columns: keys }, transactionsFileName(place, query.filter, format));
  };
}
