import { Link } from '@tanstack/react-router';
import type { TimeZone } from '#domain/dates.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import type { PendingMark } from '#replica/overlay.ts';
import { type EditedRow, useEditOf } from '#app/edit-of-row.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { asideMark } from '#app/ui/grid/grid-commands.ts';
import { markWords, wayWords } from './outbox-words.ts';
import { PendingSign } from './pending-sign.tsx';
import { stateLooks } from './state-looks.tsx';

interface EditSignProps {
  mark: PendingMark;
  zone: TimeZone;
  /** The row whose edit it is. */
  row: EditedRow;
  /** It stands in a cell of a grid, whose keys have a way of their own. */
  isInCell?: boolean;
}

function WayToEdit({ mark, zone, row, isInCell }: EditSignProps) {
  const edit = useEditOf(row);
  const words = `${markWords(mark, zone, useHasNetwork())}. ${wayWords(mark.state)}`;
  const { icon, tone } = stateLooks[mark.state];
  return (
    <Link
      to="/outbox"
      search={{ edit: edit?.id }}
      aria-label={words}
      title={words}
      {...(isInCell ? { tabIndex: -1, [asideMark]: '' } : {})}
      // what one presses is larger than what one sees
      className={`relative inline-flex size-3.5 shrink-0 items-center justify-center rounded-sm after:absolute after:-inset-1.5 hover:bg-hover ${tone}`}
    >
      {icon}
    </Link>
  );
}

/** The sign of a row's edit that has not settled; one that needs the person leads to it. */
export function EditSign(props: EditSignProps) {
  return needsPerson(props.mark.state) ? <WayToEdit {...props} /> : <PendingSign mark={props.mark} zone={props.zone} />;
}
