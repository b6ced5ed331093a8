import type { ReactNode } from 'react';
import type { MutationState } from '#replica/mutation-states.ts';
import { stateLooks } from '#app/shell/state-looks.tsx';

/** A state in words, with a sign of its own beside the colour. @param state null for one this build does not know. */
export function StateSign({ state, children }: { state: MutationState | null; children: ReactNode }) {
  const { icon, tone } = stateLooks[state ?? 'paused_update'];
  return (
    <p className={`flex gap-2 font-medium ${tone}`}>
      <span className="flex h-5 w-3.5 shrink-0 items-center justify-center">{icon}</span>
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}
