import { type ColumnNoun, type ColumnRow, columnNouns } from '#replica/column-nouns.ts';
import { ColumnSet } from '#replica/column-set.ts';
import { recordLoss } from '#replica/device-tables.ts';
import type { EditedNoun } from '#contract/mutations.ts';
import type { Transaction } from '#contract/transactions.ts';
import { ClosedSetError, DamagedSetError, type SetKey } from '#replica/set-errors.ts';
import { dropSet, rebuildSet } from '#replica/set-storage.ts';
import type { Replica } from '#replica/open.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { editsByRow } from '#replica/overlay.ts';
import type { Breathe } from '#replica/stored-set.ts';

export interface SetPorts {
  replica: Replica;
  breathe: Breathe;
  now: () => number;
  /** Only the worker that writes may mend what is damaged. */
  isWriter: () => boolean;
  /** Told what was damaged, once it is mended or, where rows were lost, dropped to be pulled anew. */
  onMended: (error: DamagedSetError) => void;
  /** Told which set has other rows than was known: a write was committed though nobody said so. */
  onFound: (key: SetKey) => void;
  /** Told that a set could not be opened: whoever asked for it is told of it by the next `catchUp`, though nothing be written until then. */
  onUnread: () => void;
}

/** What a set can do whatever its rows are. */
type AnySet = Pick<ColumnSet<ColumnRow>, 'storedRev' | 'whole' | 'reload' | 'rest' | 'close' | 'setEdits'>;

/** How to get a set of a noun, whatever its rows are. */
interface Opener {
  noun: string;
  set: string;
  open: () => Promise<AnySet>;
  /** Makes the columns anew from the rows on this device. */
  rebuild: () => Promise<void>;
}

interface Opened extends Opener {
  opening: Promise<AnySet>;
}

function nameOf({ noun, set }: SetKey): string {
  return `${noun}/${set}`;
}

/** The opened column sets: one instance of each per worker, with the waiting edits laid over it. */
export class ColumnSets {
  readonly #ports: SetPorts;
  /** Sets that could not be opened since the last `catchUp`. */
  readonly #unread = new Map<string, SetKey>();
  readonly #opened = new Map<string, Opened>();
  #edits: readonly OutboxRow[] = [];

  constructor(ports: SetPorts) {
    this.#ports = ports;
  }

  /** The edits that are not settled, as last told. */
  get edits(): readonly OutboxRow[] {
    return this.#edits;
  }

