import type { TimeZone } from '#domain/dates.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import type { PendingMark } from '#replica/overlay.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { markWords } from '#app/shell/outbox-words.ts';
import { stateLooks } from '#app/shell/state-looks.tsx';

/** The small sign of an edit that has not settled, with its story as tooltip: dotted, or what it needs the person for. */
export function PendingSign({ mark, zone }: { mark: PendingMark; zone: TimeZone }) {
  const words = markWords(mark, zone, useHasNetwork());
  const { icon, tone } = stateLooks[mark.state];
  if (needsPerson(mark.state))
    return (
      <span role="img" aria-label={words} title={words} className={`inline-flex size-3.5 shrink-0 items-center justify-center ${tone}`}>
        {icon}
      </span>
    );
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className="inline-block size-2.5 shrink-0 rounded-full border-2 border-dotted border-link"
    />
  );
}
