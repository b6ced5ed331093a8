import { countWords } from '#domain/count-words.ts';
import { filterWords } from '#domain/filter-words.ts';
import type { GridQuery } from '#workers/start.ts';
import { PrintTable } from '#app/ui/print/print-table.tsx';
import { PrintedWords } from '#app/ui/print/printed-words.tsx';
import { usePrinted } from '#app/ui/print/use-printed.ts';
import { PendingSign } from '#app/shell/pending-sign.tsx';
import { AssetTable } from '#app/screens/transactions/asset-table.tsx';
import type { QuerySource } from '#app/screens/transactions/query-source.ts';
import { totalsOf } from '#app/screens/transactions/selection-totals.ts';
import { UsdTable } from './usd-table.tsx';
import { useGridAnswer } from '#app/screens/transactions/use-grid-query.ts';
import type { Names } from '#app/screens/transactions/use-names.ts';
import type { PrintSheet } from './print-list.ts';

interface PrintedHeadProps {
  query: GridQuery;
  source: QuerySource;
  /** Null where the browser prints what is in view. */
  sheet: PrintSheet | null;
  names: Names;
}

/** Above a list on paper: what it is narrowed to and sorted by, how many rows it has, and how many of them are not settled. */
export function PrintedHead(props: PrintedHeadProps) {
  const isPrinted = usePrinted(() => true);
  return isPrinted ? <HeadWords {...props} /> : null;
}

function HeadWords({ query, source, sheet, names }: PrintedHeadProps) {
  const { result } = useGridAnswer(source);
  const count = sheet ? sheet.rows.length : result?.count;
  const pending = sheet?.rows.filter((row) => row.pending).length ?? 0;
  return (
    <PrintedWords
      words={[
        ...filterWords(query.filter, query.sort, sheet?.names ?? names, query.zone),
        ['Rows', count === undefined ? undefined : count.toLocaleString('en-US')],
        [
          'Edits on their way',
          pending === 0 ? undefined : `${countWords(pending, 'row')} with a sign: the server has not confirmed them yet`,
        ],
      ]}
    />
  );
}

/** Every row of a list. */
export function PrintedRows({ sheet: { rows, columns }, zone }: { sheet: PrintSheet; zone: GridQuery['zone'] }) {
  return (
    <PrintTable
      label="Transactions"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      mark={(row) => (row.pending ? <PendingSign mark={row.pending} zone={zone} /> : null)}
    />
  );
}

/** Below a list on paper: what all its rows come to, in US dollars and per asset. */
export function PrintedTotals(props: Omit<PrintedHeadProps, 'query'>) {
  const isPrinted = usePrinted(() => true);
  return isPrinted ? <Totals {...props} /> : null;
}

function Totals({ source, sheet, names }: Omit<PrintedHeadProps, 'query'>) {
  const { result } = useGridAnswer(source);
  // of the rows that are on the paper, whatever the list has become
  const totals = sheet ? totalsOf(sheet.rows) : result;
  if (!totals || totals.count === 0) return null;
  return (
    <section aria-label="Printed totals" className="hidden pt-4 print:block">
      <UsdTable totals={totals} />
      <AssetTable totals={totals} names={sheet?.names ?? names} />
    </section>
  );
}
