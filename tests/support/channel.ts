import type { Channel } from '#workers/ports.ts';

/** The way from each to all others that opened one by the same name, as a browser has it. @param deliver when it arrives. */
export function aChannel(deliver: (arrive: () => void) => void = queueMicrotask) {
  const opened = new Map<string, Set<(message: unknown) => void>>();
  const open = (name: string, onMessage: (message: unknown) => void): Channel => {
    const all = opened.get(name) ?? new Set();
    opened.set(name, all.add(onMessage));
    return {
      post: (message) => {
        for (const each of all) if (each !== onMessage) deliver(() => all.has(each) && each(structuredClone(message)));
      },
      close: () => void all.delete(onMessage),
    };
  };
  return { open };
}
