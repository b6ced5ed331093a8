import type { GridCell, GridColumn } from './grid-column.ts';
import type { DrawnColumn, GridFrame } from './grid-frame.ts';
import { textWidth } from './text-widths.ts';

/** What was written into an element last, and how wide its column was. */
const painted = new WeakMap<Element, { cell: GridCell | null; width: number }>();

/** What a cell has around its text, as its class names give it. Pixels. */
const padding = 24;
const gap = 8;
const dotWidth = 8;
const unitWidth = 64;
const unitGap = 6;
/** Of the sign at the end of a row's first cell. */
const signWidth = 20;

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

/** How a text is written: in one line, and cut off only where it is too long. */
export const oneLine = 'whitespace-nowrap data-long:overflow-hidden data-long:text-ellipsis';

function element(className: string, ...children: Node[]): HTMLElement {
  const made = document.createElement('span');
  made.className = className;
  made.append(...children);
  return made;
}

interface Written {
  text: string;
  /** A parenthesis may follow in other rows: as much room is left, so that all amounts end at the same digit. */
  closes: boolean;
  look: string;
  /** In pixels. */
  room: number;
}

/** Writes a text. One that may not have room is cut off where its cell ends: of each that could be the browser keeps that in mind as it paints. */
function writeText(into: HTMLElement, { text, closes, look, room }: Written): void {
  const { firstChild } = into;
  if (!(firstChild instanceof Text)) into.textContent = text;
  else if (firstChild.data !== text) firstChild.data = text;
  const closing = closes ? textWidth(')', look) : 0;
  const side = isOwnCell(into) ? padding / 2 : 0;
  into.style.paddingRight = closes ? `${side + closing}px` : '';
  into.toggleAttribute('data-long', textWidth(text, look) + closing > room);
}

function makeParts(into: HTMLElement, look: string, hasDot: boolean, hasUnit: boolean, kind: string): Parts {
  const dot = hasDot ? element('dot size-2 shrink-0 rounded-full') : null;
  dot?.setAttribute('aria-hidden', 'true');
  const text = element(`${oneLine} ${look}`);
  const unit = hasUnit ? element(oneLine) : null;
  const dots = dot ? [dot] : [];
  if (unit) into.replaceChildren(text, element('flex w-16 shrink-0 items-center gap-1.5 text-small text-muted', ...dots, unit));
  else into.replaceChildren(...dots, text);
  return { kind, text, unit, dot };
}

function writeParts(into: HTMLElement, { shown, unit, dot }: GridCell, { look, closes, room }: Omit<Written, 'text'>): void {
  const kind = `${dot !== undefined} ${unit !== undefined}`;
  const held = partsOf.get(into);
  const parts = held?.kind === kind && held.text.isConnected ? held : makeParts(into, look, dot !== undefined, unit !== undefined, kind);
  partsOf.set(into, parts);
  const dots = dot === undefined ? 0 : dotWidth;
  writeText(parts.text, { text: shown, closes, look, room: room - gap - (unit === undefined ? dots : unitWidth) });
  if (parts.unit && unit !== undefined)
    writeText(parts.unit, { text: unit, closes: false, look: 'text-small', room: unitWidth - (dots > 0 ? dots + unitGap : 0) });
  if (parts.dot && dot !== undefined) parts.dot.style.background = dot;
}

/** Whether a text is written right into its cell; else into an element beside the row's sign. */
function isOwnCell(into: HTMLElement): boolean {
  return into.dataset.column !== undefined;
}

/** A grey bar where a text will be. */
function writeBone(into: HTMLElement, index: number): void {
  const bone = element('bone block h-2.5');
  bone.setAttribute('aria-hidden', 'true');
  bone.style.width = `${45 + ((index * 29) % 40)}%`;
  into.style.paddingRight = '';
  into.removeAttribute('data-long');
  into.replaceChildren(bone);
}

function writeCell<Row>(into: HTMLElement, cell: GridCell | null, { column, index, width }: DrawnColumn<Row>): void {
  const before = painted.get(into);
  if (before?.cell === cell && before.width === width) return;
  painted.set(into, { cell, width });
  if (cell === null) {
    writeBone(into, index);
    return;
  }
  const room = width - padding - (isOwnCell(into) ? 0 : gap + signWidth);
  const closes = column.isNumber === true && /\d$/.test(cell.shown);
  const look = `${column.isNumber ? 'figures' : ''} ${column.look ?? ''}`;
  if (isPlain(column)) writeText(into, { text: cell.shown, closes, look, room });
  else writeParts(into, cell, { closes, look, room });
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
      writeTitle(isOwnCell(into) ? into : (into.parentElement as HTMLElement), drawn.index === activeColumn ? cell?.full : undefined);
      at += 1;
    }
  }
}
