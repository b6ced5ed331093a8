import type { Channel } from '#workers/ports.ts';

/** Has a message arrive. */
type Deliver = (arrive: () => void) => void;

/** The way from each to all others that opened one by the same name, as a browser has it. */
export class Channels {
  readonly #opened = new Map<string, Set<{ onMessage: (message: unknown) => void; deliver: Deliver }>>();

  /** @param deliver when what is told arrives here. */
  open(name: string, onMessage: (message: unknown) => void, deliver: Deliver = queueMicrotask): Channel {
    const all = this.#opened.get(name) ?? new Set();
    const own = { onMessage, deliver };
    this.#opened.set(name, all.add(own));
    return {
      post: (message) => {
        for (const each of all) if (each !== own) each.deliver(() => all.has(each) && each.onMessage(structuredClone(message)));
      },
      close: () => void all.delete(own),
    };
  }
}
