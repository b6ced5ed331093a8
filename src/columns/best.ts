/** Keeps the references with the smallest numbers seen, with some to spare, and throws the others out whenever it is full. */
export class Best {
  private readonly count: number;
  private readonly numbers: Float64Array;
  private readonly refs: Uint32Array;
  private held = 0;
  /** No number above this is among the first. */
  limit = Infinity;
  /** Whether rows with the number `limit` are held; there may be too many. */
  private withTies = true;

  constructor(count: number) {
    this.count = count;
    this.numbers = new Float64Array(count * 2 + 16);
    this.refs = new Uint32Array(this.numbers.length);
  }

  /** Adds `listed` rows with their numbers; their references begin at `base`. */
  add(numbers: Float64Array, rows: Uint32Array, listed: number, base: number): void {
    for (let i = 0; i < listed; i++) {
      const number = numbers[i] as number;
      if (number > this.limit || (number === this.limit && !this.withTies)) continue;
      this.numbers[this.held] = number;
      this.refs[this.held++] = base + (rows[i] as number);
      if (this.held === this.refs.length) this.throwOut();
    }
  }

  /** What was kept: all references with a number below `limit`, and those with that number too, where they are not too many. */
  end(): { refs: Uint32Array; limit: number; hasAllTies: boolean } {
    const isOver = this.withTies || this.held >= this.count;
    if (isOver && this.held > this.count) this.throwOut();
    return { refs: this.refs.slice(0, this.held), limit: this.limit, hasAllTies: this.withTies || this.held >= this.count };
  }

  private throwOut(): void {
    const limit = nthSmallest(this.numbers.slice(0, this.held), this.count - 1);
    if (limit < this.limit) this.withTies = true;
    this.limit = limit;
    this.keepUpTo(limit);
    if (this.held <= (this.refs.length * 3) >>> 2) return;
    this.withTies = false;
    this.keepUpTo(limit);
  }

  private keepUpTo(limit: number): void {
    let kept = 0;
    for (let i = 0; i < this.held; i++) {
      const number = this.numbers[i] as number;
      if (number > limit || (number === limit && !this.withTies)) continue;
      this.numbers[kept] = number;
      this.refs[kept++] = this.refs[i] as number;
    }
    this.held = kept;
  }
}

/** The number that sorting would bring to a place. The numbers are put in another order. */
function nthSmallest(numbers: Float64Array, place: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1] as number;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((numbers[i] as number) < pivot) i++;
      while ((numbers[j] as number) > pivot) j--;
      if (i > j) break;
      const swapped = numbers[i] as number;
      numbers[i++] = numbers[j] as number;
      numbers[j--] = swapped;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return numbers[place] as number;
}
