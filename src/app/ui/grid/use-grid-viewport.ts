import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createViewport, type GridView, type GridViewport, type ViewShape } from './grid-viewport.ts';

/** A scroll so soon after the wheel turned, or while a finger is down, is theirs. Milliseconds. */
const gestureMs = 250;
/** No scroll for so long is rest. Milliseconds. */
const restMs = 160;

interface Heard {
  viewport: GridViewport;
  scroller: HTMLElement;
}

/** Tells the viewport of every scroll and size of its element. @returns how to stop. */
function listen({ viewport, scroller }: Heard): () => void {
  let wheelAt = -gestureMs;
  let isTouched = false;
  let scrolledAt = 0;
  let resting: ReturnType<typeof setTimeout> | undefined;
  // one timer for many scrolls: to set it anew with each takes as long as some rows
  const restIn = (ms: number): void => {
    resting = setTimeout(() => {
      const left = scrolledAt + restMs - performance.now();
      if (left > 0) {
        restIn(left);
        return;
      }
      resting = undefined;
      isTouched = false;
      viewport.rest();
    }, ms);
  };
  // what is pinned only has to stick where something could pass under it: each that sticks is a layer of its own
  const markSideways = (): void => void scroller.toggleAttribute('data-sideways', scroller.scrollLeft > 0);
  const onScroll = (event: Event): void => {
    markSideways();
    viewport.scroll(scroller, isTouched || event.timeStamp - wheelAt < gestureMs);
    scrolledAt = performance.now();
    if (resting === undefined) restIn(restMs);
  };
  const onWheel = (event: Event): void => {
    wheelAt = event.timeStamp;
  };
  const onTouch = (): void => {
    isTouched = true;
  };
  const sizes = new ResizeObserver(() => viewport.resize(scroller.clientWidth, scroller.clientHeight));
  viewport.attach(scroller);
  markSideways();
  sizes.observe(scroller);
  scroller.addEventListener('scroll', onScroll, { passive: true });
  scroller.addEventListener('wheel', onWheel, { passive: true });
  scroller.addEventListener('touchstart', onTouch, { passive: true });
  return () => {
    viewport.attach(null);
    clearTimeout(resting);
    sizes.disconnect();
    scroller.removeEventListener('scroll', onScroll);
    scroller.removeEventListener('wheel', onWheel);
    scroller.removeEventListener('touchstart', onTouch);
  };
}

/**
 * The part of a list that is drawn, kept up to date with its shape and how its element is scrolled.
 * @param onWidth told of the width of the visible part, before anything is painted.
 */
export function useGridViewport(
  shape: ViewShape,
  onWidth: (width: number) => void,
): { viewport: GridViewport; view: GridView; scroller: RefObject<HTMLDivElement | null> } {
  const scroller = useRef<HTMLDivElement>(null);
  const [viewport] = useState(() => createViewport());
  const view = useSyncExternalStore(viewport.subscribe, viewport.snapshot);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current) viewport.resize(current.clientWidth, current.clientHeight);
  }, [viewport]);
  useLayoutEffect(() => onWidth(view.width), [onWidth, view.width]);
  useLayoutEffect(() => viewport.shape(shape));
  useEffect(() => (scroller.current ? listen({ viewport, scroller: scroller.current }) : undefined), [viewport]);
  return { viewport, view, scroller };
}

/** Rows asked for beyond the drawn ones, on either side, so that steady scrolling meets no skeleton. */
const ahead = 40;
/** While one flings, rows are asked for no oftener than this. Milliseconds. */
const breathMs = 60;

/** Asks for the rows that are drawn, at once where one stands still. */
export function useWantedRows(want: (first: number, last: number) => void, view: GridView, count: number): void {
  const askedAt = useRef(0);
  const first = Math.max(0, view.first - ahead);
  const last = Math.min(count - 1, view.last + ahead);
  useEffect(() => {
    const wait = breathMs - (performance.now() - askedAt.current);
    const ask = (): void => {
      askedAt.current = performance.now();
      want(first, last);
    };
    if (wait <= 0) {
      ask();
      return undefined;
    }
    const timer = setTimeout(ask, wait);
    return () => clearTimeout(timer);
  }, [want, first, last]);
}
