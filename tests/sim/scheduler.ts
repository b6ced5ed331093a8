import type { Random } from './random.ts';

/** Something that can be killed with all it does: a tab, a worker, a browser. */
export interface Actor {
  readonly name: string;
  isDead: boolean;
  /** It does nothing until then, in virtual milliseconds: a tab put to sleep. */
  frozenUntil: number;
}

interface Task {
  label: string;
  actor: Actor | null;
  run: () => void;
}

interface Timer extends Task {
  due: number;
  order: number;
}

/**
 * The only thing that lets anything go on: every call of a port waits for its turn here, and the seed picks whose turn it is. Time is
 * virtual and passes only while nobody can go on.
 */
export class Scheduler {
  now: number;
  /** Turns given so far. */
  turns = 0;
  readonly random: Random;
  /** A number that any other order of turns would make another one. */
  trace = 0x811c9dc5;
  /** Called after every turn, once all that followed from it has run. */
  afterTurn: () => void = () => undefined;
  readonly #recent: Task[] = [];
  #tasks: Task[] = [];
  readonly #timers: Timer[] = [];
  #orders = 0;
  /** Work that goes on outside of this process, in real time. */
  #outside = 0;

  constructor(random: Random, now: number) {
    this.random = random;
    this.now = now;
  }

  /** The latest turns, in words, for whoever asks what happened. */
  get recent(): string[] {
    return this.#recent.map(({ actor, label }) => `${actor?.name ?? '-'} ${label}`);
  }

  /** Resolves when it is this caller's turn; never where its actor is dead by then. */
  turn(label: string, actor: Actor | null): Promise<void> {
    return new Promise((run) => void this.#tasks.push({ label, actor, run }));
  }

  /** Resolves so many virtual milliseconds later. @returns also how to have it sooner, and how to have it never. */
  after(ms: number, label: string, actor: Actor | null): { done: Promise<void>; hurry: () => void; cancel: () => void } {
    let timer: Timer | undefined;
    const done = new Promise<void>((run) => {
      this.#orders += 1;
      timer = { label, actor, run, due: this.now + Math.max(0, ms), order: this.#orders };
      this.#timers.push(timer);
    });
    /** @returns null where its time came already. */
    const taken = (): Timer | null => {
      const at = timer ? this.#timers.indexOf(timer) : -1;
      return at < 0 ? null : (this.#timers.splice(at, 1)[0] ?? null);
    };
    const hurry = (): void => {
      const early = taken();
      if (early) this.#tasks.push(early);
    };
    return { done, hurry, cancel: () => void taken() };
  }

  /** Work that no turn can hurry, such as a real server's: nothing else happens, and no time passes, until it is done. */
  async outside<T>(work: T | Promise<T>): Promise<T> {
    if (!(work instanceof Promise)) return work;
    this.#outside += 1;
    try {
      return await work;
    } finally {
      this.#outside -= 1;
    }
  }

  /** Lets things happen until `isDone`, at most so many turns. @returns whether it came to that. */
  async until(isDone: () => boolean, mostTurns: number): Promise<boolean> {
    await this.#settled();
    for (let turn = 0; turn < mostTurns; turn += 1) {
      if (isDone()) return true;
      if (!(await this.#step())) return isDone();
    }
    return isDone();
  }

  /** Lets virtual time pass, with all that happens in it. */
  async pass(ms: number, mostTurns: number): Promise<boolean> {
    let isOver = false;
    void this.after(ms, 'wait', null).done.then(() => {
      isOver = true;
    });
    return this.until(() => isOver, mostTurns);
  }

  /** One turn, or some time. @returns false where nobody waits for either. */
  async #step(): Promise<boolean> {
    let ready = 0;
    for (let at = this.#tasks.length - 1; at >= 0; at -= 1) {
      const { actor } = this.#tasks[at] as Task;
      if (actor?.isDead === true) this.#tasks.splice(at, 1);
      else if (this.#isReady(actor)) ready += 1;
    }
    if (ready === 0) return this.#wind();
    let at = this.random.below(ready);
    if (ready < this.#tasks.length) at = this.#placeOf(at);
    const [task] = this.#tasks.splice(at, 1) as [Task];
    this.turns += 1;
    // who could go on, whose turn it was and what for: the words themselves would cost more than the turn
    this.trace = Math.imul(this.trace ^ (ready * 0x10000 + at * 0x100 + task.label.length), 0x01000193) >>> 0;
    this.#recent.push(task);
    if (this.#recent.length > 400) this.#recent.splice(0, 200);
    task.run();
    await this.#settled();
    this.afterTurn();
    return true;
  }

  #isReady(actor: Actor | null): boolean {
    return actor === null || actor.frozenUntil <= this.now;
  }

  /** Where the so manieth of those who can go on stands among all. */
  #placeOf(nth: number): number {
    let left = nth;
    return this.#tasks.findIndex(({ actor }) => this.#isReady(actor) && left-- === 0);
  }

  /** Passes time to the next moment at which something is due. @returns false where nothing ever is. */
  #wind(): boolean {
    const alive = this.#timers.filter(({ actor }) => actor?.isDead !== true);
    this.#timers.splice(0, this.#timers.length, ...alive);
    const thaws = this.#tasks.flatMap(({ actor }) => (actor && actor.frozenUntil > this.now ? [actor.frozenUntil] : []));
    const next = Math.min(...alive.map(({ due }) => due), ...thaws);
    if (!Number.isFinite(next)) return false;
    this.now = Math.max(this.now, next);
    for (const timer of alive.filter(({ due }) => due <= this.now).sort((a, b) => a.due - b.due || a.order - b.order)) {
      this.#timers.splice(this.#timers.indexOf(timer), 1);
      this.#tasks.push(timer);
    }
    return true;
  }

  /** All that follows at once from what has happened: Node runs the next tick after every microtask, however many follow from each. */
  async #settled(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => {
        process.nextTick(resolve);
      });
      if (this.#outside === 0) return;
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    }
  }
}
