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
      /**
       * Lays a list of the grid's own rows over it, `#bare`, in which a row that comes is one that left, moved and written anew by the
       * fewest lines there can be: what the browser takes by itself to scroll them.
       */
      bareList: (count: number) => { remove: () => void };
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

function textsIn(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found;
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
    const texts = [...document.querySelectorAll('[role="grid"] [data-painted]')].flatMap(textsIn);
    const before = texts.map(({ data }) => data);
    const began = performance.now();
    for (const [at, text] of texts.entries()) text.data = before[(at + 13) % before.length] ?? '';
    const took = (await painted()) - began;
    for (const [at, text] of texts.entries()) text.data = before[at] ?? '';
    return took;
  },
  bareList: (count) => {
    const [around, lines] = [grid() as Element, [...document.querySelectorAll('[role="grid"] [data-row]')]];
    const box = around.getBoundingClientRect();
    const height = lines[0]?.getBoundingClientRect().height ?? 1;
    const texts = lines.map((line) => textsIn(line).map(({ data }) => data));
    const [list, all] = [document.createElement('div'), document.createElement('div')];
    list.id = 'bare';
    list.style.cssText = `position:fixed;left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px;overflow:auto;z-index:100;contain:strict`;
    all.style.cssText = `height:${count * height}px;position:relative`;
    list.append(all);
    const slots = lines.map((line) => {
      const slot = line.cloneNode(true) as HTMLElement;
      all.append(slot);
      return { slot, texts: textsIn(slot), at: -1 };
    });
    const draw = (): void => {
      const first = Math.max(0, Math.floor(list.scrollTop / height) - Math.floor((slots.length - box.height / height) / 2));
      for (let at = first; at < first + slots.length; at += 1) {
        const line = slots[at % slots.length] as (typeof slots)[number];
        if (line.at === at) continue;
        line.at = at;
        line.slot.style.transform = `translateY(${at * height}px)`;
        const others = texts[(at * 7) % texts.length] as string[];
        for (const [place, text] of line.texts.entries()) text.data = others[place % others.length] ?? '';
      }
    };
    list.addEventListener('scroll', draw, { passive: true });
    document.body.append(list);
    draw();
    return { remove: () => list.remove() };
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
