import { useServices } from '#app/services.tsx';
import { latencyText, systemLines } from './system-lines.ts';
import { useDiagnosis } from './use-diagnosis.ts';

/** The foot of the menu: versions and latencies of the system, and the build of the app. A click asks again. */
export function SystemState() {
  const { version } = useServices();
  const { data, isFetching, isError, refetch } = useDiagnosis();
  const lines = data ? systemLines(data) : [];
  return (
    <button
      type="button"
      title="Ask again"
      aria-busy={isFetching}
      onClick={() => void refetch()}
      className="figures block w-full rounded px-3 py-1.5 text-left text-mini text-menu-muted transition-colors duration-[120ms] hover:bg-menu-hover hover:text-menu-ink"
    >
      {lines.map(({ name, version: of, latencyMs }) => (
        <span key={name} className="flex justify-between gap-2">
          <span className="truncate">
            {name} {of}
          </span>
          <span className="shrink-0">{latencyText(latencyMs)}</span>
        </span>
      ))}
      {isError && lines.length === 0 ? <span className="block">The server does not answer</span> : null}
      <span className="block">Web build {version.slice(0, 7)}</span>
    </button>
  );
}
