import type { ReactNode } from 'react';
import type { MutationState } from '#replica/mutation-states.ts';
import { CheckIcon, ClockIcon, CloseIcon, LockIcon, PauseIcon, SendIcon, UnknownIcon, WarningIcon } from '#app/ui/icons.tsx';

interface StateLook {
  icon: ReactNode;
  /** Class names of its sign and words, and of what lies under them where it is told at length. */
  tone: string;
  ground: string;
}

/** How each state looks wherever it is told: a sign of its own beside the colour. */
export const stateLooks: Record<MutationState, StateLook> = {
  queued: { icon: <ClockIcon />, tone: 'text-soft', ground: 'bg-subtle' },
  sending: { icon: <SendIcon />, tone: 'text-link', ground: 'bg-subtle' },
  uncertain: { icon: <UnknownIcon />, tone: 'text-soft', ground: 'bg-subtle' },
  acked: { icon: <CheckIcon />, tone: 'text-ok', ground: 'bg-subtle' },
  refused: { icon: <CloseIcon size={14} />, tone: 'text-bad', ground: 'bg-bad-soft' },
  parked: { icon: <PauseIcon />, tone: 'text-warn', ground: 'bg-warn-soft' },
  paused_auth: { icon: <LockIcon />, tone: 'text-warn', ground: 'bg-warn-soft' },
  paused_permission: { icon: <WarningIcon />, tone: 'text-warn', ground: 'bg-warn-soft' },
  paused_update: { icon: <PauseIcon />, tone: 'text-warn', ground: 'bg-warn-soft' },
  paused_dependency: { icon: <WarningIcon />, tone: 'text-warn', ground: 'bg-warn-soft' },
  conflict: { icon: <WarningIcon />, tone: 'text-warn', ground: 'bg-warn-soft' },
};
