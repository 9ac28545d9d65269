// @ts-check
/**
 * Claims among reads at 500 requests a second, each claim one transaction with its ledger row and its standings: of an
 * instance that runs, and of the first second after its start.
 */
import { people, quantile, startInstance, wait } from './instance.mjs';
import { send } from './load.mjs';

const PER_SECOND = 500;
const SECONDS = 10;
/** Time in which the rate rises to the full one: plans are kept and code is compiled after some hundred requests. */
const RUN_IN_SECONDS = 10;
/** One of so many requests is a claim; the others read. */
const CLAIM_EVERY = 5;
const TASKS = 4;

const INSTANCE = '00000000-0000-0000-0000-000000000000';

/** Days before today on which everybody claimed: what is measured is no first minute, when tables are empty and nobody knows them. */
const DAYS = 10;

export async function measure() {
  const instance = await startInstance();
  try {
    const sql = instance.database();
    const members = await people(sql, 600);
    const [place] = await sql`
      insert into communities (slug, name, visibility, counts_on_instance, created_by)
      values ('bench', 'Bench', 'public', true, ${members[0]?.id ?? ''}) returning id`;
    await sql`
      insert into community_members (community_id, user_id, role)
      select ${place?.id}, id, 'member' from unnest(${members.map(({ id }) => id)}::uuid[]) id`;
    const tasks = await sql`
      insert into tasks (community_id, kind, title, points, recurrence, created_by)
      select ${place?.id}, 'check_in', 'Task ' || n, 5, 'daily', ${members[0]?.id ?? ''} from generate_series(1, ${TASKS}) n
      returning id`;
    await live(sql, String(place?.id), String(members[0]?.id));
    await sql.end();
    const at = `${instance.url}/api/communities/${place?.id}`;
    const reads = [
      `${at}/dashboard`,
      `${instance.url}/api/auth/user`,
      `${at}/leaderboard`,
      `${instance.url}/api/user/communities`,
    ];
    let failed = 0;
    const one = async (/** @type {number} */ turn) => {
      const isClaim = turn % CLAIM_EVERY === 0;
      const number = turn / CLAIM_EVERY;
      // A member claims each task once: the next task only after everybody had the one before.
      const member = members[isClaim ? number % members.length : (turn * 7) % members.length];
      const headers = { cookie: member?.cookie ?? '', origin: instance.url };
      const task = tasks[Math.floor(number / members.length) % TASKS];
      const { status } = isClaim
        ? await send(`${at}/tasks/${task?.id}/claims`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `bench-${number}` },
            body: '{}',
          })
        : await send(reads[turn % reads.length] ?? '', { headers });
      if (status !== (isClaim ? 201 : 200)) failed += 1;
      return isClaim;
    };
    const start = await paced(PER_SECOND, () => PER_SECOND, 0, one);
    const runIn = await paced((PER_SECOND * RUN_IN_SECONDS) / 2, rising, start.next, one);
    const steady = await paced(PER_SECOND * SECONDS, () => PER_SECOND, runIn.next, one);
    return [
      { metric: 'one claim, p50', ours: quantile(steady.claims, 0.5), unit: 'ms' },
      { metric: 'one claim, p99', ours: quantile(steady.claims, 0.99), unit: 'ms', most: 25 },
      { metric: 'one read beside them, p99', ours: quantile(steady.others, 0.99), unit: 'ms' },
      { metric: 'requests reached', ours: steady.perSecond, unit: 'req/s', least: PER_SECOND * 0.98 },
      { metric: 'requests not answered as they should', ours: failed, unit: '', most: 0 },
      {
        metric: 'the first second after a start, at the full rate: claims, p99',
        ours: quantile(start.claims, 0.99),
        unit: 'ms',
      },
    ];
  } finally {
    await instance.remove();
  }
}

/** Requests a second of the run-in: as an instance comes to its people after a start. @param {number} second */
const rising = (second) => Math.max(20, (PER_SECOND * second) / RUN_IN_SECONDS);

/**
 * Sends so many requests at a rate, whether or not those before are answered, and waits for all of them. Each is timed
 * from the moment when it was due, so that what waits behind another is not left out.
 * @param {number} count @param {(second: number) => number} rate @param {number} first number of the first one
 * @param {(turn: number) => Promise<boolean>} one sends it and says whether it was a claim
 */
async function paced(count, rate, first, one) {
  /** @type {number[]} */
  const claims = [];
  /** @type {number[]} */
  const others = [];
  const begun = performance.now();
  /** @type {Promise<void>[]} */
  const under = [];
  let due = begun;
  for (let turn = first; turn < first + count; turn++) {
    const early = due - performance.now();
    if (early > 0) await wait(early);
    const since = due;
    under.push(one(turn).then((isClaim) => void (isClaim ? claims : others).push(performance.now() - since)));
    due += 1_000 / rate((due - begun) / 1_000);
  }
  await Promise.all(under);
  return { claims, others, next: first + count, perSecond: (count * 1_000) / (performance.now() - begun) };
}

/**
 * A community that has lived: claims of the days before, and statistics as PostgreSQL takes them by itself within a minute.
 * On tables that were never counted two of a claim's statements are planned to read all claims of the community.
 * @param {import('postgres').Sql} sql @param {string} communityId @param {string} leader
 */
async function live(sql, communityId, leader) {
  const [task] = await sql`
    insert into tasks (community_id, kind, title, points, recurrence, created_by)
    values (${communityId}, 'check_in', 'Every day', 5, 'daily', ${leader}) returning id`;
  await sql`
    insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day, submitted_at, decided_at)
    select community_id, ${task?.id}, user_id, day::date::text, 'approved', 5, day, day::date, day, day
    from community_members cross join generate_series(
      date_trunc('day', now()) - make_interval(days => ${DAYS}), date_trunc('day', now()) - interval '1 day', '1 day') day
    where community_id = ${communityId}`;
  // What these claims brought: lines of the ledger, points (the counters follow them) and badges.
  await sql`
    insert into point_events (community_id, user_id, kind, points, task_id, claim_id, period, at)
    select community_id, user_id, 'award', points, task_id, id, period, decided_at from claims
    where community_id = ${communityId} order by decided_at, id`;
  await sql`
    insert into scores (community_id, user_id, points, reached_at, day, day_points, week, week_points, month, month_points)
    select place, user_id, sum(points), max(at), max(at)::date, 5, date_trunc('week', max(at)), 5, date_trunc('month', max(at)), 5
    from point_events cross join unnest(${[communityId, INSTANCE]}::uuid[]) place
    where community_id = ${communityId} group by place, user_id`;
  await sql`
    insert into badges (user_id, community_id, code, earned_at)
    select user_id, place, code, now() from community_members cross join unnest(
      ${[communityId, communityId, null]}::uuid[], ${['first_step', 'ten_done', 'week_streak']}::text[]) as given (place, code)
    where community_id = ${communityId}`;
  await sql`analyze`;
}
