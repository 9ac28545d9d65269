/** A server process that plays its share of the steps of many communities, several at the same moment. */
import { createHash } from 'node:crypto';
import { HttpError } from '../../server/base/http-error.ts';
import { adjust } from '../../server/features/awards/adjust.ts';
import { claimTask } from '../../server/features/claims/claim.ts';
import { decideClaim } from '../../server/features/claims/decision.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { changeRole, joinCommunity, leaveCommunity } from '../../server/features/communities/membership.ts';
import { endSeason, freezeSeason } from '../../server/features/seasons/seasons.ts';
import { connectTo } from '../../server/storage/connect.ts';

export type Step =
  | { do: 'claim'; member: number; task: number; minute: number; late: number }
  | { do: 'decide'; pick: number; approve: boolean; minute: number }
  | { do: 'reverse'; pick: number; minute: number }
  | { do: 'adjust'; member: number; points: number; minute: number }
  | { do: 'join' | 'leave' | 'lead' | 'follow' | 'suspend' | 'readmit'; member: number; minute: number }
  | { do: 'end'; minute: number }
  | { do: 'freeze'; minute: number };
export type Play = {
  base: string;
  communityId: string;
  seasonId: string;
  leader: string;
  moderator: string;
  members: string[];
  tasks: { id: string; isText: boolean }[];
  steps: Step[];
};

const sql = connectTo(process.env['DATABASE_URL'] ?? '', { max: 4 });
const plays = JSON.parse(process.argv[2] ?? '') as Play[];
const failures: string[] = [];
const frozen: { seasonId: string; digest: string }[] = [];
const done: Record<string, number> = {};

async function pick(communityId: string, states: string[], index: number): Promise<string> {
  const rows = await sql<{ id: string }[]>`
    select id from claims where community_id = ${communityId} and state = any(${states}) order by id`;
  return rows[index % Math.max(1, rows.length)]?.id ?? crypto.randomUUID();
}

async function act(play: Play, step: Step): Promise<unknown> {
  const { communityId, seasonId, leader, moderator, members, tasks } = play;
  const now = new Date(Date.parse(play.base) + step.minute * 60_000);
  if (step.do === 'claim') {
    const task = tasks[step.task % tasks.length];
    const asked = { communityId, taskId: task?.id ?? '', userId: members[step.member] ?? '', timeZone: 'UTC', now };
    return sql.begin((tx) =>
      claimTask(tx, asked, {
        actedAt: new Date(now.getTime() - step.late * 60_000).toISOString(),
        ...(task?.isText ? { evidence: { kind: 'submit_text', text: `my words ${step.member} ${step.minute}` } } : {}),
      }),
    );
  }
  if (step.do === 'decide') {
    const claimId = await pick(communityId, ['submitted', 'checking'], step.pick);
    const decision = step.approve
      ? ({ decision: 'approve' } as const)
      : ({ decision: 'reject', reason: 'No' } as const);
    return sql.begin((tx) => decideClaim(tx, { communityId, claimId, reviewerId: moderator, now }, decision));
  }
  if (step.do === 'reverse') {
    const claimId = await pick(communityId, ['approved'], step.pick);
    return sql.begin((tx) => reverseClaim(tx, { communityId, claimId, leaderId: leader, now }, { reason: 'Not so' }));
  }
  if (step.do === 'end') {
    return sql.begin((tx) => endSeason(tx, { communityId, userId: leader, seasonId, now }));
  }
  if (step.do === 'freeze') {
    if (await sql.begin((tx) => freezeSeason(tx, { communityId, seasonId }, now))) {
      const rows =
        await sql`select to_jsonb(r) as row from season_results r where season_id = ${seasonId} order by user_id`;
      frozen.push({ seasonId, digest: createHash('sha256').update(JSON.stringify(rows)).digest('hex') });
    }
    return;
  }
  const userId = members[step.member] ?? '';
  if (step.do === 'adjust') {
    const input = { userId, points: step.points, reason: 'By hand' };
    return sql.begin((tx) => adjust(tx, { communityId, leaderId: leader, now }, input));
  }
  if (step.do === 'suspend' || step.do === 'readmit')
    return sql`update users set suspended_at = ${step.do === 'suspend' ? now : null} where id = ${userId}`;
  if (step.do === 'join') return sql.begin((tx) => joinCommunity(tx, { communityId, userId, now }));
  if (step.do === 'leave') return sql.begin((tx) => leaveCommunity(tx, { communityId, userId, now }));
  const role = step.do === 'lead' ? 'leader' : 'member';
  return sql.begin((tx) => changeRole(tx, { communityId, userId, leaderId: leader, now }, role));
}

for (const play of plays) {
  const rest = [...play.steps];
  const lane = async () => {
    for (let step = rest.shift(); step; step = rest.shift()) {
      try {
        await act(play, step);
        done[step.do] = (done[step.do] ?? 0) + 1;
      } catch (error) {
        if (!(error instanceof HttpError)) failures.push(`${JSON.stringify(step)}: ${error}`);
      }
    }
  };
  await Promise.all([lane(), lane(), lane()]);
}
await sql.end();
process.stdout.write(`${JSON.stringify({ done, failures, frozen })}\n`);
