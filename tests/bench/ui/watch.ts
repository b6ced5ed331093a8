// Runs in the page: says when what was asked for is painted, by the marks the grid itself bears.

declare global {
  interface Window {
    tieoutWatch: {
      /**
       * The time from the next event of a kind, as the browser took it, to the paint after the grid shows a newer answer with every
       * visible row there. Null where none comes within `mostMs`.
       */
      answerTo: (event: string, mostMs: number) => Promise<number | null>;
      /**
       * The time to lay out and paint the list with other texts in all its cells, written at once by nobody's code: what the browser takes
       * by itself where everything changes. Afterwards they are as they were.
       */
      rewritten: () => Promise<number>;
      /** Notes the time between frames until `stop`. */
      frames: () => { stop: () => number[] };
    };
  }
}

const grid = (): Element | null => document.querySelector('[role="grid"]');

function painted(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      // a message posted in a frame is handled after it was painted
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    });
  });
}

function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (holds()) {
      resolve();
      return;
    }
    const observer = new MutationObserver(() => {
      if (!holds()) return;
      observer.disconnect();
      resolve();
    });
    // of every text and style that is written the browser would keep a record: a part of what is measured would be ours
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-version', 'aria-busy'] });
  });
}

const revision = (): number => Number(grid()?.getAttribute('data-version') ?? -1);

/** The moment of the next event of a kind. */
function next(event: string): Promise<number> {
  return new Promise((resolve) => {
    addEventListener(event, ({ timeStamp }) => resolve(timeStamp), { once: true, capture: true });
  });
}

async function answered(before: number): Promise<number> {
  await until(() => revision() > before && grid()?.getAttribute('aria-busy') !== 'true' && !grid()?.querySelector('.bone'));
  return painted();
}

window.tieoutWatch = {
  answerTo: async (event, mostMs) => {
    const late = new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), mostMs);
    });
    const [at, seen] = await Promise.all([next(event), Promise.race([answered(revision()), late])]);
    return seen === null ? null : seen - at;
  },
  rewritten: async () => {
    const texts = [...document.querySelectorAll('[role="grid"] [data-painted]')].flatMap((cell) => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      while (walker.nextNode()) found.push(walker.currentNode as Text);
      return found;
    });
    const before = texts.map(({ data }) => data);
    const began = performance.now();
    for (const [at, text] of texts.entries()) text.data = before[(at + 13) % before.length] ?? '';
    const took = (await painted()) - began;
    for (const [at, text] of texts.entries()) text.data = before[at] ?? '';
    return took;
  },
  frames: () => {
    const gaps: number[] = [];
    let last = 0;
    let isRunning = true;
    const frame = (now: number): void => {
      if (last > 0) gaps.push(now - last);
      last = now;
      if (isRunning) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return {
      stop: () => {
        isRunning = false;
        return gaps;
      },
    };
  },
};

export {};
