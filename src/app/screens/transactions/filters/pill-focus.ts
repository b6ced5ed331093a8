import type { KeyboardEvent } from 'react';
import { shortcutOf } from '#app/ui/chords.ts';
import { pillMark } from '#app/ui/pill.tsx';
import { filterMoves } from './filter-keys.ts';

const selector = `[${pillMark}]`;

function pillsAround(element: Element | null): HTMLElement[] {
  return [...(element?.closest('[role="search"]')?.querySelectorAll<HTMLElement>(selector) ?? [])];
}

/** Moves the focus to the pill beside the one that is about to go, so that it is not lost with it. */
export function leavePill(): void {
  const here = document.activeElement;
  const pills = pillsAround(here);
  const at = pills.findIndex((pill) => pill.parentElement?.contains(here));
  if (at >= 0) (pills[at + 1] ?? pills[at - 1])?.focus();
}

/** Arrow keys go from pill to pill. Keys pressed in an editor are none of theirs. */
export function onPillKey(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLElement) || !event.target.matches(selector)) return;
  const pills = pillsAround(event.target);
  const at = pills.indexOf(event.target);
  const move = shortcutOf(filterMoves, event);
  if (move === undefined) return;
  event.preventDefault();
  pills[{ next: at + 1, before: at - 1, first: 0, last: pills.length - 1 }[move]]?.focus();
}
