import type { ISql, Sql } from 'postgres';
import { expect } from 'vitest';
import type { HttpError } from '../../server/base/http-error.ts';
import type { Evidence } from '../../server/contract/claims.ts';
import type { CommunityRole } from '../../server/contract/community.ts';
import type { Caps, Conditions, Recurrence, Schedule, TaskKind, TaskSetup } from '../../server/contract/tasks.ts';
import { claimTask } from '../../server/features/claims/claim.ts';
import { decideClaim } from '../../server/features/claims/decision.ts';
import { makeEventKey } from '../../server/features/tasks/event-keys.ts';

let count = 0;
const next = () => {
  count += 1;
  return count;
};

/** Some time in the past at which everything here was founded, so that acts may be dated back to it. */
const FOUNDED = new Date('2026-01-01T00:00:00Z');

export type StagedCommunity = { id: string; slug: string; leader: string; moderator: string };

/** Writes the people, communities and tasks that tests of engagement play with. */
export function stage(sql: Sql) {
  const person = async (name = `Person ${next()}`): Promise<string> => {
    const [row] = await sql<[{ id: string }]>`
      insert into users (telegram_user_id, display_name, is_verified)
      values (${7_000_000 + next()}, ${name}, true) returning id`;
    return row.id;
  };
  const join = async (communityId: string, userId: string, role: CommunityRole = 'member') => {
    await sql`
      insert into community_members (community_id, user_id, role, joined_at)
      values (${communityId}, ${userId}, ${role}, ${FOUNDED})`;
    return userId;
  };
  return {
    person,
    join,
    member: async (communityId: string, name?: string) => join(communityId, await person(name)),
    async community(visibility: 'public' | 'private' = 'public'): Promise<StagedCommunity> {
      const [leader, moderator] = [await person(), await person()];
      const slug = `place-${next()}`;
      const [row] = await sql<[{ id: string }]>`
        insert into communities (slug, name, visibility, counts_on_instance, created_by, created_at)
        values (${slug}, ${`Place ${slug}`}, ${visibility}, true, ${leader}, ${FOUNDED}) returning id`;
      await join(row.id, leader, 'leader');
      await join(row.id, moderator, 'moderator');
      return { id: row.id, slug, leader, moderator };
    },
    async task(
      place: StagedCommunity,
      wanted: {
        kind?: TaskKind;
        setup?: TaskSetup;
        points?: number;
        recurrence?: Recurrence;
        at?: Date;
        schedule?: Partial<Schedule>;
        caps?: Partial<Caps>;
        conditions?: Conditions;
      } = {},
    ): Promise<string> {
      const { kind = wanted.kind ?? 'check_in', ...config } = wanted.setup ?? {};
      const { opensAt = null, closesAt = null, window = null } = wanted.schedule ?? {};
      const { total = null, member = null, coolDownMinutes = 0 } = wanted.caps ?? {};
      const [row] = await sql<[{ id: string }]>`
        insert into tasks (community_id, kind, config, title, points, recurrence, opens_at, closes_at, local_window,
          cap_total, cap_member, cool_down_minutes, conditions, created_by, created_at)
        values (${place.id}, ${kind}, ${sql.json(config)}, ${`Task ${next()}`}, ${wanted.points ?? 5},
          ${wanted.recurrence ?? 'once'}, ${opensAt}, ${closesAt}, ${window && sql.json(window)}, ${total}, ${member},
          ${coolDownMinutes}, ${wanted.conditions ? sql.json(wanted.conditions) : null}, ${place.leader},
          ${wanted.at ?? FOUNDED}) returning id`;
      if (kind === 'telegram_event') await makeEventKey(sql, { communityId: place.id, taskId: row.id }, FOUNDED);
      return row.id;
    },
    claim: (
      place: StagedCommunity,
      taskId: string,
      userId: string,
      act: { now?: Date; text?: string; evidence?: Evidence; actedAt?: string; timeZone?: string } = {},
    ) => {
      const evidence = act.text === undefined ? act.evidence : ({ kind: 'submit_text', text: act.text } as const);
      return sql.begin((tx) =>
        claimTask(
          tx,
          { communityId: place.id, taskId, userId, timeZone: act.timeZone ?? 'UTC', now: act.now ?? new Date() },
          {
            ...(evidence === undefined ? {} : { evidence }),
            ...(act.actedAt === undefined ? {} : { actedAt: act.actedAt }),
          },
        ),
      );
    },
    approve: (place: StagedCommunity, claimId: string, reviewerId = place.moderator, now = new Date()) =>
      sql.begin(async (tx) =>
        decideClaim(
          tx,
          { communityId: place.id, claimId, reviewerId, now },
          { decision: 'approve', ...(await versionNow(tx, claimId)) },
        ),
      ),
    reject: (place: StagedCommunity, claimId: string, reviewerId = place.moderator, now = new Date()) =>
      sql.begin(async (tx) =>
        decideClaim(
          tx,
          { communityId: place.id, claimId, reviewerId, now },
          { decision: 'reject', reason: 'Not this time', ...(await versionNow(tx, claimId)) },
        ),
      ),
  };
}

/** The version of a claim that somebody sees who looks at it now; nothing where there is no such claim. */
export async function versionNow(sql: ISql, claimId: string): Promise<{ version?: number }> {
  const [row] = await sql<{ version: number }[]>`select version from claims where id::text = ${claimId}`;
  return row ?? {};
}

/** What a command was refused with; fails where it was not. */
export const refusal = (promise: Promise<unknown>): Promise<HttpError> =>
  promise.then(
    () => expect.fail('nothing was refused'),
    (error: HttpError) => error,
  );

/** Rows where a member's standing of all time is not the sum of their ledger; none when all is well. */
export const mismatches = (sql: Sql, communityId: string) => sql`
  select * from (
    select user_id, sum(points)::int as points from point_events where community_id = ${communityId} group by user_id
  ) ledger
  full join (
    select user_id, points from standings where community_id = ${communityId} and period = 'all'
  ) standing using (user_id)
  where ledger.points is distinct from standing.points`;
