/**
 * Budget of the instance's model: per member, per community and in total. A question is reserved at its highest cost
 * and settled at its real one, so parallel questions cannot exceed a limit.
 */
import type { ISql, Sql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import {
  MODEL_PER_DAY,
  QUESTION_BYTES_MAX,
  QUESTION_CALLS_MAX,
  QUESTIONS_GIVEN_BACK_PER_DAY,
} from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import type { Spent } from '../../integrations/ai/meter.ts';

type Whose = ErrorDetails['QUESTIONS_USED_UP']['whose'];
type Limit = { questions: number; calls: number; bytes: number };
export type Quota = Record<Whose, Limit>;

/** Who asks, and the community whose budget is used; null for members of none. */
export type Asker = { userId: string; communityId: string | null; now: Date };
/** Questions left, and whether this one was counted: not where it reached no model. */
export type Settled = { left: number; isCounted: boolean };

type Counted = { count: number; open: number; calls: number; bytes: number };
const NONE: Counted = { count: 0, open: 0, calls: 0, bytes: 0 };

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);
const secondsLeft = (now: Date): number => 24 * 60 * 60 - Math.floor((now.getTime() / 1000) % (24 * 60 * 60));

/** Questions that fit, if each of them and each in progress costs the most. */
function fitting(limit: Limit, { count, open, calls, bytes }: Counted): number {
  const byCalls = Math.floor((limit.calls - calls) / QUESTION_CALLS_MAX) - open;
  const byBytes = Math.floor((limit.bytes - bytes) / QUESTION_BYTES_MAX) - open;
  return Math.max(0, Math.min(limit.questions - count, byCalls, byBytes));
}

/** The counters, in the order in which the rows are locked. */
const countersOf = ({ userId, communityId }: Asker) => [
  { whose: 'member' as const, table: 'assistant_questions', by: { user_id: userId } },
  ...(communityId === null
    ? []
    : [{ whose: 'community' as const, table: 'assistant_communities', by: { community_id: communityId } }]),
  { whose: 'all' as const, table: 'assistant_days', by: {} },
];

const COUNTED = 'count, open, calls, (sent + received)::float8 as bytes';

/** The member's community with the most questions left. */
export async function communityToCount(
  sql: Sql,
  ids: readonly string[],
  now: Date,
): Promise<{ communityId: string | null; left: number }> {
  const counted = await sql<(Counted & { id: string })[]>`
    select community_id as id, ${sql.unsafe(COUNTED)} from assistant_communities
    where day = ${dayOf(now)} and community_id = any(${[...ids]}::uuid[])`;
  const left = (id: string) => fitting(MODEL_PER_DAY.community, counted.find((one) => one.id === id) ?? NONE);
  const [best] = ids.map((id) => ({ communityId: id, left: left(id) })).sort((a, b) => b.left - a.left);
  return best ?? { communityId: null, left: Number.POSITIVE_INFINITY };
}

/** How many questions a member may still ask today. `communityIds` are theirs. */
export async function questionsLeft(
  sql: Sql,
  { userId, communityIds, now }: Pick<Asker, 'userId' | 'now'> & { communityIds: readonly string[] },
  quota: Quota = MODEL_PER_DAY,
): Promise<number> {
  const day = dayOf(now);
  const [mine = NONE] = await sql<Counted[]>`
    select ${sql.unsafe(COUNTED)} from assistant_questions where day = ${day} and user_id = ${userId}`;
  const [all = NONE] = await sql<Counted[]>`select ${sql.unsafe(COUNTED)} from assistant_days where day = ${day}`;
  const { left } = await communityToCount(sql, communityIds, now);
  return Math.min(fitting(quota.member, mine), fitting(quota.all, all), left);
}

/**
 * Counts one question and holds all that it may cost. Throws 429 `QUESTIONS_USED_UP` when the member, their community, or the
 * instance has nothing left for it.
 */
export async function takeQuestion(sql: Sql, asker: Asker, quota: Quota = MODEL_PER_DAY): Promise<void> {
  const day = dayOf(asker.now);
  await sql.begin(async (tx) => {
    for (const { whose, table, by } of countersOf(asker)) {
      const row = { day, ...by, count: 0 };
      await tx`insert into ${tx(table)} ${tx(row)} on conflict do nothing`;
      const [counted = NONE] = await tx<Counted[]>`
        select ${tx.unsafe(COUNTED)} from ${tx(table)} where ${isRow(tx, day, by)} for update`;
      if (fitting(quota[whose], counted) < 1) throw usedUp(whose, asker.now);
      await tx`update ${tx(table)} set count = count + 1, open = open + 1 where ${isRow(tx, day, by)}`;
    }
  });
}

/**
 * Settles a question's cost, once. A question that reached no model is refunded, some times a day; a late, empty or
 * useless answer was billed and stays counted.
 */
export async function settleQuestion(sql: Sql, asker: Asker, { calls, sent, received }: Spent): Promise<boolean> {
  const day = dayOf(asker.now);
  return sql.begin(async (tx) => {
    const given =
      calls > 0
        ? []
        : await tx`
            update assistant_questions set given_back = given_back + 1
            where day = ${day} and user_id = ${asker.userId} and given_back < ${QUESTIONS_GIVEN_BACK_PER_DAY} returning 1`;
    for (const { table, by } of countersOf(asker))
      await tx`
        update ${tx(table)} set open = open - 1, count = count - ${given.length},
          calls = calls + ${calls}, sent = sent + ${sent}, received = received + ${received}
        where ${isRow(tx, day, by)}`;
    return given.length === 0;
  });
}

const isRow = (sql: ISql, day: string, by: Record<string, string>) =>
  Object.entries(by).reduce((so, [column, id]) => sql`${so} and ${sql(column)} = ${id}`, sql`day = ${day}`);

const USED_UP: Record<Whose, string> = {
  member: 'You have used all your questions for today. Answers are quoted until tomorrow.',
  community: 'Your community has used all its questions for today. Answers are quoted until tomorrow.',
  all: 'All questions for today have been used. Answers are quoted until tomorrow.',
};
const usedUp = (whose: Whose, now: Date): HttpError =>
  new HttpError(429, 'QUESTIONS_USED_UP', USED_UP[whose], {
    details: { whose },
    retryAfterSeconds: secondsLeft(now),
  });

export async function sweepQuestions(sql: Sql, now: Date): Promise<void> {
  for (const table of ['assistant_questions', 'assistant_communities', 'assistant_days'])
    await sql`delete from ${sql(table)} where day < (${now}::timestamptz - interval '2 days')::date`;
}
