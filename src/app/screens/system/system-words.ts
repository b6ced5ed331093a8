import { type CronJob, type JobType, type TaskKind, taskSubjects, type TaskStatus, type WorkerTask } from '#contract/jobs.ts';
import { countWords } from '#domain/count-words.ts';

/** The job types as they are called here, in the order of their codes. */
export const jobTypeWords: Readonly<Record<JobType, string>> = {
  traditional: 'Traditional',
  defi: 'DeFi',
  blockchain: 'Blockchain',
  mapping: 'Mapping',
  sftp: 'SFTP',
};

const kindWords: Readonly<Record<TaskKind, string>> = {
  reconciliation: 'Reconciliation',
  pricing: 'Pricing',
  reports: 'Report',
  exports: 'Export',
};
const subjectWords = { account_ids: 'account', report_ids: 'report', batch_ids: 'batch' } as const;

/** `Reconciliation of 3 accounts` */
export function taskWords({ kind, subject_ids: subjects }: WorkerTask): string {
  const one = subjectWords[taskSubjects[kind]];
  return `${kindWords[kind]} of ${countWords(subjects.length, one, one === 'batch' ? 'batches' : `${one}s`)}`;
}

/** Where it works, the innermost place by its name. */
export function placeWords({ entity_name: entity, client_name: client, organization_name: organization }: WorkerTask): string {
  return entity ?? client ?? organization ?? 'All organizations';
}

export const statusWords: Readonly<Record<TaskStatus, string>> = { QUEUED: 'Waiting', RUNNING: 'Running', DONE: 'Done', FAILED: 'Failed' };

/** How far a task is: `40 of 100`, how often it was begun, or why it failed; empty where there is nothing to say. */
export function progressWords({ status, steps_done: done, steps, attempts, error }: WorkerTask): string {
  if (status === 'FAILED') return error ?? '';
  if (status === 'DONE') return '';
  if (status === 'QUEUED') return attempts > 0 ? 'waits to be begun again' : '';
  const parts = [
    ...(done === null || steps === null ? [] : [`${done.toLocaleString('en-US')} of ${steps.toLocaleString('en-US')}`]),
    ...(attempts > 1 ? [`${attempts} times begun`] : []),
  ];
  return parts.join(', ');
}

/** `850 ms`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function spanWords(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** How long a run took; null where it has not ended. */
export function tookMs({ last_started_at: started, last_ended_at: ended }: CronJob): number | null {
  return started === null || ended === null ? null : Date.parse(ended) - Date.parse(started);
}
