import type { CronJob } from '#contract/jobs.ts';
import { countWords } from '#domain/count-words.ts';
import { scheduleWords } from '#domain/cron-schedule.ts';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import { momentText, rowsInOrder, type TableColumn, type TableOrder } from '#app/ui/table/table-column.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { SortedList } from './sorted-list.tsx';
import type { JobField } from './system-search.ts';
import { spanWords, tookMs } from './system-words.ts';

function jobColumns(zone: TimeZone): TableColumn<CronJob, JobField>[] {
  return [
    { label: 'Job', sort: 'job', plain: ({ name }) => name, look: 'w-[26%] pl-0' },
    { label: 'Schedule', look: 'w-[22%]' },
    { label: `Last run (${zone})`, sort: 'last_run', isNumber: true, plain: ({ last_started_at: at }) => momentText(at) },
    { label: 'Next run', sort: 'next_run', isNumber: true, plain: ({ next_run_at: at }) => momentText(at), look: 'w-[152px]' },
    {
      label: 'Runs',
      sort: 'runs',
      isNumber: true,
      isRight: true,
      plain: ({ job_count: runs }) => String(runs ?? ''),
      look: 'w-[104px] pr-0',
    },
  ];
}

/** How the last run went, and when it was. */
function LastRun({ job }: { job: CronJob }) {
  const { zone } = usePreferences();
  const took = tookMs(job);
  if (job.last_started_at === null) return <span className="text-muted">Not yet</span>;
  const isFailed = job.last_outcome === 'FAILED';
  return (
    <>
      <span className={`font-medium ${isFailed ? 'text-bad' : 'text-ok'}`}>{isFailed ? 'Failed' : 'Done'}</span>
      <span className="text-soft"> {formatDate(Date.parse(job.last_started_at), zone)}</span>
      {took === null ? null : <span className="text-muted">, {spanWords(took)}</span>}
      {job.last_error === null ? null : <span className="block text-soft">{job.last_error}</span>}
    </>
  );
}

const cell = 'px-3 py-1.5 align-top';

function JobRow({ job }: { job: CronJob }) {
  const { zone } = usePreferences();
  return (
    <tr className="border-t border-line hover:bg-hover">
      <td className={`${cell} pl-0 font-medium`}>{job.name}</td>
      <td className={`${cell} figures text-soft`}>{scheduleWords(job.schedule)}</td>
      <td className={`${cell} figures break-words`}>
        <LastRun job={job} />
      </td>
      <td className={`${cell} figures whitespace-nowrap text-soft`}>{formatDate(Date.parse(job.next_run_at), zone)}</td>
      <td className={`${cell} figures pr-0 text-right`}>{job.job_count?.toLocaleString('en-US') ?? '–'}</td>
    </tr>
  );
}

function JobCard({ job }: { job: CronJob }) {
  const { zone } = usePreferences();
  const runs = job.job_count === null ? '' : ` · ${countWords(job.job_count, 'run')}`;
  return (
    <li className="border-t border-line py-2">
      <p className="font-medium">{job.name}</p>
      <p className="figures text-small break-words text-muted">
        <LastRun job={job} />
      </p>
      <p className="figures text-small text-muted">
        next {formatDate(Date.parse(job.next_run_at), zone)} · {scheduleWords(job.schedule)}
        {runs}
      </p>
    </li>
  );
}

interface CronJobsTableProps extends TableOrder<JobField> {
  /** The one due next first, as a rule. */
  jobs: readonly CronJob[];
  type: string;
}

/** Cron jobs; on a narrow screen each is a card with the same words. */
export function CronJobsTable({ type, sort, onSort, ...list }: CronJobsTableProps) {
  const { zone } = usePreferences();
  const columns = jobColumns(zone);
  const jobs = rowsInOrder(list.jobs, { columns, sort });
  if (jobs.length === 0) return <p className="py-2 text-grid text-muted">There is no cron job of the type {type}.</p>;
  return (
    <SortedList
      label="Cron jobs"
      rows={jobs}
      {...{ columns, sort, onSort }}
      line={(job) => <JobRow key={job.id} job={job} />}
      card={(job) => <JobCard key={job.id} job={job} />}
    />
  );
}
