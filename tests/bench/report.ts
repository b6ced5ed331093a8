import type { EngineName } from './bundles.ts';
import { type Figures, type Gate, gateRows, gates, judge, longest, uiGates, type Verdict, wholeEdits } from './gates.ts';
import type { Measured } from './measure.ts';
import { median, quantile } from './statistics.ts';
import { questionNames } from './workload/questions.ts';

/** What each engine is and which choices were made for it, for the reader of the tables. */
export const legend = `q1  10-15 accounts, two years, 4 types, a flag: count and newest 50   q1w  the same, wide: 60% of accounts, 80% of days, 20 types
q2  one entity by signed dollars: count and first 50                  q3   6-8 characters in hash or description: count and newest 50
q4  count and sum of signed dollars per type over 80% of the days     rows the full rows of the 50 scattered ones that q2 finds
Cells are median / p95 in ms. q1 to q3 end with what the engine fetches rows by (ours: places, sqlite and duckdb: row numbers, Dexie: ids).
columns  ColumnSet over IndexedDB, asked as the query worker asks it. Exact.
sqlite   sqlite-wasm on OPFS (opfs-sahpool, 256 MiB cache), a column per field, the six indexes a list filtered by any field would have, the
         best one named by INDEXED BY, made after the last page. Sums exact as whole 10^-8 dollars, which not every amount would fit.
duckdb   duckdb-wasm, exception-handling build, blocking bindings, database file on OPFS, rows newest first, a column per field asked for,
         row as JSON text, uncompressed (3 times faster to fetch). Exact the same way.
arquero  typed arrays sorted once, ids numbered, compiled expressions. Sums are floats, compared within 10^-9. Stores nothing.
objects  array of objects sorted once, binary search for dates, top 50 in one pass. Sums are floats, compared within 10^-9. Stores nothing.
dexie    a record a row; q1 reads through [account+time], q2 from [entity+usd+time], the rest by reading all rows 10,000 at a time. Sums are floats.
cold open: a new browser on the stored profile, from before the worker starts to the newest 50 rows; "with count" also the number of all rows.
writes: pages of 5,000 rows, as our server gives them, each durable before the next as far as the browser's default is; indexes made afterwards count too, but for Dexie,
which writes with two. Engines slower than 0.3 s a question are timed while they are checked, and asked fewer. memory: page and worker as the browser counts them, with WebAssembly; what its own processes hold is not in it.`;

type Row = readonly string[];

