/** Remembers the last few results by name; the one not asked for the longest goes first. */
export class Memo<T> {
  private readonly held = new Map<string, T>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  get(name: string): T | undefined {
    const value = this.held.get(name);
    if (value === undefined) return undefined;
    this.held.delete(name);
    this.held.set(name, value);
    return value;
  }

  set(name: string, value: T): void {
    this.held.set(name, value);
    if (this.held.size <= this.most) return;
    for (const oldest of this.held.keys()) {
      this.held.delete(oldest);
      break;
    }
  }

  clear(): void {
    this.held.clear();
  }
}
