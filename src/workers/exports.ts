import { transfer } from 'comlink';
import type { Transaction } from '#contract/transactions.ts';
import { csvFile, type TransactionFile, workbookFile } from '#domain/transaction-files.ts';
import { ClosedSetError, DamagedSetError, type SetKey } from '#replica/set-errors.ts';
import { planOf } from './export-plan.ts';
import type { AnswerPorts } from './grid-answer.ts';
import type { ExportEnd, ExportPart, ExportRequest } from './start.ts';
import { RowTexts } from './row-texts.ts';
import { type Stretch, type TakenRows, takeRows } from './taken-rows.ts';

export interface ExportPorts extends AnswerPorts {
  now: () => number;
  /** Resolves after some milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told that a set was mended whose rows could not be read. */
  onMended: (key: SetKey) => void;
}

type OnPart = (part: ExportPart) => void | Promise<void>;

/** Bytes handed over at once. */
const partSize = 262_144;
/** How often the page hears how far it is while no bytes are ready, in rows. */
const progressRows = 8_192;
/**
 * Rows whose text is made before any of it leaves. Sorted by anything but the date they lie all over the disk: the more of them are
 * made at once, the less often each record is read.
 */
const blockRows = { byDate: 16_384, scattered: 262_144 };
/** A page that takes nothing for so long is gone, in milliseconds. */
const patienceMs = 120_000;

class Cancelled extends Error {}

/** Writes files of all rows of a query, in small steps between which queries are answered. */
export class Exports {
  readonly #running = new Map<string, AbortController>();

  /** Makes a file; the page gets its bytes in order and says by its answers when it wants more. */
  async run(ports: ExportPorts, exportId: string, request: ExportRequest, onPart: OnPart): Promise<ExportEnd> {
    const abort = new AbortController();
    this.#running.set(exportId, abort);
    try {
      return await writeFile(ports, request, new Delivery(ports, abort.signal, onPart));
    } catch (error) {
      // what fails after the work was ended failed because of that
      if (abort.signal.aborted || error instanceof Cancelled) return { kind: 'cancelled' };
      if (!(error instanceof DamagedSetError || error instanceof ClosedSetError)) throw error;
      if (error instanceof DamagedSetError && (await ports.sets.mend(error))) ports.onMended(error.key);
      return {
        kind: 'failed',
        reason: 'Some rows on this device could not be read. They are being fetched again; try once they are here.',
      };
    } finally {
      this.#running.delete(exportId);
    }
  }

  cancel(exportId: string): void {
    this.#running.get(exportId)?.abort();
  }

  /** Ends all, as signing out asks. */
  cancelAll(): void {
    for (const abort of this.#running.values()) abort.abort();
  }
}

/** Hands bytes to the page, as many as it takes. */
class Delivery {
  readonly #ports: ExportPorts;
  readonly #signal: AbortSignal;
  readonly #onPart: OnPart;
  #waiting: Uint8Array[] = [];
  #size = 0;
  #told = 0;

  constructor(ports: ExportPorts, signal: AbortSignal, onPart: OnPart) {
    this.#ports = ports;
    this.#signal = signal;
    this.#onPart = onPart;
  }

  readonly take = (bytes: Uint8Array): void => {
    this.#waiting.push(bytes);
    this.#size += bytes.length;
  };

  /** Lets others go first, then hands over what is there once it is worth it, or `always`. @throws Cancelled */
  async step(done: number, all: number, when: 'worth' | 'always' = 'worth'): Promise<void> {
    await this.#ports.breathe();
    if (this.#signal.aborted) throw new Cancelled();
    if (when === 'always' || this.#size >= partSize || done - this.#told >= progressRows) await this.#send(done, all);
  }

  async #send(done: number, all: number): Promise<void> {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#waiting) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#waiting = [];
    this.#size = 0;
    this.#told = done;
    const isTaken = Promise.resolve(this.#onPart(transfer({ bytes, done, all }, [bytes.buffer]))).then(() => true);
    const waiting = new AbortController();
    const isGone = this.#ports.pause(patienceMs, AbortSignal.any([waiting.signal, this.#signal])).then(() => false);
    const isWanted = await Promise.race([isTaken, isGone]);
    waiting.abort();
    if (!isWanted) throw new Cancelled();
  }
}

async function writeFile(ports: ExportPorts, request: ExportRequest, delivery: Delivery): Promise<ExportEnd> {
  const taken = await takeRows(ports, request.query);
  const { plan, missing } = await planOf(ports.replica, request, taken, ports.now());
  const file = request.format === 'csv' ? csvFile(plan, delivery.take) : workbookFile(plan, delivery.take);
  const { count } = taken.totals;
  await delivery.step(0, count, 'always');
  const [first] = request.query.sort;
  const size = first === undefined || first.field === 'trx_date' ? blockRows.byDate : blockRows.scattered;
  for (let from = 0; from < count; from += size) await writeBlock(taken, file, delivery, { from, to: Math.min(count, from + size) });
  const notes = [...(missing === null ? [] : [`${missing}: they are not in the file.`]), ...file.end()];
  await delivery.step(count, count, 'always');
  return { kind: 'done', rows: count, pending: taken.pending, notes };
}

async function writeBlock(taken: TakenRows, file: TransactionFile, delivery: Delivery, { from, to }: Pick<Stretch, 'from' | 'to'>) {
  const { count } = taken.totals;
  const texts = new RowTexts(to - from);
  let made = 0;
  const onRow = (position: number, row: Transaction): void => {
    texts.put(position - from, file.textOf(position, row));
    made += 1;
  };
  await taken.read({ from, to, onRow, step: () => delivery.step(from + made, count) });
  for (let i = 0; i < to - from; i += 1) if (file.add(from + i, texts.at(i))) await delivery.step(to, count);
}
