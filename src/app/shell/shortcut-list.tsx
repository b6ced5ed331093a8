import { useServices } from '#app/services.tsx';
import { shortcuts } from '#app/shortcuts.ts';
import type { Shortcut } from '#app/ui/chords.ts';
import { KeyCaps } from '#app/ui/key-caps.tsx';

function Keys({ keys }: Pick<Shortcut, 'keys'>) {
  const { isMac } = useServices();
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-1.5 gap-y-1">
      {keys.map((chord, at) => (
        <span key={chord} className="inline-flex items-center gap-1.5">
          {at > 0 ? <span className="text-muted">or</span> : null}
          <KeyCaps chord={chord} isMac={isMac} />
        </span>
      ))}
    </span>
  );
}

/** Every shortcut there is, by where it works. */
export function ShortcutList({ level }: { level: 'h2' | 'h3' }) {
  const Heading = level;
  return (
    <div className="gap-x-8 text-grid sm:columns-2">
      {shortcuts.map(({ title, table }) => (
        <section key={title} aria-label={title} className="mb-5 break-inside-avoid">
          <Heading className="pb-1 font-semibold">{title}</Heading>
          <dl>
            {Object.entries(table).map(([name, { keys, words }]) => (
              <div key={name} className="flex items-center justify-between gap-3 border-t border-line py-1">
                <dt className="min-w-0 text-soft">{words}</dt>
                <dd className="shrink-0">
                  <Keys keys={keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
