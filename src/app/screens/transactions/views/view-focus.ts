import type { KeyboardEvent } from 'react';

/** Marks the main button of each view in the list. */
export const viewMark = 'data-view';

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
};

/** Arrows, Home and End move from view to view; from the search above into the list, and back up into it. */
export function moveInViews(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const isSearch = event.target instanceof HTMLInputElement;
  if (!step || (isSearch && event.key !== 'ArrowDown') || event.altKey || event.ctrlKey || event.metaKey) return;
  const box = event.currentTarget;
  const buttons = [...box.querySelectorAll<HTMLElement>(`[${viewMark}]`)];
  const row = event.target instanceof Element ? event.target.closest('li') : null;
  const at = buttons.findIndex((button) => row?.contains(button));
  event.preventDefault();
  const search = box.querySelector<HTMLElement>('input[type="search"]');
  if (event.key === 'ArrowUp' && at === 0 && search) search.focus();
  else buttons[step(at, buttons.length - 1)]?.focus();
}
