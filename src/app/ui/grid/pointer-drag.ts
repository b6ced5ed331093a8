import type { PointerEvent } from 'react';

/** Pixels the pointer may wander before a press becomes a drag. */
const slack = 4;

export interface PointerDrag {
  /** The pointer moved, in pixels of the window; `by` is how far from where it was pressed. False says that this is no drag yet. */
  onMove: (at: { x: number; y: number; by: number }) => boolean | void;
  /** The drag ended; `isDropped` is false where it was none, or was broken off by Escape or the system. */
  onEnd: (isDropped: boolean) => void;
}

/** A click follows a drag that ended over the element it began on: nobody meant it. @param withinMs how long after it may come. */
export function swallowClick(withinMs = 0): void {
  const swallow = (event: Event): void => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), withinMs);
}

/** Follows a pressed pointer until it is let go. What is less than a drag stays a click. */
export function followPointer(press: PointerEvent, { onMove, onEnd }: PointerDrag): void {
  const { pointerId, clientX, clientY } = press;
  let isDragging = false;
  const move = (event: globalThis.PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    if (!isDragging && Math.hypot(event.clientX - clientX, event.clientY - clientY) <= slack) return;
    const isMeant = onMove({ x: event.clientX, y: event.clientY, by: event.clientX - clientX }) !== false;
    isDragging ||= isMeant;
  };
  const end = (isDropped: boolean): void => {
    document.removeEventListener('pointermove', move);
    document.removeEventListener('pointerup', drop);
    document.removeEventListener('pointercancel', stop);
    document.removeEventListener('keydown', escape, true);
    if (isDragging && isDropped) swallowClick();
    onEnd(isDropped && isDragging);
  };
  const drop = (event: globalThis.PointerEvent): void => {
    if (event.pointerId === pointerId) end(true);
  };
  const stop = (): void => end(false);
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isDragging) return;
    event.stopPropagation();
    end(false);
  };
  document.addEventListener('pointermove', move);
  document.addEventListener('pointerup', drop);
  document.addEventListener('pointercancel', stop);
  document.addEventListener('keydown', escape, true);
}
