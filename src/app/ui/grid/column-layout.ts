/** What a column is like before anybody changes it. Widths are pixels. */
export interface ColumnUsual {
  key: string;
  width: number;
  isPinned?: boolean;
  isHidden?: boolean;
}

/** What a person chose for one column. */
export interface ColumnChoice {
  key: string;
  width: number;
  isPinned: boolean;
  isHidden: boolean;
}

/** Every column in its order, the pinned ones first. One at least is shown. */
export type ColumnLayout = readonly ColumnChoice[];

export const columnWidths = { least: 48, most: 1_200 } as const;

function fitted(width: number): number {
  return Math.round(Math.max(columnWidths.least, Math.min(columnWidths.most, width)));
}

function ordered(choices: readonly ColumnChoice[]): ColumnLayout {
  const layout = [...choices.filter((choice) => choice.isPinned), ...choices.filter((choice) => !choice.isPinned)];
  return layout.some((choice) => !choice.isHidden)
    ? layout
    : layout.map((choice, index) => (index === 0 ? { ...choice, isHidden: false } : choice));
}

function usualChoice({ key, width, isPinned = false, isHidden = false }: ColumnUsual): ColumnChoice {
  return { key, width, isPinned, isHidden };
}

export function usualLayout(usual: readonly ColumnUsual[]): ColumnLayout {
  return ordered(usual.map(usualChoice));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function choiceOf(kept: unknown, usual: readonly ColumnUsual[]): ColumnChoice | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const { key, width, pinned, hidden } = kept as Record<string, unknown>;
  const column = usual.find((one) => one.key === key);
  if (!column) return null;
  const isWidth = typeof width === 'number' && Number.isFinite(width);
  return {
    key: column.key,
    width: isWidth ? fitted(width) : column.width,
    isPinned: typeof pinned === 'boolean' ? pinned : (column.isPinned ?? false),
    isHidden: typeof hidden === 'boolean' ? hidden : (column.isHidden ?? false),
  };
}

/**
 * The layout a kept text stands for, whatever it holds: unknown columns, doubles and values nobody can read are left out,
 * a column it does not know stands after the one it usually follows.
 */
export function readLayout(text: string | null, usual: readonly ColumnUsual[]): ColumnLayout {
  const kept = text === null ? null : parsed(text);
  if (!Array.isArray(kept)) return usualLayout(usual);
  const choices: ColumnChoice[] = [];
  for (const one of kept) {
    const choice = choiceOf(one, usual);
    if (choice && !choices.some((other) => other.key === choice.key)) choices.push(choice);
  }
  usual.forEach((column, index) => {
    if (choices.some((choice) => choice.key === column.key)) return;
    const before = usual[index - 1];
    choices.splice(choices.findIndex((choice) => choice.key === before?.key) + 1, 0, usualChoice(column));
  });
  return ordered(choices);
}

/** The layout as it is kept. */
export function layoutText(layout: ColumnLayout): string {
  return JSON.stringify(layout.map(({ key, width, isPinned, isHidden }) => ({ key, width, pinned: isPinned, hidden: isHidden })));
}

/** The columns that are shown, in their order. */
export function shownColumns(layout: ColumnLayout): readonly ColumnChoice[] {
  return layout.filter((choice) => !choice.isHidden);
}

function changed(layout: ColumnLayout, key: string, change: Partial<ColumnChoice>): ColumnLayout {
  return ordered(layout.map((choice) => (choice.key === key ? { ...choice, ...change } : choice)));
}

export function resizeColumn(layout: ColumnLayout, key: string, width: number): ColumnLayout {
  return changed(layout, key, { width: fitted(width) });
}

/** Hides or shows a column; the last one shown stays. */
export function hideColumn(layout: ColumnLayout, key: string, isHidden: boolean): ColumnLayout {
  const others = shownColumns(layout).filter((choice) => choice.key !== key);
  return isHidden && others.length === 0 ? layout : changed(layout, key, { isHidden });
}

/** Pins a column after the pinned ones, or sets it free before the others. */
export function pinColumn(layout: ColumnLayout, key: string, isPinned: boolean): ColumnLayout {
  const column = layout.find((choice) => choice.key === key);
  if (!column || column.isPinned === isPinned) return layout;
  const rest = layout.filter((choice) => choice.key !== key);
  const at = rest.filter((choice) => choice.isPinned).length;
  return ordered(rest.toSpliced(at, 0, { ...column, isPinned }));
}

/** Puts a column before another one, or with null last. Among pinned columns it becomes pinned, among the others free. */
export function moveColumn(layout: ColumnLayout, key: string, before: string | null): ColumnLayout {
  const column = layout.find((choice) => choice.key === key);
  const shown = shownColumns(layout);
  const next = shown[shown.findIndex((choice) => choice.key === key) + 1];
  if (!column || key === before || (before !== null && next?.key === before)) return layout;
  const rest = layout.filter((choice) => choice.key !== key);
  const found = rest.findIndex((choice) => choice.key === before);
  const at = found < 0 ? rest.length : found;
  const isPinned = rest[at]?.isPinned === true || (column.isPinned && rest[at - 1]?.isPinned === true);
  return ordered(rest.toSpliced(at, 0, { ...column, isPinned }));
}

/** Moves a column by one among the shown ones that are pinned, or free, as it is. */
export function stepColumn(layout: ColumnLayout, key: string, by: -1 | 1): ColumnLayout {
  const shown = shownColumns(layout);
  const at = shown.findIndex((choice) => choice.key === key);
  const [own, other] = [shown[at], shown[at + by]];
  if (!own || !other || own.isPinned !== other.isPinned) return layout;
  if (by < 0) return moveColumn(layout, key, other.key);
  // to its right: before whatever follows the neighbour, else last of its kind
  return moveColumn(layout, other.key, key);
}
