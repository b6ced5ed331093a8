import { Button } from './button.tsx';

interface RowActionsProps {
  /** What the row is of, for who hears the buttons. */
  name: string;
  /** Null where it is not to be had. */
  onUpdate: (() => void) | null;
  onDelete: (() => void) | null;
}

/** The buttons at the end of a row. */
export function RowActions({ name, onUpdate, onDelete }: RowActionsProps) {
  return (
    <span className="inline-flex gap-1.5">
      {onUpdate ? (
        <Button size="small" aria-label={`Update ${name}`} onClick={onUpdate}>
          Update
        </Button>
      ) : null}
      {onDelete ? (
        <Button size="small" look="quiet" aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </Button>
      ) : null}
    </span>
  );
}
