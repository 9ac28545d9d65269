// @ts-check
/** What members wait for beside the jobs: quiet first, then during each heavy job, and during a first start with all of them at once. */
import { fork } from 'node:child_process';
import { once as event } from 'node:events';
import { join } from 'node:path';
import { quantile, wait } from './instance.mjs';

const PER_SECOND = 40;
const QUIET = 1_600;
const DURING_JOB = 400;
const FIRST_START = 2_400;
/** A job that finds nothing new begins again after so many ms. */
const REST_MS = 20;

/** @typedef {import('./growth-load.mjs').Went} Went */
/**
 * @typedef {object} Given
 * @property {import('postgres').Sql} meter
 * @property {string} url of the product
 * @property {number} members
 * @property {import('./growth.table.mjs').Note} note
 */
/** @typedef {{ name: string }} Job */

/** @param {Given} given */
async function crowdOf({ meter, url }) {
  const people = await meter`
    select (u.telegram_user_id - 10000001)::int as one from users u join sessions s on s.user_id = u.id
    where s.user_agent = 'grown' and u.is_verified and u.telegram_user_id > 10000010 order by random() limit 5000`;
  const claims = await meter`
    select t.id as "taskId", (u.telegram_user_id - 10000001)::int as one
    from tasks t join communities c on c.id = t.community_id and c.slug = 'grown-0'
    cross join users u join sessions s on s.user_id = u.id and s.user_agent = 'grown'
    where t.title in ('Task 0', 'Task 1', 'Task 2', 'Task 4', 'Task 5', 'Task 6') and u.is_verified and u.telegram_user_id > 10000010 and not exists (
      select from claims k where k.task_id = t.id and k.user_id = u.id and k.submitted_at > now() - interval '2 days')
    order by random() limit 5000`;
  const child = fork(join(import.meta.dirname, 'growth-load.mjs'));
  child.send({
    url,
    perSecond: PER_SECOND,
    readers: people.map((row) => Number(row['one'])),
    claims: claims.map((row) => ({ one: Number(row['one']), taskId: String(row['taskId']) })),
  });
  return {
    /** @param {number} count @returns {Promise<Went>} */
    come: async (count) => {
      child.send({ count });
      const [went] = await event(child, 'message');
      return went;
    },
    end: () => child.kill(),
  };
}

/** @param {Given} given @param {string} when @param {Went} went @param {Went} [quiet] what it may take twice as long as */
function tell({ note }, when, went, quiet) {
  for (const what of /** @type {const} */ (['read', 'claimed'])) {
    const most = quiet ? { most: 2 * quantile(quiet[what], 0.99) } : {};
    const beside = `p50 ${Math.round(quantile(went[what], 0.5))} ms`;
    note(`members ${what} ${when}, p99`, quantile(went[what], 0.99), 'ms', { beside, ...most });
  }
  const { count, refused } = went;
  note(`refused ${when}`, refused.length, `of ${count}`, { most: 0, ...(refused[0] && { beside: refused[0] }) });
}

/** @param {Given & { jobs: Job[], once: (job: any) => Promise<void> }} given */
export async function besideJobs(given) {
  const crowd = await crowdOf(given);
  try {
    await crowd.come(DURING_JOB);
    const quiet = await crowd.come(QUIET);
    tell(given, 'when it is quiet', quiet);
    for (const job of given.jobs) {
      let isOver = false;
      const again = async () => {
        for (; !isOver; await wait(REST_MS)) await given.once(job);
      };
      const working = again();
      const went = await crowd.come(DURING_JOB).finally(() => {
        isOver = true;
      });
      await working;
      tell(given, `beside job ${job.name}`, went, quiet);
    }
  } finally {
    crowd.end();
  }
}

/** No job ever ran, and all begin. @param {Given & { start: () => { stop(): Promise<void> } }} given */
export async function firstStart(given) {
  const crowd = await crowdOf(given);
  try {
    await crowd.come(DURING_JOB);
    const quiet = await crowd.come(DURING_JOB * 2);
    tell(given, 'before a first start', quiet);
    await given.meter`delete from job_runs`;
    const started = given.start();
    const went = await crowd.come(FIRST_START).finally(() => started.stop());
    tell(given, 'beside a first start', went, quiet);
  } finally {
    crowd.end();
  }
}
