import { type ColumnNoun, type ColumnRow, columnNouns } from '#replica/column-nouns.ts';
import { type Breathe, ColumnSet } from '#replica/column-set.ts';
import { recordLoss } from '#replica/device-database.ts';
import type { EditedNoun } from '#contract/mutations.ts';
import type { Transaction } from '#contract/transactions.ts';
import { DamagedSetError, type SetKey } from '#replica/set-errors.ts';
import { dropSet } from '#replica/set-storage.ts';
import type { Replica } from '#replica/open.ts';
import type { OutboxRow } from '#replica/outbox-database.ts';
import { editsByRow } from '#replica/overlay.ts';

export interface SetPorts {
  replica: Replica;
  breathe: Breathe;
  now: () => number;
  /** Only the worker that writes may drop what is damaged. */
  isWriter: () => boolean;
  /** Told when a set had to be dropped and will be pulled anew. */
  onDropped: (error: DamagedSetError) => void;
}

/** What a set can do whatever its rows are. */
type AnySet = Pick<ColumnSet<ColumnRow>, 'storedRev' | 'reload' | 'drop' | 'setEdits'>;

interface Opened {
  noun: string;
  opening: Promise<AnySet>;
  reopen: () => Promise<AnySet>;
}

function nameOf({ noun, set }: SetKey): string {
  return `${noun}/${set}`;
}

/** The opened column sets: one instance of each per worker, with the waiting edits laid over it. */
export class ColumnSets {
  readonly #ports: SetPorts;
  readonly #opened = new Map<string, Opened>();
  #edits: readonly OutboxRow[] = [];

  constructor(ports: SetPorts) {
    this.#ports = ports;
  }

  /** The edits that are not settled, as last told. */
  get edits(): readonly OutboxRow[] {
    return this.#edits;
  }

  /** A client's transactions. */
  transactions(clientId: string): Promise<ColumnSet<Transaction>> {
    return this.open(columnNouns.transactions, clientId);
  }

  /** A set, opened once; a damaged one is dropped by the writer and starts empty. */
  async open<R extends ColumnRow>(noun: ColumnNoun<R>, set: string): Promise<ColumnSet<R>> {
    const name = nameOf({ noun: noun.noun, set });
    let opened = this.#opened.get(name);
    if (!opened) {
      const reopen = (): Promise<ColumnSet<R>> => ColumnSet.open(this.#ports.replica, noun, set, this.#ports.breathe);
      opened = { noun: noun.noun, reopen, opening: this.#openWhole(noun.noun, reopen) };
      this.#keep(name, opened);
    }
    // the name says which noun it is of, and so what its rows are
    return (await opened.opening) as ColumnSet<R>;
  }

  /**
   * Drops a set that turned out to be damaged while it was used; those who wait for it get the new, empty one.
   * A worker that is not the writer leaves it as it is: the writer will find it too, or this one once it writes.
   * @returns whether it was dropped.
   */
  async drop(error: DamagedSetError): Promise<boolean> {
    if (!this.#ports.isWriter()) return false;
    const damaged = this.#opened.get(nameOf(error.key));
    if (damaged) {
      const opening = (async () => {
        const set = await damaged.opening.catch(() => undefined);
        await (set ? set.drop() : dropSet(this.#ports.replica, error.key));
        return this.#withEdits(damaged.noun, await damaged.reopen());
      })();
      this.#keep(nameOf(error.key), { ...damaged, opening });
      await opening;
    } else await dropSet(this.#ports.replica, error.key);
    await this.#tellDropped(error);
    return true;
  }

  /** Lays the waiting edits over every opened set. */
  async overlay(edits: readonly OutboxRow[]): Promise<void> {
    this.#edits = edits;
    for (const { noun, opening } of this.#opened.values()) await this.#withEdits(noun, await opening);
  }

  /** Reads sets again that another worker has written to since. @returns which ones. */
  async catchUp(manifests: readonly (SetKey & { rev: number })[]): Promise<SetKey[]> {
    const stale: SetKey[] = [];
    for (const { noun, set: name, rev } of manifests) {
      const set = await this.#opened.get(nameOf({ noun, set: name }))?.opening;
      if (!set || set.storedRev >= rev) continue;
      await set.reload();
      stale.push({ noun, set: name });
    }
    return stale;
  }

  #keep(name: string, opened: Opened): void {
    this.#opened.set(name, opened);
    opened.opening.catch(() => {
      if (this.#opened.get(name) === opened) this.#opened.delete(name);
    });
  }

  async #openWhole(noun: string, open: () => Promise<AnySet>): Promise<AnySet> {
    let set: AnySet;
    try {
      set = await open();
    } catch (error) {
      if (!(error instanceof DamagedSetError) || !this.#ports.isWriter()) throw error;
      await dropSet(this.#ports.replica, error.key);
      await this.#tellDropped(error);
      set = await open();
    }
    return this.#withEdits(noun, set);
  }

  async #withEdits(noun: string, set: AnySet): Promise<AnySet> {
    await set.setEdits(editsByRow(noun as EditedNoun, this.#edits));
    return set;
  }

  async #tellDropped(error: DamagedSetError): Promise<void> {
    await recordLoss({ at: this.#ports.now(), database: nameOf(error.key), reason: error.message });
    this.#ports.onDropped(error);
  }
}
