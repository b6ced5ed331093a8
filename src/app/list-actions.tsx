import { Button } from './ui/button.tsx';
import { CellButton } from './ui/grid/cell-button.tsx';
import type { GridColumn } from './ui/grid/grid-column.ts';
import type { MenuChoice } from './ui/grid/popup-menu.tsx';

/** What can be done with a row of a list. */
export interface ListAction<Row> {
  key: string;
  label: string;
  /** With the row's name, for who hears it. */
  words: (row: Row) => string;
  /** Of its column, in pixels. */
  width: number;
  /** Whether this row has it; absent where every one has. */
  isFor?: (row: Row) => boolean;
  run: (row: Row) => void;
}

function isFor<Row>({ isFor: test }: ListAction<Row>, row: Row): boolean {
  return test === undefined || test(row);
}

/** A column for each, whose cells Enter works. */
export function actionColumns<Row>(actions: readonly ListAction<Row>[]): GridColumn<Row, never>[] {
  return actions.map((action) => ({
    key: action.key,
    label: action.label,
    width: action.width,
    isWay: true,
    cell: () => ({ shown: action.label, plain: '' }),
    draw: (row) =>
      isFor(action, row) ? (
        <CellButton label={action.words(row)} onClick={() => action.run(row)}>
          {action.label}
        </CellButton>
      ) : null,
  }));
}

/** The same in the menu of a row's cells. */
export function actionChoices<Row>(actions: readonly ListAction<Row>[], row: Row): MenuChoice[] {
  return actions
    .filter((action) => isFor(action, row))
    .map(({ key, label, run }, at) => ({ key, label, opensGroup: at === 0, run: () => run(row) }));
}

/** The same on a card. */
export function ActionButtons<Row>({ actions, row }: { actions: readonly ListAction<Row>[]; row: Row }) {
  return (
    <div className="-ml-2.5 flex overflow-x-auto">
      {actions
        .filter((action) => isFor(action, row))
        .map((action) => (
          <Button key={action.key} size="small" look="quiet" tabIndex={-1} aria-label={action.words(row)} onClick={() => action.run(row)}>
            {action.label}
          </Button>
        ))}
    </div>
  );
}
