/** Puts the focus on the cell of a list the keyboard was last on, or on the list itself where it has no row. */
export function focusGrid(grid: HTMLElement | null = document.querySelector<HTMLElement>('[role="grid"]')): void {
  const cell = grid?.querySelector<HTMLElement>('[data-row] [data-column][tabindex="0"]');
  (cell ?? grid)?.focus({ preventScroll: true });
}
