import { editsByRow, foldRow } from '#replica/overlay.ts';
import type { Replica } from '#replica/open.ts';
import type { OutboxRow } from '#replica/outbox-database.ts';
import { DamagedSetError, dropSet, TransactionSet } from '#replica/transaction-set.ts';

/** The opened transaction sets of all clients: one instance per worker, with the waiting edits laid over each. */
export class TransactionSets {
  readonly #replica: Replica;
  readonly #open = new Map<string, Promise<TransactionSet>>();
  readonly #onDamage: (error: DamagedSetError) => Promise<void>;
  #edits: readonly OutboxRow[] = [];

  /** `onDamage` is told when a set had to be dropped and will be pulled anew. */
  constructor(replica: Replica, onDamage: (error: DamagedSetError) => Promise<void>) {
    this.#replica = replica;
    this.#onDamage = onDamage;
  }

  /** The edits that are not settled, as last told. */
  get edits(): readonly OutboxRow[] {
    return this.#edits;
  }

  /** A client's set, opened once; a damaged one is dropped and starts empty. */
  open(clientId: string): Promise<TransactionSet> {
    const opened = this.#open.get(clientId);
    if (opened) return opened;
    const opening = this.#openWhole(clientId);
    this.#open.set(clientId, opening);
    opening.catch(() => this.#open.delete(clientId));
    return opening;
  }

  /** Forgets a set whose stored columns turned out to be damaged while it was used. */
  async drop(error: DamagedSetError): Promise<void> {
    this.#open.delete(error.clientId);
    await dropSet(this.#replica, error.clientId);
    await this.#onDamage(error);
  }

  /** Lays the waiting edits over every opened set. */
  async overlay(edits: readonly OutboxRow[]): Promise<void> {
    this.#edits = edits;
    for (const opening of this.#open.values()) await this.#layOver(await opening);
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

  async #openWhole(clientId: string): Promise<TransactionSet> {
    let set: TransactionSet;
    try {
      set = await TransactionSet.open(this.#replica, clientId);
    } catch (error) {
      if (!(error instanceof DamagedSetError)) throw error;
      await dropSet(this.#replica, clientId);
      await this.#onDamage(error);
      set = await TransactionSet.open(this.#replica, clientId);
    }
    await this.#layOver(set);
    return set;
  }

  async #layOver(set: TransactionSet): Promise<void> {
    const byRow = editsByRow('transactions', this.#edits);
    const held = await set.rowsById([...byRow.keys()].filter((id) => set.has(id)));
    set.setOverlay(held.map((row) => foldRow('transactions', row, byRow.get(row.id) ?? [])));
  }
}
