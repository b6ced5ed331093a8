/** Failures in a row, of whatever scopes, after which a list is left alone for all of them. */
const tripsAfter = 5;
/** How long it is left alone at first, and at most, in milliseconds. */
const restMs = { first: 15_000, longest: 300_000 };

interface Circuit {
  fails: number;
  /** Nothing is asked before; then one question goes through, and its answer decides. */
  until: number;
  isProbing: boolean;
  /** Something else was answered since it failed first: it is this list, and not the server. */
  isOwn: boolean;
}

/** Leaves a list alone that the server cannot answer for anybody: asking for it again for every scope would only keep it down. */
export class Breaker {
  readonly #circuits = new Map<string, Circuit>();

  /** Whether a list may be asked for now. */
  isClosed(list: string, now: number): boolean {
    const circuit = this.#circuits.get(list);
    if (!circuit || circuit.fails < tripsAfter) return true;
    // a moment further away was written by a clock since put right
    return !circuit.isProbing && (circuit.until <= now || circuit.until - now > restMs.longest);
  }

  /** It is asked for. */
  ask(list: string): void {
    const circuit = this.#circuits.get(list);
    if (circuit && circuit.fails >= tripsAfter) circuit.isProbing = true;
  }

  /** It was answered. */
  answered(list: string): void {
    this.#circuits.delete(list);
    this.heard();
  }

  /** The server answered something: lists that failed while it answered nothing are asked for at once, for it may have been the server alone. */
  heard(): void {
    for (const [list, { fails, isProbing, isOwn }] of this.#circuits)
      if (!isOwn) this.#circuits.set(list, { fails: Math.min(fails, tripsAfter), until: -Infinity, isProbing, isOwn: true });
  }

  /** Whether any list is left alone. */
  get isOpen(): boolean {
    return [...this.#circuits.values()].some(({ fails }) => fails >= tripsAfter);
  }

  /** Of lists that nobody wants any more it does not matter that they failed. */
  keepOnly(lists: ReadonlySet<string | null>): void {
    for (const list of this.#circuits.keys()) if (!lists.has(list)) this.#circuits.delete(list);
  }

  /** The server failed to answer. */
  failed(list: string, now: number): void {
    const { fails: before = 0, isOwn = false } = this.#circuits.get(list) ?? {};
    const fails = before + 1;
    const wait = Math.min(restMs.longest, restMs.first * 2 ** Math.max(0, fails - tripsAfter));
    this.#circuits.set(list, { fails, until: now + wait, isProbing: false, isOwn });
  }

  /** No answer came, for another reason: the next may ask. */
  released(list: string): void {
    const circuit = this.#circuits.get(list);
    if (circuit) circuit.isProbing = false;
  }

  /** Everything may be asked for again. */
  forget(): void {
    this.#circuits.clear();
  }
}