function table(head: Row, rows: readonly Row[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: Row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map((row) => line(row).join('  ')).join('\n');
}

function ms(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}

function rounded(ratio: number): string {
  return ratio >= 100 ? Math.round(ratio).toLocaleString('en') : ratio.toPrecision(2);
}

function times(values: readonly number[] | null): string {
  return values === null || values.length === 0 ? '-' : `${ms(median(values))} / ${ms(quantile(values, 0.95))}`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** The figures of all engines at one number of rows. */
export function figuresTable(measured: readonly Measured[], sizes: ReadonlyMap<string, number>): string {
  const head = ['engine', ...questionNames, 'rows', 'cold open', 'with count', 'writes/s', 'memory', 'gzip'];
  const rows = measured.map((each) => [
    each.engine,
    ...questionNames.map((name) => times(each.questions[name].times)),
    times(each.fetch),
    times(each.coldOpen),
    times(each.coldOpenCounted),
    each.coldOpen === null ? '-' : Math.round((each.rows / each.fillMs) * 1000).toLocaleString('en'),
    megabytes(each.scriptBytes + each.wasmBytes),
    sizeOf(each.engine, sizes),
  ]);
  return table(head, rows);
}

function sizeOf(engine: EngineName, sizes: ReadonlyMap<string, number>): string {
  const kilobytes = (name: string) => `${Math.round((sizes.get(name) ?? 0) / 1000)} KB`;
  if (engine === 'objects') return '-';
  return engine === 'columns' ? `${kilobytes('columns')} (${kilobytes('replica')} with replica)` : kilobytes(engine);
}

/** How many times longer than ours the others take, by medians. */
export function ratiosTable(measured: readonly Measured[]): string | null {
  const ours = measured.find(({ engine }) => engine === 'columns');
  if (!ours || measured.length < 2) return null;
  const ratio = (of: (each: Measured) => readonly number[] | null) => (each: Measured) => {
    const [theirs, own] = [median(of(each) ?? []), median(of(ours) ?? [])];
    return Number.isNaN(theirs) ? '-' : `${rounded(theirs / own)}x`;
  };
  const columns = [
    ...questionNames.map((name) => ratio(({ questions }) => questions[name].times)),
    ratio(({ fetch }) => fetch),
    ratio(({ coldOpen }) => coldOpen),
    ratio(({ coldOpenCounted }) => coldOpenCounted),
    ratio(({ coldOpen, fillMs }) => coldOpen && [fillMs]),
  ];
  const rows = measured.map((each) => [each.engine, ...columns.map((column) => column(each))]);
  return table(['times ours', ...questionNames, 'rows', 'cold open', 'with count', 'writing'], rows);
}

/** Who could not be asked everything. */
export function checkedLines(measured: readonly Measured[], asked: number): string {
  const whole = measured.filter(({ questions }) => questionNames.every((name) => questions[name].checked === asked));
  const partly = measured.filter((each) => !whole.includes(each));
  const names = whole.map(({ engine }) => engine).join(', ');
  return [
    `Checked against the oracle, count, sums and full rows: ${names || 'none'} on all ${asked} questions of each kind`,
    ...partly.map(({ engine, questions }) => {
      const counts = questionNames.map((name) => `${name} ${questions[name].checked} (timed ${questions[name].times.length})`);
      return `  ${engine}, too slow for all: ${counts.join(', ')}`;
    }),
  ].join('\n');
}

/** The parts of an edit, at both sizes. */
export function editLines({ engines, smallEdits }: Figures): string | null {
  const large = engines.get('columns');
  if (!large?.edit || !smallEdits) return null;
  const line = (rows: number, edits: typeof smallEdits) =>
    `  ${rows.toLocaleString('en').padStart(10)} rows: setEdits ${times(edits.edit)}, q1w again with its 50 rows ${times(edits.again)}, both ${times(wholeEdits(edits))}`;
  return `An edit of one row that is shown (q1w stands: at 1,000 rows q1 finds nothing):\n${line(1000, smallEdits)}\n${line(large.rows, large.edit)}`;
}

/** What no turn should take. */
const turnMs = 8;

/** How long a query may have to wait for the sorting of rows. */
export function turnLines({ engines }: Figures): string | null {
  const turns = engines.get('columns')?.turns;
  if (!turns) return null;
  const line = (name: string, ofThem: readonly number[]) =>
    `  ${name}: ${ofThem.length.toLocaleString('en')}, ${times(ofThem)}, longest ${ms(longest(ofThem))}, ${ofThem.filter((turn) => turn > turnMs).length} over ${turnMs} ms`;
  return `Turns of the worker while rows are sorted, which a query waits for at most (told alone, no gate is judged by them):\n${line('between two yields', turns.steps)}\n${line('the last, swapped in and begun to be stored', turns.swaps)}\n${line('one record of it copied by the store', turns.puts)}`;
}

export interface Judged {
  readonly gate: Gate;
  readonly ratio: number | null;
  readonly verdict: Verdict;
}

export function judgeAll(figures: Figures): Judged[] {
  return gates.map((gate) => {
    const ratio = gate.ratio(figures);
    return { gate, ratio, verdict: judge(gate, ratio) };
  });
}

/** Whether the gates are kept: in a full run one that was not measured is missed, too. */
export function areKept(judged: readonly Judged[], isFull: boolean): boolean {
  return judged.every(({ verdict }) => verdict === 'met' || (verdict === 'not measured' && !isFull));
}

/** The gates one by one, and those that another run decides. */
export function gatesTable(judged: readonly Judged[], rows: number): string {
  const lines = judged.map(({ gate, ratio, verdict }) => {
    const bound = 'atLeast' in gate.bound ? `>= ${gate.bound.atLeast}` : `<= ${gate.bound.atMost}`;
    const said = rows === gateRows || verdict === 'not measured' ? verdict : `(${verdict})`;
    return [gate.measure, bound, verdict === 'not measured' || ratio === null ? '-' : rounded(ratio), said];
  });
  const others = Object.values(uiGates).map(({ measure, bound }) => [measure, `<= ${bound.atMost}`, '-', 'npm run bench:ui decides']);
  return table(['gate', 'bound', 'measured', 'verdict'], [...lines, ...others]);
}
