/** Some sequences as a heap: the one whose head comes first is at hand. */
export class FirstOf<T> {
  private readonly heap: T[];
  private readonly isBefore: (a: T, b: T) => boolean;

  /** None of the sequences is at its end. */
  constructor(sequences: readonly T[], isBefore: (a: T, b: T) => boolean) {
    this.heap = [...sequences];
    this.isBefore = isBefore;
    for (let at = (this.heap.length >>> 1) - 1; at >= 0; at--) this.sink(at);
  }

  get first(): T | undefined {
    return this.heap[0];
  }

  /** To be called when the first sequence has gone on by one. */
  goneOn(isAtEnd: boolean): void {
    if (isAtEnd) {
      const last = this.heap.pop();
      if (last === undefined || this.heap.length === 0) return;
      this.heap[0] = last;
    }
    this.sink(0);
  }

  private sink(from: number): void {
    const { heap } = this;
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const isRight = left + 1 < heap.length && this.isBefore(heap[left + 1] as T, heap[left] as T);
      const child = isRight ? left + 1 : left;
      if (!this.isBefore(heap[child] as T, heap[at] as T)) return;
      [heap[at], heap[child]] = [heap[child] as T, heap[at] as T];
      at = child;
    }
  }
}
