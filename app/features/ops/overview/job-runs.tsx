import './job-runs.css';
import { useQuery } from '@tanstack/react-query';
import type { JobRun } from '../../../../server/contract/overview.ts';
import { number, stampTime } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Card, Chip, SectionHead } from '../../../ui/card.tsx';
import { Reading } from '../../../ui/states.tsx';
import { shareWord } from '../words.ts';

/** What each job read and how long it took, the largest share first. */
export function JobRuns() {
  const query = useQuery(read('GET /api/admin/jobs'));
  return (
    <section>
      <SectionHead title={m.desk_runs()} />
      <p className="text-small text-muted job-runs__lead">{m.desk_runs_line()}</p>
      <Reading query={query}>{(jobs) => <Runs jobs={jobs} />}</Reading>
    </section>
  );
}

function Runs({ jobs }: { jobs: readonly JobRun[] }) {
  const over = jobs.filter(({ isOver }) => isOver);
  const rest = jobs.filter(({ isOver }) => !isOver);
  return (
    <Card className="card--rows">
      <ul className="ruled-list">
        {over.map((job) => (
          <Run key={job.name} job={job} />
        ))}
      </ul>
      <details className="disclosure">
        <summary>{m.desk_runs_within({ count: rest.length, n: number(rest.length) })}</summary>
        <ul className="ruled-list">
          {rest.map((job) => (
            <Run key={job.name} job={job} />
          ))}
        </ul>
      </details>
    </Card>
  );
}

function Run({ job: { name, runs, ranAt, longestMs, statements, rows, share, isOver } }: { job: JobRun }) {
  return (
    <li className="job-run">
      <b>
        <bdi>{name}</bdi>
      </b>
      {isOver && <Chip kind="no">{m.desk_runs_over()}</Chip>}
      <span className="job-run__line text-small text-muted">
        {m.desk_runs_one({
          count: runs,
          n: number(runs),
          time: stampTime(ranAt),
          ms: number(longestMs),
          statements: number(statements),
          rows: number(rows),
          share: shareWord(share),
        })}
      </span>
    </li>
  );
}
