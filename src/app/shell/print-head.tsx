import { formatDate } from '#domain/dates.ts';
import { useServices } from '#app/services.tsx';
import { usePrinted } from '#app/ui/print/use-printed.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { usePlaceHere, usePlaces } from './use-places.ts';

/** Above every screen on paper: whose it is, and when it was printed. */
export function PrintHead() {
  const { clock } = useServices();
  const { zone } = usePreferences();
  const here = usePlaceHere();
  const place = usePlaces(true)?.find(({ key }) => key === here);
  const at = usePrinted(clock);
  if (at === null) return null;
  const words = ['Tieout', place?.group?.name, place?.name].filter((word) => word !== undefined).join(' / ');
  return (
    <header className="figures hidden justify-between gap-6 border-b border-line-strong pb-1 text-small text-soft print:flex">
      <span>{words}</span>
      <span className="shrink-0">
        Printed {formatDate(at, zone)} {zone}
      </span>
    </header>
  );
}
