import { quietMs } from './quiet.ts';

/** Failures in a row, of whatever scopes, after which a list is left alone for all of them. */
const tripsAfter = 5;
/** How long it is left alone at first, and at most, in milliseconds. */
const restMs = { first: 15_000, longest: 300_000 };

interface Circuit {
  fails: number;
  /** Nothing is asked before; then one question goes through, and its answer decides. */
  until: number;
  /** How long that was to be from when it failed last, in milliseconds. */
  waitMs: number;
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
    return !circuit.isProbing && (circuit.until <= now || circuit.until - now > circuit.waitMs);
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
    for (const [list, circuit] of this.#circuits)
      if (!circuit.isOwn)
        this.#circuits.set(list, { ...circuit, fails: Math.min(circuit.fails, tripsAfter), until: -Infinity, isOwn: true });
  }

  /** Whether any list is left alone. */
  get isOpen(): boolean {
    return [...this.#circuits.values()].some(({ fails }) => fails >= tripsAfter);
  }

  /** Of lists that nobody wants any more it does not matter that they failed. */
  keepOnly(lists: ReadonlySet<string | null>): void {
    for (const list of this.#circuits.keys()) if (!lists.has(list)) this.#circuits.delete(list);
  }

  /** The server failed to answer. @param askedMs for how long it asked to be left alone with the list: for so long it is, and a little more, that others are asked for first. */
  failed(list: string, now: number, askedMs?: number): void {
    const { fails: before = 0, isOwn = false } = this.#circuits.get(list) ?? {};
    const isAsked = askedMs !== undefined;
    const fails = isAsked ? Math.max(before + 1, tripsAfter) : before + 1;
    const rest = Math.min(restMs.longest, restMs.first * 2 ** Math.max(0, fails - tripsAfter));
    const waitMs = rest + quietMs(askedMs ?? 0);
    this.#circuits.set(list, { fails, until: now + waitMs, waitMs, isProbing: false, isOwn: isOwn || isAsked });
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
