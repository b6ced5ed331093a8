import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** For lists, which need the room. */
  isWide?: boolean;
  children: ReactNode;
}

/** A part of the settings: its title beside it, above it where there is little room. */
export function Section({ title, isWide = false, children }: SectionProps) {
  return (
    <section aria-label={title} className="grid gap-x-10 gap-y-3 border-t border-line py-6 md:grid-cols-[200px_1fr]">
      <h2 className="font-semibold">{title}</h2>
      <div className={`flex min-w-0 flex-col gap-3 ${isWide ? 'max-w-[860px]' : 'max-w-[560px]'}`}>{children}</div>
    </section>
  );
}
