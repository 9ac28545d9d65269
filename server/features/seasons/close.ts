import type { Runtime } from '../../base/runtime.ts';
import { freezeSeason, startDue } from './seasons.ts';

type Due = { seasonId: string; communityId: string };
const AT_ONCE = 50;

/**
 * Starts due seasons in active communities and freezes those after their grace, each in its own transaction: a failure
 * is retried by the next run and blocks no other.
 */
export async function closeSeasons({ sql, log, now: clock }: Pick<Runtime, 'sql' | 'log' | 'now'>): Promise<void> {
  const now = clock();
  const each = async (seasons: readonly Due[], step: typeof startDue, done: string) => {
    for (const due of seasons) {
      try {
        if (await sql.begin((tx) => step(tx, due, now))) log.info(due, done);
      } catch (error) {
        log.error({ err: error, ...due }, 'a season was not started or frozen');
      }
    }
  };
  const ending = await sql<Due[]>`
    select id as "seasonId", community_id as "communityId" from seasons
    where started_at is not null and frozen_at is null and ends_at <= ${now}
      and ends_at + make_interval(hours => grace_hours) <= ${now}
    order by ends_at limit ${AT_ONCE}`;
  await each(ending, freezeSeason, 'a season was frozen');
  const starting = await sql<Due[]>`
    select s.id as "seasonId", s.community_id as "communityId" from seasons s
    join communities c on c.id = s.community_id and c.status = 'active'
    where s.started_at is null and s.starts_at <= ${now} and s.ends_at > ${now} and not exists (
      select from seasons r where r.community_id = s.community_id and r.started_at is not null and r.frozen_at is null)
    order by s.starts_at limit ${AT_ONCE}`;
  await each(starting, startDue, 'a season was started');
}
