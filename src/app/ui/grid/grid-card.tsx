import { memo, type ReactNode } from 'react';
import { OpenBar, type RowLook, rowLook, SelectBox } from './grid-row.tsx';

/** How a row is drawn on a narrow screen. */
export interface CardLook<Row> {
  /** Pixels. */
  height: number;
  draw: (row: Row) => ReactNode;
}

interface CardProps<Row> extends RowLook {
  index: number;
  row: Row | undefined;
  look: CardLook<Row>;
  top: number;
  isActive: boolean;
  isSelectable: boolean;
  /** Rows are being selected: each shows its box. */
  isSelecting: boolean;
}

function CardView<Row>({ index, row, look, top, isActive, isSelectable, isSelecting, isSelected, isOpen }: CardProps<Row>) {
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelectable ? isSelected : undefined}
      data-row={index}
      style={{ transform: `translateY(${top}px)`, height: look.height }}
      className={`group absolute top-0 left-0 w-full border-b border-line text-grid select-none ${rowLook({ isSelected, isOpen })}`}
    >
      <div
        role="gridcell"
        aria-colindex={1}
        aria-selected={isSelectable ? isSelected : undefined}
        data-column={0}
        tabIndex={isActive ? 0 : -1}
        className="ring-cell flex h-full w-full min-w-0 items-center gap-3 px-4 outline-none"
      >
        {isSelecting ? <SelectBox isSelected={isSelected} /> : null}
        <div className="flex min-w-0 grow flex-col justify-center gap-0.5">
          {row ? (
            look.draw(row)
          ) : (
            <>
              <span aria-hidden="true" className="bone h-3 w-2/3" />
              <span aria-hidden="true" className="bone h-3 w-1/2" />
            </>
          )}
        </div>
      </div>
      {isOpen ? <OpenBar /> : null}
    </div>
  );
}

/** A row on a narrow screen: two lines with what the columns say. */
export const GridCardView = memo(CardView) as typeof CardView;
