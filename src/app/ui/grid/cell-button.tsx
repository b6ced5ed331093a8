interface CellButtonProps {
  /** What it does to which row, for who hears it. */
  label: string;
  children: string;
  onClick: () => void;
}

/** A button in a cell of a grid: a click works it, and Enter on the cell. */
export function CellButton({ label, children, onClick }: CellButtonProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      onClick={onClick}
      className="rounded-sm whitespace-nowrap text-link hover:underline"
    >
      {children}
    </button>
  );
}
