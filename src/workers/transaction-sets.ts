import { DamagedSetError } from '#replica/set-errors.ts';
import { dropSet } from '#replica/set-storage.ts';
import type { Replica } from '#replica/open.ts';
import type { OutboxRow } from '#replica/outbox-database.ts';
import { editsByRow } from '#replica/overlay.ts';
import { TransactionSet } from '#replica/transaction-set.ts';

export interface SetPorts {
  replica: Replica;
  /** Only the worker that writes may drop what is damaged. */
  isWriter: () => boolean;
  /** Told when a set had to be dropped and will be pulled anew. */
  onDropped: (error: DamagedSetError) => void;
}

/** The opened transaction sets of all clients: one instance per worker, with the waiting edits laid over each. */
export class TransactionSets {
  readonly #ports: SetPorts;
  readonly #open = new Map<string, Promise<TransactionSet>>();
  #edits: readonly OutboxRow[] = [];

  constructor(ports: SetPorts) {
    this.#ports = ports;
  }

  /** The edits that are not settled, as last told. */
  get edits(): readonly OutboxRow[] {
    return this.#edits;
  }

  /** A client's set, opened once; a damaged one is dropped by the writer and starts empty. */
  open(clientId: string): Promise<TransactionSet> {
    const opened = this.#open.get(clientId);
    if (opened) return opened;
    const opening = this.#openWhole(clientId);
    this.#keep(clientId, opening);
    return opening;
  }

  /**
   * Drops a set that turned out to be damaged while it was used; those who wait for it get the new, empty one.
   * A worker that is not the writer leaves it as it is: the writer will find it too, or this one once it writes.
   * @returns whether it was dropped.
   */
  async drop(error: DamagedSetError): Promise<boolean> {
    if (!this.#ports.isWriter()) return false;
    const { clientId } = error;
    const damaged = this.#open.get(clientId);
    const opening = (async () => {
      const set = await damaged?.catch(() => undefined);
      await (set ? set.drop() : dropSet(this.#ports.replica, clientId));
      const fresh = await TransactionSet.open(this.#ports.replica, clientId);
      await fresh.setEdits(editsByRow('transactions', this.#edits));
      return fresh;
    })();
    this.#keep(clientId, opening);
    await opening;
    this.#ports.onDropped(error);
    return true;
  }

  /** Lays the waiting edits over every opened set. */
  async overlay(edits: readonly OutboxRow[]): Promise<void> {
    this.#edits = edits;
    const byRow = editsByRow('transactions', edits);
    for (const opening of this.#open.values()) await (await opening).setEdits(byRow);
  }

  /** Reads sets again that another worker has written to since. @returns the clients concerned. */
  async catchUp(manifests: readonly { set: string; rev: number }[]): Promise<string[]> {
    const stale: string[] = [];
    for (const { set: clientId, rev } of manifests) {
      const set = await this.#open.get(clientId);
      if (!set || set.storedRev >= rev) continue;
      await set.reload();
      stale.push(clientId);
    }
    return stale;
  }

  #keep(clientId: string, opening: Promise<TransactionSet>): void {
    this.#open.set(clientId, opening);
    opening.catch(() => {
      if (this.#open.get(clientId) === opening) this.#open.delete(clientId);
    });
  }

  async #openWhole(clientId: string): Promise<TransactionSet> {
    const { replica, isWriter, onDropped } = this.#ports;
    let set: TransactionSet;
    try {
      set = await TransactionSet.open(replica, clientId);
    } catch (error) {
      if (!(error instanceof DamagedSetError) || !isWriter()) throw error;
      await dropSet(replica, clientId);
      onDropped(error);
      set = await TransactionSet.open(replica, clientId);
    }
    await set.setEdits(editsByRow('transactions', this.#edits));
    return set;
  }
}
