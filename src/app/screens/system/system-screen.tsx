import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { jobTypes } from '#contract/jobs.ts';
import { countWords } from '#domain/count-words.ts';
import { sortSteps, sortText } from '#domain/sorting.ts';
import { useServices } from '#app/services.tsx';
import { latencyText, systemLines } from '#app/shell/system-lines.ts';
import { useDiagnosis } from '#app/shell/use-diagnosis.ts';
import { Button } from '#app/ui/button.tsx';
import { Segments } from '#app/ui/segments.tsx';
import { PageHead } from '#app/ui/states.tsx';
import { Answer } from './answer.tsx';
import { CronJobsTable } from './cron-jobs-table.tsx';
import { jobFields } from './system-search.ts';
import { jobTypeWords } from './system-words.ts';
import { TasksTable } from './tasks-table.tsx';
import { useCronJobs, useJobsChoice, useWorkerTasks } from './use-system.ts';

const route = getRouteApi('/_app/system');
const typeOptions = jobTypes.map((value) => ({ value, label: jobTypeWords[value] }));

function Section({
  title,
  count,
  choice,
  children,
}: {
  title: string;
  count?: string | undefined;
  choice?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="pb-8">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-2">
        <h2 className="text-large font-semibold">
          {title}
          {count === undefined ? null : <span className="figures ml-2 text-grid font-normal text-muted">{count}</span>}
        </h2>
        {choice}
      </div>
      {children}
    </section>
  );
}

/** The parts of the system, each with its version and how long it takes to answer. */
function Versions({ diagnosis }: { diagnosis: ReturnType<typeof useDiagnosis> }) {
  const { version } = useServices();
  const cell = 'border-t border-line py-1.5';
  return (
    <Answer query={diagnosis} what="Versions and latencies">
      {(answer) => (
        <table aria-label="Versions and latencies" className="figures w-full max-w-[560px] text-grid">
          <thead>
            <tr className="text-left text-small text-muted">
              <th className="pb-1.5 font-medium">Part</th>
              <th className="pb-1.5 font-medium">Version</th>
              <th className="pb-1.5 text-right font-medium">Latency</th>
            </tr>
          </thead>
          <tbody>
            {[...systemLines(answer), { name: 'Web build', version: version.slice(0, 7), latencyMs: null }].map((line) => (
              <tr key={line.name}>
                <td className={`${cell} font-medium`}>{line.name}</td>
                <td className={`${cell} text-soft`}>{line.version}</td>
                <td className={`${cell} text-right`}>{latencyText(line.latencyMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Answer>
  );
}

/** How the system does: its parts, what works in the background, what is done at set times. Nothing of it is kept on the device. */
export function SystemScreen() {
  const { type = 'traditional', sort } = route.useSearch();
  const choose = useJobsChoice();
  const diagnosis = useDiagnosis();
  const tasks = useWorkerTasks();
  const jobs = useCronJobs(type);
  const all = [diagnosis, tasks, jobs];
  const isBusy = all.some(({ isRefetching }) => isRefetching);
  return (
    <>
      <PageHead
        title="System"
        action={
          <Button aria-disabled={isBusy || undefined} onClick={() => void Promise.all(all.map(({ refetch }) => refetch()))}>
            Refresh
          </Button>
        }
      />
      <div className="page-inset pb-4">
        <Section title="Versions and latencies">
          <Versions diagnosis={diagnosis} />
        </Section>
        <Section title="Running tasks">
          <Answer query={tasks} what="Running tasks">
            {(list) => <TasksTable tasks={list} at={tasks.dataUpdatedAt} />}
          </Answer>
        </Section>
        <Section
          title="Cron jobs"
          count={jobs.data && countWords(jobs.data.length, 'job')}
          choice={
            <Segments
              label="Job type"
              options={typeOptions}
              value={type}
              onChange={(value) => choose({ type: value === 'traditional' ? undefined : value })}
            />
          }
        >
          <Answer query={jobs} what="Cron jobs">
            {(list) => (
              <CronJobsTable
                jobs={list}
                type={jobTypeWords[type]}
                sort={sortSteps(sort, jobFields)}
                onSort={(steps) => choose({ sort: sortText(steps) })}
              />
            )}
          </Answer>
        </Section>
      </div>
    </>
  );
}
