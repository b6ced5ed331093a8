import type { TaskStatus, WorkerTask } from '#contract/jobs.ts';
import { formatDate } from '#domain/dates.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { placeWords, progressWords, spanWords, statusWords, taskWords } from './system-words.ts';

const tones: Readonly<Record<TaskStatus, string>> = { QUEUED: 'text-soft', RUNNING: 'text-link', DONE: 'text-ok', FAILED: 'text-bad' };

function State({ task }: { task: WorkerTask }) {
  const progress = progressWords(task);
  return (
    <>
      <span className={`font-medium ${tones[task.status]}`}>{statusWords[task.status]}</span>
      {progress ? <span className="text-soft">, {progress}</span> : null}
    </>
  );
}

interface TaskProps {
  task: WorkerTask;
  /** The moment the list was answered. */
  at: number;
}

/** When a task was begun, or asked for while it waits, and how long it took or has taken. */
function useTimes({ task, at }: TaskProps): { since: string; took: string } {
  const { zone } = usePreferences();
  const { created_at: created, started_at: started, ended_at: ended } = task;
  const span = started === null ? '' : spanWords((ended === null ? at : Date.parse(ended)) - Date.parse(started));
  return { since: formatDate(Date.parse(started ?? created), zone), took: span };
}

const cell = 'px-3 py-1.5 align-top';

function TaskRow(props: TaskProps) {
  const { task } = props;
  const { since, took } = useTimes(props);
  return (
    <tr className="border-t border-line hover:bg-hover">
      <td className={`${cell} pl-0 font-medium`}>{taskWords(task)}</td>
      <td className={`${cell} text-soft`}>
        <bdi>{placeWords(task)}</bdi>
      </td>
      <td className={`${cell} figures break-words`}>
        <State task={task} />
      </td>
      <td className={`${cell} figures whitespace-nowrap text-soft`}>{since}</td>
      <td className={`${cell} figures pr-0 text-right whitespace-nowrap`}>{took}</td>
    </tr>
  );
}

function TaskCard(props: TaskProps) {
  const { task } = props;
  const { since, took } = useTimes(props);
  return (
    <li className="border-t border-line py-2">
      <p className="flex justify-between gap-3">
        <span className="font-medium">{taskWords(task)}</span>
        <span className="figures shrink-0 text-small leading-5 text-muted">{since}</span>
      </p>
      <p className="figures text-small break-words text-muted">
        <State task={task} /> · <bdi>{placeWords(task)}</bdi>
        {took ? ` · ${took}` : ''}
      </p>
    </li>
  );
}

/** Tasks, what runs first; on a narrow screen each is two lines with the same words. */
export function TasksTable({ tasks, at }: { tasks: readonly WorkerTask[]; at: number }) {
  const isNarrow = useIsNarrow();
  const { zone } = usePreferences();
  if (tasks.length === 0)
    return (
      <p className="py-2 text-grid text-muted">
        Nothing runs. What is reconciled, priced, reported or exported in the background is listed here.
      </p>
    );
  if (isNarrow)
    return (
      <ul aria-label="Running tasks" className="text-grid">
        {tasks.map((task) => (
          <TaskCard key={task.id} {...{ task, at }} />
        ))}
      </ul>
    );
  const head = 'px-3 pb-1.5 font-medium';
  return (
    <table aria-label="Running tasks" className="w-full table-fixed text-grid">
      <thead>
        <tr className="text-left text-small text-muted">
          <th className={`${head} w-[26%] pl-0`}>Task</th>
          <th className={`${head} w-[22%]`}>Where</th>
          <th className={head}>State</th>
          <th className={`${head} w-[152px]`}>Since ({zone})</th>
          <th className={`${head} w-[104px] pr-0 text-right`}>Took</th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <TaskRow key={task.id} {...{ task, at }} />
        ))}
      </tbody>
    </table>
  );
}
