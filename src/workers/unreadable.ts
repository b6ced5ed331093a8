import type { RowNoun } from '#replica/row-tables.ts';
import { idsIn } from './given-rows.ts';

/** A noun of which rows may come that cannot be read. */
export type PulledNoun = RowNoun | 'transactions';

/** Which rows could not be read, for as long as nothing was heard of them since: what is read again, or went, is no loss any more. */
export class Unreadable {
  readonly #rows = new Map<PulledNoun, Set<string>>();
  /** How many rows of one answer did not even say which they are: nobody knows when they can be read. */
  readonly #nameless = new Map<PulledNoun, number>();

  /** Rows of an answer could not be read. @param given as they came. */
  note(noun: PulledNoun, given: readonly unknown[]): void {
    const ids = idsIn(given);
    this.#rows.set(noun, new Set([...(this.#rows.get(noun) ?? []), ...ids]));
    this.#nameless.set(noun, Math.max(this.#nameless.get(noun) ?? 0, given.length - ids.length));
  }

  /** What an answer says of some rows is kept: that they are there, or that they went. */
  heard(noun: PulledNoun, rows: Iterable<{ id: string }>): void {
    const held = this.#rows.get(noun);
    if (!held || held.size === 0) return;
    for (const { id } of rows) held.delete(id);
  }

  /** What the person is told; null where all could be read. */
  get text(): string | null {
    const of = new Map<string, number>();
    for (const [noun, { size }] of this.#rows) of.set(noun, size);
    for (const [noun, count] of this.#nameless) of.set(noun, (of.get(noun) ?? 0) + count);
    const lost = [...of].filter(([, count]) => count > 0);
    if (lost.length === 0) return null;
    const words = lost.map(([noun, count]) => `${count} ${count === 1 ? 'row' : 'rows'} of ${noun.replaceAll('_', ' ')}`);
    const isOne = lost.length === 1 && lost[0]?.[1] === 1;
    return `${words.join(' and ')} could not be read: here ${isOne ? 'it is' : 'they are'} missing, or as ${isOne ? 'it was' : 'they were'} before.`;
  }
}
