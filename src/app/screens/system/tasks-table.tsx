import { useState } from 'react';
import type { TaskStatus, WorkerTask } from '#contract/jobs.ts';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import type { SortStep } from '#domain/sorting.ts';
import { momentText, rowsInOrder, type TableColumn } from '#app/ui/table/table-column.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { SortedList } from './sorted-list.tsx';
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

/** When a task was begun, or asked for while it waits. */
const sinceOf = ({ started_at: started, created_at: created }: WorkerTask): string => started ?? created;

/** How long a task took or has taken, in milliseconds; null before it was begun. */
function spanOf({ started_at: started, ended_at: ended }: WorkerTask, at: number): number | null {
  return started === null ? null : (ended === null ? at : Date.parse(ended)) - Date.parse(started);
}

function useTimes({ task, at }: TaskProps): { since: string; took: string } {
  const { zone } = usePreferences();
  const span = spanOf(task, at);
  return { since: formatDate(Date.parse(sinceOf(task)), zone), took: span === null ? '' : spanWords(span) };
}

type TaskField = 'task' | 'where' | 'state' | 'since' | 'took';

function taskColumns(at: number, zone: TimeZone): TableColumn<WorkerTask, TaskField>[] {
  return [
    { label: 'Task', sort: 'task', plain: taskWords, look: 'w-[26%] pl-0' },
    { label: 'Where', sort: 'where', plain: placeWords, look: 'w-[22%]' },
    { label: 'State', sort: 'state', plain: ({ status }) => statusWords[status] },
    { label: `Since (${zone})`, sort: 'since', isNumber: true, plain: (task) => momentText(sinceOf(task)), look: 'w-[152px]' },
    {
      label: 'Took',
      sort: 'took',
      isNumber: true,
      isRight: true,
      plain: (task) => String(spanOf(task, at) ?? ''),
      look: 'w-[104px] pr-0',
    },
  ];
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

/** Tasks, as a rule what runs first; on a narrow screen each is two lines with the same words. */
export function TasksTable({ tasks: usual, at }: { tasks: readonly WorkerTask[]; at: number }) {
  const { zone } = usePreferences();
  const [sort, onSort] = useState<SortStep<TaskField>[]>([]);
  const columns = taskColumns(at, zone);
  const tasks = rowsInOrder(usual, { columns, sort });
  if (tasks.length === 0)
    return (
      <p className="py-2 text-grid text-muted">
        Nothing runs. What is reconciled, priced, reported or exported in the background is listed here.
      </p>
    );
  return (
    <SortedList
      label="Running tasks"
      rows={tasks}
      {...{ columns, sort, onSort }}
      line={(task) => <TaskRow key={task.id} {...{ task, at }} />}
      card={(task) => <TaskCard key={task.id} {...{ task, at }} />}
    />
  );
}
