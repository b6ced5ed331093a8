import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { memo, type PointerEvent, useRef, useState } from 'react';
import { Button, IconButton } from '#app/ui/button.tsx';
import { FindInput } from '#app/ui/find-input.tsx';
import { CheckIcon, ColumnsIcon, GripIcon, MoveDownIcon, MoveUpIcon, PinIcon } from '#app/ui/icons.tsx';
import { type ColumnChoice, type ColumnLayout, hideColumn, moveColumn, pinColumn, shownColumns } from './column-layout.ts';
import { followPointer } from './pointer-drag.ts';

interface ColumnsMenuProps {
  columns: readonly { key: string; label: string }[];
  layout: ColumnLayout;
  /** Null puts every column back to what it usually is. */
  onLayout: (layout: ColumnLayout | null) => void;
}

interface LineProps {
  choice: ColumnChoice;
  label: string;
  isLastShown: boolean;
  isTarget: boolean;
  /** Null where it cannot go on that way. */
  onUp: (() => void) | null;
  onDown: (() => void) | null;
  onPin: () => void;
  onToggle: () => void;
  onGrab: ((event: PointerEvent) => void) | null;
}

// one that can go no further keeps the focus
const step = 'size-6 aria-disabled:cursor-default aria-disabled:opacity-30';

function ColumnLine({ choice, label, isLastShown, isTarget, onUp, onDown, onPin, onToggle, onGrab }: LineProps) {
  return (
    <li
      data-key={choice.key}
      className={`flex min-h-8 items-center gap-1 rounded-sm pr-1 text-grid hover:bg-hover ${isTarget ? 'shadow-[inset_0_2px_0_var(--primary)]' : ''}`}
    >
      <span
        aria-hidden="true"
        onPointerDown={onGrab ?? undefined}
        className={`flex h-8 w-6 shrink-0 touch-none items-center justify-center text-muted ${onGrab ? 'cursor-grab' : 'invisible'}`}
      >
        <GripIcon />
      </span>
      <label className="flex min-w-0 grow cursor-pointer items-center gap-2 rounded-sm py-1 has-focus-visible:outline-2 has-focus-visible:outline-primary">
        <input type="checkbox" checked={!choice.isHidden} disabled={isLastShown} onChange={onToggle} className="peer sr-only" />
        <span
          aria-hidden="true"
          className="flex size-4 shrink-0 items-center justify-center rounded-sm border border-control text-transparent peer-checked:border-primary peer-checked:bg-primary peer-checked:text-on-primary peer-disabled:opacity-55"
        >
          <CheckIcon />
        </span>
        <span className="truncate">{label}</span>
      </label>
      <IconButton label={`Move ${label} up`} aria-disabled={!onUp} onClick={() => onUp?.()} className={step}>
        <MoveUpIcon />
      </IconButton>
      <IconButton label={`Move ${label} down`} aria-disabled={!onDown} onClick={() => onDown?.()} className={step}>
        <MoveDownIcon />
      </IconButton>
      <IconButton
        label={choice.isPinned ? `Unpin ${label}` : `Pin ${label} left`}
        aria-pressed={choice.isPinned}
        onClick={onPin}
        className={`size-6 ${choice.isPinned ? 'bg-selected text-ink' : ''}`}
      >
        <PinIcon />
      </IconButton>
    </li>
  );
}

/** The line of the list a pointer is over. */
function keyAt(list: Element | null, y: number): string | null {
  const lines = [...(list?.querySelectorAll('[data-key]') ?? [])];
  const under = lines.find((line) => y < line.getBoundingClientRect().bottom);
  return under?.getAttribute('data-key') ?? null;
}

function ColumnList({ columns, layout, onLayout }: ColumnsMenuProps) {
  const [text, setText] = useState('');
  const [target, setTarget] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const wanted = text.trim().toLowerCase();
  const labelOf = (key: string): string => columns.find((column) => column.key === key)?.label ?? key;
  const found = layout.filter((choice) => labelOf(choice.key).toLowerCase().includes(wanted));
  const shownCount = shownColumns(layout).length;

  /** Swaps a column with the one beside it, where both are pinned or both free. */
  const swap = (key: string, by: -1 | 1): (() => void) | null => {
    const at = layout.findIndex((choice) => choice.key === key);
    const [own, other] = [layout[at], layout[at + by]];
    if (wanted !== '' || !own || !other || own.isPinned !== other.isPinned) return null;
    const [first, second] = by < 0 ? [own, other] : [other, own];
    return () => onLayout(moveColumn(layout, first.key, second.key));
  };
  const grab = (event: PointerEvent, key: string): void => {
    let over: string | null = null;
    followPointer(event, {
      onMove: ({ y }) => {
        over = keyAt(list.current, y);
        setTarget(over === key ? null : over);
      },
      onEnd: (isDropped) => {
        setTarget(null);
        if (isDropped && over !== key) onLayout(moveColumn(layout, key, over));
      },
    });
  };
  return (
    <>
      <div className="border-b border-line p-2">
        <FindInput label="Find column" value={text} onText={setText} />
      </div>
      <ul ref={list} aria-label="Columns" className="max-h-[min(26rem,60vh)] overflow-y-auto p-1">
        {found.map((choice) => (
          <ColumnLine
            key={choice.key}
            choice={choice}
            label={labelOf(choice.key)}
            isLastShown={!choice.isHidden && shownCount === 1}
            isTarget={target === choice.key}
            onUp={swap(choice.key, -1)}
            onDown={swap(choice.key, 1)}
            onPin={() => onLayout(pinColumn(layout, choice.key, !choice.isPinned))}
            onToggle={() => onLayout(hideColumn(layout, choice.key, !choice.isHidden))}
            onGrab={wanted === '' ? (event) => grab(event, choice.key) : null}
          />
        ))}
        {found.length === 0 ? <li className="px-2 py-3 text-grid text-muted">No column is called that</li> : null}
      </ul>
      <div className="flex items-center justify-between gap-2 border-t border-line p-2">
        <span className="figures pl-1 text-small text-muted">
          {shownCount} of {layout.length} shown
        </span>
        <Button size="small" look="quiet" onClick={() => onLayout(null)}>
          Reset
        </Button>
      </div>
    </>
  );
}

/** Which columns are shown, in which order, and which are pinned. */
export const ColumnsMenu = memo(function ColumnsMenu(props: ColumnsMenuProps) {
  return (
    <Popover className="print:hidden">
      <PopoverButton className="inline-flex h-7 items-center gap-1.5 rounded border border-line-strong bg-surface px-2.5 text-grid whitespace-nowrap text-soft hover:bg-hover">
        <ColumnsIcon />
        Columns
      </PopoverButton>
      <PopoverPanel
        role="dialog"
        aria-label="Columns"
        anchor={{ to: 'bottom end', gap: 4, padding: 8 }}
        className="z-30 flex w-80 flex-col rounded bg-raised shadow-pop"
      >
        <ColumnList {...props} />
      </PopoverPanel>
    </Popover>
  );
});
