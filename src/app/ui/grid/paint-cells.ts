import type { GridCell, GridColumn } from './grid-column.ts';
import type { DrawnColumn, GridFrame } from './grid-frame.ts';

/** What was written into an element last. */
const painted = new WeakMap<Element, GridCell | null>();

/** The parts of a cell that is more than a text. */
interface Parts {
  /** Which of them there are. */
  kind: string;
  text: HTMLElement;
  unit: HTMLElement | null;
  dot: HTMLElement | null;
}
const partsOf = new WeakMap<Element, Parts>();

/** Whether a column's cells are one text each: most are, and every element costs while one scrolls. */
export function isPlain<Row>({ hasUnit, hasDot }: GridColumn<Row>): boolean {
  return hasUnit !== true && hasDot !== true;
}

function element(className: string, ...children: Node[]): HTMLElement {
  const made = document.createElement('span');
  made.className = className;
  made.append(...children);
  return made;
}

function writeText(into: HTMLElement, text: string, closes: boolean): void {
  const { firstChild } = into;
  if (!(firstChild instanceof Text)) into.textContent = text;
  else if (firstChild.data !== text) firstChild.data = text;
  into.toggleAttribute('data-closes', closes);
}

function makeParts(into: HTMLElement, look: string, hasDot: boolean, hasUnit: boolean, kind: string): Parts {
  const dot = hasDot ? element('dot size-2 shrink-0 rounded-full') : null;
  dot?.setAttribute('aria-hidden', 'true');
  const text = element(`truncate data-closes:closes ${look}`);
  const unit = hasUnit ? element('truncate') : null;
  const dots = dot ? [dot] : [];
  if (unit) into.replaceChildren(text, element('flex w-16 shrink-0 items-center gap-1.5 text-small text-muted', ...dots, unit));
  else into.replaceChildren(...dots, text);
  return { kind, text, unit, dot };
}

function writeParts(into: HTMLElement, { shown, unit, dot }: GridCell, look: string, closes: boolean): void {
  const kind = `${dot !== undefined} ${unit !== undefined}`;
  const held = partsOf.get(into);
  const parts = held?.kind === kind && held.text.isConnected ? held : makeParts(into, look, dot !== undefined, unit !== undefined, kind);
  partsOf.set(into, parts);
  writeText(parts.text, shown, closes);
  if (parts.unit && unit !== undefined) writeText(parts.unit, unit, false);
  if (parts.dot && dot !== undefined) parts.dot.style.background = dot;
}

/** A grey bar where a text will be. */
function writeBone(into: HTMLElement, index: number): void {
  const bone = element('bone block h-2.5');
  bone.setAttribute('aria-hidden', 'true');
  bone.style.width = `${45 + ((index * 29) % 40)}%`;
  into.removeAttribute('data-closes');
  into.replaceChildren(bone);
}

function writeCell<Row>(into: HTMLElement, cell: GridCell | null, { column, index }: DrawnColumn<Row>): void {
  if (painted.get(into) === cell) return;
  painted.set(into, cell);
  if (cell === null) {
    writeBone(into, index);
    return;
  }
  const closes = column.isNumber === true && /\d$/.test(cell.shown);
  if (isPlain(column)) writeText(into, cell.shown, closes);
  else writeParts(into, cell, column.look ?? '', closes);
}

/** What the cell one is at says in full; a title on each cell would cost every row that comes into view. */
function writeTitle(into: HTMLElement, title: string | undefined): void {
  if (title !== undefined) into.title = title;
  else if (into.hasAttribute('title')) into.removeAttribute('title');
}

/** What is written into a line. */
export interface Painting<Row> {
  /** Undefined while it is on its way. */
  row: Row | undefined;
  /** What columns out of sight show: the row that was there before, until what is in sight is painted. */
  spareRow: Row | undefined;
  /** The free columns in sight. */
  firstSeen: number;
  lastSeen: number;
  frame: GridFrame<Row>;
  /** The column the keyboard is on, or -1. */
  activeColumn: number;
}

/**
 * Writes the texts of a row into its cells. React makes the cells and everything else of a row; it would compare ten of them a row
 * where what changes is a text in each, and while one types or scrolls that is most of what there is to do.
 * @param line the row's element: those of its elements with `data-painted` are written, in the order of the frame's columns.
 */
export function paintCells<Row>(line: Element, { row, spareRow, firstSeen, lastSeen, frame, activeColumn }: Painting<Row>): void {
  const cells = line.querySelectorAll<HTMLElement>('[data-painted]');
  let at = 0;
  for (const columns of [frame.pinned, frame.free]) {
    for (const drawn of columns) {
      if (drawn.column.draw) continue;
      const into = cells[at] as HTMLElement;
      const isSpare = columns === frame.free && (drawn.index < firstSeen || drawn.index > lastSeen);
      const shown = isSpare ? spareRow : row;
      const cell = shown === undefined ? null : frame.textOf(shown, drawn.column.key);
      writeCell(into, cell, drawn);
      const isOwnCell = into.dataset.column !== undefined;
      writeTitle(isOwnCell ? into : (into.parentElement as HTMLElement), drawn.index === activeColumn ? cell?.full : undefined);
      at += 1;
    }
  }
}
