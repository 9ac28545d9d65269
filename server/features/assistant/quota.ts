import type { Sql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import { ASSISTANT_QUESTIONS_OF_ALL_PER_DAY, ASSISTANT_QUESTIONS_PER_DAY } from '../../contract/limits.ts';
import type { RefusalDetails } from '../../contract/refusals.ts';

export type Quota = { perMember: number; ofAll: number };
export const QUOTA: Quota = { perMember: ASSISTANT_QUESTIONS_PER_DAY, ofAll: ASSISTANT_QUESTIONS_OF_ALL_PER_DAY };

type Asker = { userId: string; now: Date };
const dayOf = (now: Date): string => now.toISOString().slice(0, 10);
const secondsLeft = (now: Date): number => 24 * 60 * 60 - Math.floor((now.getTime() / 1000) % (24 * 60 * 60));

/** How many questions the member may still ask today. */
export async function questionsLeft(sql: Sql, { userId, now }: Asker, quota = QUOTA): Promise<number> {
  const [row] = await sql<{ mine: number; all: number }[]>`
    select coalesce((select count from assistant_questions where day = ${dayOf(now)} and user_id = ${userId}), 0) as mine,
      coalesce((select count from assistant_days where day = ${dayOf(now)}), 0) as all`;
  return Math.max(0, Math.min(quota.perMember - (row?.mine ?? 0), quota.ofAll - (row?.all ?? 0)));
}

/**
 * Counts one question and gives how many are left. Throws 429 `QUESTIONS_USED_UP` when the member, or the instance, has
 * asked as many as a day has.
 */
export async function takeQuestion(sql: Sql, { userId, now }: Asker, quota = QUOTA): Promise<number> {
  const day = dayOf(now);
  return sql.begin(async (tx) => {
    const [mine] = await tx<{ count: number }[]>`
      insert into assistant_questions as kept (day, user_id, count) values (${day}, ${userId}, 1)
      on conflict (day, user_id) do update set count = kept.count + 1 where kept.count < ${quota.perMember}
      returning count`;
    if (!mine || mine.count > quota.perMember) throw usedUp('member', now);
    const [all] = await tx<{ count: number }[]>`
      insert into assistant_days as kept (day, count) values (${day}, 1)
      on conflict (day) do update set count = kept.count + 1 where kept.count < ${quota.ofAll}
      returning count`;
    if (!all || all.count > quota.ofAll) throw usedUp('all', now);
    return Math.max(0, Math.min(quota.perMember - mine.count, quota.ofAll - all.count));
  });
}

/** Gives a question back that got no answer. */
export async function giveBack(sql: Sql, { userId, now }: Asker): Promise<void> {
  const day = dayOf(now);
  await sql.begin(async (tx) => {
    await tx`update assistant_questions set count = count - 1 where day = ${day} and user_id = ${userId} and count > 0`;
    await tx`update assistant_days set count = count - 1 where day = ${day} and count > 0`;
  });
}

type Whose = RefusalDetails['QUESTIONS_USED_UP']['whose'];
const USED_UP: Record<Whose, string> = {
  member: 'You have used all your questions for today. Answers are quoted until tomorrow.',
  all: 'All questions for today have been used. Answers are quoted until tomorrow.',
};
const usedUp = (whose: Whose, now: Date): HttpError =>
  new HttpError(429, 'QUESTIONS_USED_UP', USED_UP[whose], {
    details: { whose },
    retryAfterSeconds: secondsLeft(now),
  });