  /** The names of all sets that are opened, whether or not anything is stored of them. */
  get names(): string[] {
    return [...this.#opened.values()].map(({ set }) => set);
  }

  /** A client's transactions. */
  transactions(clientId: string): Promise<ColumnSet<Transaction>> {
    return this.open(columnNouns.transactions, clientId);
  }

  /** A set, opened once. The writer mends a damaged one: columns from the rows held here, rows from the server. */
  async open<R extends ColumnRow>(noun: ColumnNoun<R>, set: string): Promise<ColumnSet<R>> {
    const name = nameOf({ noun: noun.noun, set });
    let opened = this.#opened.get(name);
    if (!opened) {
      const opener = this.#openerOf(noun, set);
      opened = { ...opener, opening: this.#openWhole(opener) };
      this.#keep(name, opened);
    }
    // the name says which noun it is of, and so what its rows are
    return (await opened.opening) as ColumnSet<R>;
  }

  /**
   * Mends a set that turned out to be damaged while it was used; those who wait for it get the mended one.
   * A worker that is not the writer leaves it as it is: the writer will find it too, or this one once it writes.
   * @returns whether it was mended.
   */
  async mend(error: DamagedSetError): Promise<boolean> {
    if (!this.#ports.isWriter()) return false;
    const damaged = this.#opened.get(nameOf(error.key));
    // it could not be opened: the next opening mends it
    if (!damaged) return true;
    const opening = (async () => {
      const set = await damaged.opening.catch(() => undefined);
      // whoever still writes to it must not write beside what is made anew
      await set?.close();
      return this.#mended(damaged, error);
    })();
    this.#keep(nameOf(error.key), { ...damaged, opening });
    await opening;
    return true;
  }

  /**
   * Closes all sets of some clients, does work that drops what is stored of them, and opens them anew, empty. Whoever asks for one
   * meanwhile gets the new one; whoever still holds an old one can write nothing more.
   */
  async without(clientIds: readonly string[], work: () => Promise<void>): Promise<void> {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const closings = Object.values(columnNouns).flatMap((noun) =>
      clientIds.map(async (client) => {
        const name = nameOf({ noun: noun.noun, set: client });
        const held = this.#opened.get(name);
        const opener = this.#openerOf(noun as ColumnNoun<ColumnRow>, client);
        this.#keep(name, { ...opener, opening: ended.then(() => this.#openWhole(opener)) });
        await (await held?.opening.catch(() => undefined))?.close();
      }),
    );
    try {
      await Promise.all(closings);
      await work();
    } finally {
      end();
    }
  }

  /**
   * Sorts what waits unsorted in the opened sets, for nothing more is expected soon: the next start is quicker.
   * @param goesOn asked again and again: as soon as it says no the rest is left for another time.
   */
  async rest(goesOn: () => boolean): Promise<void> {
    for (const { opening } of this.#opened.values()) {
      if (!goesOn()) return;
      try {
        await (await opening).rest(goesOn);
      } catch (error) {
        if (!(error instanceof DamagedSetError)) throw error;
        await this.mend(error);
      }
    }
  }

  /**
   * Lays the waiting edits over every opened set.
   * @throws what failed first, once they lie over all others.
   */
  async overlay(edits: readonly OutboxRow[]): Promise<void> {
    this.#edits = edits;
    const faults: unknown[] = [];
    for (const { noun, opening } of this.#opened.values()) {
      try {
        await this.#withEdits(noun, await opening);
      } catch (error) {
        // one that was closed has another in its place, and one that is mended is opened anew: with the edits
        if (error instanceof ClosedSetError) continue;
        const isMended = error instanceof DamagedSetError && (await this.mend(error).catch(() => false));
        if (!isMended) faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }

  /**
   * Reads sets again that are stored otherwise than they were read: another worker has written to them since, or another database took
   * the place of the one they were read from.
   * @param onRead told of each that was, and of each that could not be opened: whoever asked for it then is to ask again.
   * @throws what kept one from being read; the others are all the same.
   */
  async catchUp(manifests: readonly (SetKey & { rev: number })[], onRead: (key: SetKey) => void): Promise<void> {
    const revs = new Map(manifests.map((manifest) => [nameOf(manifest), manifest.rev]));
    const faults: unknown[] = [];
    const unread = [...this.#unread.values()];
    this.#unread.clear();
    for (const opened of this.#opened.values()) {
      const key = { noun: opened.noun, set: opened.set };
      try {
        const set = await opened.opening;
        if (set.storedRev === (revs.get(nameOf(key)) ?? 0)) continue;
        await set.reload().catch((error: unknown) => this.#openAnew(opened, error));
        onRead(key);
      } catch (error) {
        faults.push(error);
      }
    }
    // whoever still looks at one opens it anew, and where that fails again it is noted again: what nobody looks at is tried no more. One that
    // somebody opened since is told of, too: those who could not know nothing of that
    for (const key of unread) onRead(key);
    if (faults.length > 0) throw faults[0];
  }

  /** A set that could not be read to its end is another one once somebody mended it. */
  async #openAnew(opened: Opened, error: unknown): Promise<void> {
    if (!(error instanceof DamagedSetError)) throw error;
    const opening = this.#openWhole(opened);
    this.#keep(nameOf(opened), { ...opened, opening });
    await opening;
  }

  #openerOf<R extends ColumnRow>(noun: ColumnNoun<R>, set: string): Opener {
    const { replica, breathe, onFound } = this.#ports;
    return {
      noun: noun.noun,
      set,
      open: () => ColumnSet.open({ replica, noun, set, breathe, onFound: () => onFound({ noun: noun.noun, set }) }),
      rebuild: () => rebuildSet(replica, noun, set, breathe),
    };
  }

  #keep(name: string, opened: Opened): void {
    this.#opened.set(name, opened);
    const drop = (): void => {
      if (this.#opened.get(name) !== opened) return;
      this.#opened.delete(name);
      // no longer among those that are compared with what is stored: else nobody would hear that it can be read by now
      this.#unread.set(name, { noun: opened.noun, set: opened.set });
      this.#ports.onUnread();
    };
    opened.opening.then(({ whole }) => {
      // a damaged one stays, to be mended by whoever asks it
      whole.catch((error: unknown) => error instanceof DamagedSetError || drop());
    }, drop);
  }

  async #openWhole(opener: Opener): Promise<AnySet> {
    try {
      return await this.#withEdits(opener.noun, await opener.open());
    } catch (error) {
      if (!(error instanceof DamagedSetError) || !this.#ports.isWriter()) throw error;
      return this.#mended(opener, error);
    }
  }

  async #mended(opener: Opener, error: DamagedSetError): Promise<AnySet> {
    let damage = error;
    if (damage.part === 'columns') {
      try {
        await opener.rebuild();
      } catch (fault) {
        if (!(fault instanceof DamagedSetError)) throw fault;
        damage = fault;
      }
    }
    if (damage.part === 'rows') await dropSet(this.#ports.replica, damage.key);
    await this.#tellMended(damage);
    return this.#withEdits(opener.noun, await opener.open());
  }

  async #withEdits(noun: string, set: AnySet): Promise<AnySet> {
    await set.setEdits(editsByRow(noun as EditedNoun, this.#edits));
    return set;
  }

  async #tellMended(error: DamagedSetError): Promise<void> {
    await recordLoss(this.#ports.replica.host, { at: this.#ports.now(), database: nameOf(error.key), reason: error.message });
    this.#ports.onMended(error);
  }
}
