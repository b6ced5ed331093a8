import type { ReactNode } from 'react';
import type { MutationState } from '#replica/mutation-states.ts';
import { CheckIcon, ClockIcon, CloseIcon, LockIcon, PauseIcon, SendIcon, UnknownIcon, WarningIcon } from '#app/ui/icons.tsx';

interface Sign {
  icon: ReactNode;
  tone: string;
}

const signs: Record<MutationState, Sign> = {
  queued: { icon: <ClockIcon />, tone: 'text-soft' },
  sending: { icon: <SendIcon />, tone: 'text-link' },
  uncertain: { icon: <UnknownIcon />, tone: 'text-soft' },
  acked: { icon: <CheckIcon />, tone: 'text-ok' },
  refused: { icon: <CloseIcon size={14} />, tone: 'text-bad' },
  parked: { icon: <PauseIcon />, tone: 'text-warn' },
  paused_auth: { icon: <LockIcon />, tone: 'text-warn' },
  paused_permission: { icon: <WarningIcon />, tone: 'text-warn' },
  paused_update: { icon: <PauseIcon />, tone: 'text-warn' },
  paused_dependency: { icon: <WarningIcon />, tone: 'text-warn' },
  conflict: { icon: <WarningIcon />, tone: 'text-warn' },
};

/** A state in words, with a sign of its own beside the colour. @param state null for one this build does not know. */
export function StateSign({ state, children }: { state: MutationState | null; children: ReactNode }) {
  const { icon, tone } = signs[state ?? 'paused_update'];
  return (
    <p className={`flex gap-2 font-medium ${tone}`}>
      <span className="flex h-5 w-3.5 shrink-0 items-center justify-center">{icon}</span>
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}
