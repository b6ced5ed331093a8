import { type ReactNode, useRef } from 'react';
import { useLeaveOnPress } from './use-leave-on-press.ts';

interface EditorFrameProps {
  label: string;
  /** Takes back what was applied since the editor opened; the key then closes it. */
  onEscape?: () => void;
  /** Beside the title. */
  head?: ReactNode;
  children: ReactNode;
}

/** The inside of a filter's editor: its name, and below it the inputs. */
export function EditorFrame({ label, onEscape, head, children }: EditorFrameProps) {
  const box = useRef<HTMLDivElement>(null);
  useLeaveOnPress(box);
  return (
    <div
      ref={box}
      data-editor=""
      role="group"
      aria-label={`${label} filter`}
      className="flex min-h-0 flex-col"
      onKeyDownCapture={(event) => {
        if (event.key === 'Escape') onEscape?.();
      }}
    >
      <div className="flex min-h-11 items-center justify-between gap-2 px-3 pt-2 pb-1.5">
        <span className="truncate text-grid font-semibold">{label}</span>
        {head}
      </div>
      {children}
    </div>
  );
}
