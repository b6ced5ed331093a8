/** Padding, gap and rule of a cell, as its class names give them. Pixels. */
const padding = 26;
const gap = 8;
/** Room for the arrow and the number of an order. */
const arrow = 28;
/** Room for the parenthesis that closes a negative amount. */
const closing = 8;

function naturalWidth(cell: Element): number {
  if (cell.children.length === 0) {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getBoundingClientRect().width + padding + closing;
  }
  // the first cell of a row has its text in an element of its own, beside the row's sign
  const parts = [...cell.children].flatMap((part) =>
    part.matches('[data-painted]') && part.children.length > 0 ? [...part.children] : [part],
  );
  const widths = parts.map((part) => Math.max(part.scrollWidth, part instanceof HTMLElement ? part.offsetWidth : 0));
  return widths.reduce((sum, width) => sum + width, padding + gap * (parts.length - 1));
}

/** The width at which everything that is drawn of a column is shown in full, in pixels; null where nothing of it is. */
export function fitWidth(grid: Element, index: number, key: string): number | null {
  const cells = [...grid.querySelectorAll(`[data-row] [data-column="${index}"]`)].map((cell) => naturalWidth(cell));
  const label = grid.querySelector(`[data-head="${CSS.escape(key)}"] [data-label]`);
  const widths = label ? [...cells, label.scrollWidth + padding + arrow] : cells;
  return widths.length === 0 ? null : Math.max(...widths);
}
