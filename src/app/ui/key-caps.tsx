import { keyNames } from './chords.ts';

/** The keys of a chord as they are printed on a keyboard. */
export function KeyCaps({ chord, isMac }: { chord: string; isMac: boolean }) {
  return (
    <span className="inline-flex gap-0.5 whitespace-nowrap">
      {keyNames(chord, isMac).map((name) => (
        <kbd
          key={name}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line-strong bg-subtle px-1 font-sans text-small text-soft"
        >
          {name}
        </kbd>
      ))}
    </span>
  );
}
