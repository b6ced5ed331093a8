import type { PointerEvent } from 'react';
import { swallowClick } from './pointer-drag.ts';

/** A finger that rests for so long presses long. Milliseconds. */
const restMs = 500;
/** Pixels it may tremble meanwhile. */
const slack = 10;
/** A click may come so long after the finger was lifted. Milliseconds. */
const clickMs = 300;

/**
 * Calls back once where a finger or a pen rests on a place; scrolling and a second finger end the wait.
 * The system's own long press counts, too, since people set how long theirs is. Its menu and the click afterwards are left out.
 */
export function awaitLongPress({ pointerId, clientX, clientY }: PointerEvent, onLong: () => void): void {
  let isLong = false;
  const fire = (): void => {
    clearTimeout(timer);
    if (!isLong) onLong();
    isLong = true;
  };
  const timer = setTimeout(fire, restMs);
  const end = (): void => {
    clearTimeout(timer);
    document.removeEventListener('pointermove', move);
    document.removeEventListener('pointerdown', another);
    document.removeEventListener('pointerup', lift);
    document.removeEventListener('pointercancel', end);
    document.removeEventListener('contextmenu', menu, true);
  };
  const move = (event: globalThis.PointerEvent): void => {
    if (event.pointerId === pointerId && Math.hypot(event.clientX - clientX, event.clientY - clientY) > slack) end();
  };
  const another = (event: globalThis.PointerEvent): void => {
    if (event.pointerId !== pointerId) end();
  };
  const lift = (event: globalThis.PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    if (isLong) swallowClick(clickMs);
    end();
  };
  const menu = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
    fire();
  };
  document.addEventListener('pointermove', move);
  document.addEventListener('pointerdown', another);
  document.addEventListener('pointerup', lift);
  document.addEventListener('pointercancel', end);
  document.addEventListener('contextmenu', menu, true);
}
