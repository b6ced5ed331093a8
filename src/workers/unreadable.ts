import type { RowNoun } from '#replica/row-tables.ts';
import { idsIn } from './given-rows.ts';

/** A noun of which rows may come that cannot be read. */
export type PulledNoun = RowNoun | 'transactions';

/** For how long a row counts that does not come any more, in milliseconds: longer than any list waits to be read again. */
const rememberedMs = 25 * 3_600_000;

/** Which rows could not be read, for as long as nothing was heard of them since: what is read again, or went, is no loss any more. */
export class Unreadable {
  readonly #now: () => number;
  /** When each came last. */
  readonly #rows = new Map<PulledNoun, Map<string, number>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Rows of an answer could not be read. @param given as they came. */
  note(noun: PulledNoun, given: readonly unknown[]): void {
    const ids = idsIn(given);
    // some do not even say which they are: of those only how many there are in an answer is known
    const nameless = Array.from({ length: given.length - ids.length }, (_, no) => `without an id, ${no}`);
    const held = this.#rows.get(noun) ?? new Map<string, number>();
    for (const id of [...ids, ...nameless]) held.set(id, this.#now());
    this.#rows.set(noun, held);
  }

  /** What an answer says of some rows is kept: that they are there, or that they went. */
  heard(noun: PulledNoun, rows: Iterable<{ id: string }>): void {
    const held = this.#rows.get(noun);
    if (!held || held.size === 0) return;
    for (const { id } of rows) held.delete(id);
  }

  /** What the person is told; null where all could be read. */
  get text(): string | null {
    for (const held of this.#rows.values()) for (const [id, at] of held) if (Math.abs(this.#now() - at) > rememberedMs) held.delete(id);
    const lost = [...this.#rows].map(([noun, { size }]) => [noun, size] as const).filter(([, count]) => count > 0);
    if (lost.length === 0) return null;
    const words = lost.map(([noun, count]) => `${count} ${count === 1 ? 'row' : 'rows'} of ${noun.replaceAll('_', ' ')}`);
    const isOne = lost.length === 1 && lost[0]?.[1] === 1;
    return `${words.join(' and ')} could not be read: here ${isOne ? 'it is' : 'they are'} missing, or as ${isOne ? 'it was' : 'they were'} before.`;
  }
}
