import { StaleSelectionError } from '#columns/errors.ts';
import type { Transaction } from '#contract/transactions.ts';
import type { ColumnSet } from '#replica/column-set.ts';
import { isShown } from '#replica/mutation-states.ts';
import { editsByRow } from '#replica/overlay.ts';
import { ClosedSetError } from '#replica/set-errors.ts';
import { type AnswerPorts, answerOf, type GridAnswer, totalsOf } from './grid-answer.ts';
import type { GridQuery, GridTotals } from './start.ts';

/** Places fetched at once while the order is taken. */
const windowRows = 16_384;
/** Places of 32 records, a thousand rows: what is read at once; a row is parsed when it is given on. */
const bucketBits = 12;
/** Positions looked at between two steps. */
const positionsPerStep = 4_096;
/** Rows given on between two steps, some millisecond of making their text. */
const rowsPerStep = 32;

/** All rows of a query as they stood at one moment: what is pulled, sealed or edited later does not reach them. */
export interface TakenRows {
  totals: GridTotals;
  /** Rows among them that show an edit the server has not confirmed. */
  pending: number;
  /**
   * Gives the rows of a stretch, in whatever order they lie on disk.
   * @throws DamagedSetError where a row is not there; ClosedSetError where they are mended.
   */
  read: (stretch: Stretch) => Promise<void>;
}

export interface Stretch {
  from: number;
  /** The position after the last. */
  to: number;
  onRow: (position: number, row: Transaction) => void;
  /** Called every few milliseconds: lets others go first, and throws to end the reading. */
  step: () => Promise<void>;
}

/** Of which set each row is and where it lies, in the query's order; a 1 for each that is an edited one. */
interface Order {
  sources: Uint16Array;
  places: Uint32Array;
  overlaid: Uint8Array;
}

interface Taken extends Order {
  sets: readonly ColumnSet<Transaction>[];
  overlays: readonly (readonly Transaction[])[];
}

/** Takes all rows of a query: seven bytes each now, the rows themselves when they are read. */
export async function takeRows(ports: AnswerPorts, query: GridQuery): Promise<TakenRows> {
  for (;;) {
    const answer = await answerOf(ports, query);
    const edits = editsByRow('transactions', ports.sets.edits);
    try {
      await ports.breathe();
      const totals = totalsOf(answer);
      await ports.breathe();
      const order = await orderOf(ports, answer);
      const taken: Taken = { sets: answer.sets, overlays: answer.selected.map(({ overlay }) => overlay), ...order };
      const isPending = ({ id }: Transaction): boolean => (edits.get(id) ?? []).some(({ state }) => isShown(state));
      const pending = overlaidIn(taken, 0, totals.count).filter(({ row }) => isPending(row)).length;
      return { totals, pending, read: (stretch) => read(ports, taken, stretch) };
    } catch (error) {
      // the rows were sorted into place meanwhile: the same query once more, from a moment later
      if (!(error instanceof StaleSelectionError)) throw error;
    }
  }
}

async function orderOf({ breathe }: AnswerPorts, { rows }: GridAnswer): Promise<Order> {
  const { count } = rows;
  const order = { sources: new Uint16Array(count), places: new Uint32Array(count), overlaid: new Uint8Array(count) };
  for (let offset = 0; offset < count; offset += windowRows) {
    const window = rows.window(offset, windowRows);
    order.sources.set(window.sources, offset);
    order.places.set(window.places, offset);
    order.overlaid.set(window.overlaid, offset);
    await breathe();
  }
  return order;
}

/** The edited rows among some positions. */
function overlaidIn({ sources, places, overlaid, overlays }: Taken, from: number, to: number): { position: number; row: Transaction }[] {
  const found: { position: number; row: Transaction }[] = [];
  for (let position = overlaid.indexOf(1, from); position >= 0 && position < to; position = overlaid.indexOf(1, position + 1)) {
    const row = overlays[sources[position] as number]?.[places[position] as number];
    if (row) found.push({ position, row });
  }
  return found;
}

/** The positions of the other rows by where they lie, so that each record is read once. */
async function bucketsOf({ sources, places, overlaid }: Taken, { from, to, step }: Stretch): Promise<number[][]> {
  const buckets = new Map<number, number[]>();
  for (let position = from; position < to; position += 1) {
    if ((position - from) % positionsPerStep === positionsPerStep - 1) await step();
    if (overlaid[position] === 1) continue;
    const key = (sources[position] as number) * 2 ** 32 + ((places[position] as number) >>> bucketBits);
    const bucket = buckets.get(key);
    if (bucket) bucket.push(position);
    else buckets.set(key, [position]);
  }
  return [...buckets].sort(([a], [b]) => a - b).map(([, positions]) => positions);
}

async function read({ sets: opened }: AnswerPorts, taken: Taken, stretch: Stretch): Promise<void> {
  const { sets, sources, places } = taken;
  const { from, to, onRow, step } = stretch;
  for (const { position, row } of overlaidIn(taken, from, to)) onRow(position, row);
  for (const positions of await bucketsOf(taken, stretch)) {
    const set = sets[sources[positions[0] as number] as number];
    // a set that was mended may number its places anew
    if (!set || (await opened.transactions(set.key.set)) !== set) throw new ClosedSetError();
    const wanted = Uint32Array.from(positions, (position) => places[position] as number);
    const rows = await set.rowsOf({ places: wanted, overlaid: new Uint8Array(wanted.length) }, []);
    for (let i = 0; i < rows.length; i += 1) {
      // the first time, too: reading has just taken its part
      if (i % rowsPerStep === 0) await step();
      onRow(positions[i] as number, rows[i] as Transaction);
    }
  }
}
