import type { TimeZone } from '#domain/dates.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import type { PendingMark } from '#replica/overlay.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { markWords } from '#app/shell/outbox-words.ts';

/** The small sign of an edit that has not settled, with its story as tooltip. */
export function PendingSign({ mark, zone }: { mark: PendingMark; zone: TimeZone }) {
  const words = markWords(mark, zone, useHasNetwork());
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className={`inline-block size-2.5 shrink-0 rounded-full border-2 ${needsPerson(mark.state) ? 'border-warn bg-warn' : 'border-dotted border-link'}`}
    />
  );
}
