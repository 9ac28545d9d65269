import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { Evidence } from '../../contract/claims.ts';
import { PARTNER_BYTES, WEBHOOK_TIMEOUT_MS } from '../../contract/limits.ts';
import { nextTryAt, TRIES_WITHIN_MS } from '../../domain/tries.ts';
import { postForText } from '../../integrations/outward/ask.ts';
import { signature } from '../../integrations/outward/sign.ts';
import { readReply } from '../../kinds/partner/reply.ts';
import { notifyReviewers } from '../notifications/happened.ts';
import { makePartnerKey } from '../tasks/partner-keys.ts';
import { nextTry } from '../webhooks/deliver.ts';
import { checksWith, decideAnswered } from './answered.ts';
import { type FullRow, findClaim, lockMemberTask } from './write.ts';

/** Partners called in parallel: a slow one delays only its own members. */
const AT_ONCE = 16;
/** Claims of one task per run, in sequence; the first failure ends it. */
const IN_A_ROW = 50;

type Due = {
  claimId: string;
  taskId: string;
  communityId: string;
  userId: string;
  period: string;
  evidence: Evidence | null;
  actedAt: Date;
  attempts: number;
  createdAt: Date;
  url: string;
  secret: Buffer;
  telegramUserId: string | null;
  telegramUsername: string | null;
  twitterUsername: string | null;
};
type Send = typeof postForText;
/** A partner's answer, or why there is none: the sender's error word, a status, or `NO_ANSWER`. */
type Reply = { ok: boolean; words: string | null } | { failed: string };

/** Queues the question whether the member did it, in the transaction of the claim. */
export async function queuePartnerCheck(
  tx: TransactionSql,
  { communityId, claimId, taskId, now }: { communityId: string; claimId: string; taskId: string; now: Date },
): Promise<void> {
  // Tasks that were moved in from elsewhere came without one.
  await makePartnerKey(tx, { communityId, taskId }, now);
  await tx`
    insert into partner_checks as p (community_id, claim_id, task_id, created_at, next_try_at)
    values (${communityId}, ${claimId}, ${taskId}, ${now}, ${now})
    on conflict (claim_id, community_id) do update set attempts = 0, created_at = excluded.created_at, next_try_at = excluded.next_try_at`;
}

/** Asks the partners of claims that are due: each task's in order, tasks beside each other. A job. */
export async function runPartnerChecks(
  runtime: Runtime,
  stopping: AbortSignal,
  send: Send = postForText,
): Promise<void> {
  const waiting = await runtime.sql<{ id: string }[]>`
    select task_id as id from partner_checks where next_try_at <= ${runtime.now()}
    group by task_id order by min(next_try_at)`;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await checkTask(next.id, runtime, stopping, send);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function checkTask(taskId: string, { sql, now }: Runtime, stopping: AbortSignal, send: Send): Promise<void> {
  const until = now().getTime() + WEBHOOK_TIMEOUT_MS;
  for (let count = 0; count < IN_A_ROW && now().getTime() < until && !stopping.aborted; count += 1) {
    const [due] = await sql<Due[]>`
      select p.claim_id as "claimId", p.task_id as "taskId", c.community_id as "communityId", c.user_id as "userId",
        c.period, c.evidence, c.acted_at as "actedAt", p.attempts, p.created_at as "createdAt", t.config->>'url' as url,
        k.secret, u.telegram_user_id::text as "telegramUserId", u.telegram_username as "telegramUsername",
        u.twitter_username as "twitterUsername"
      from partner_checks p join claims c on c.id = p.claim_id and c.community_id = p.community_id join tasks t on t.id = p.task_id
        join partner_keys k on k.task_id = p.task_id join users u on u.id = c.user_id
      where p.task_id = ${taskId} and p.next_try_at <= ${now()}
      order by p.created_at, p.claim_id limit 1`;
    if (!due) return;
    const reply = await checkClaim(due, now(), stopping, send);
    // A request that this process's shutdown aborted says nothing about the partner.
    if (stopping.aborted && 'failed' in reply) return;
    await settle(sql, due, reply, now());
    if ('failed' in reply) return;
  }
}

/** Checks one claim. The member data sent is what the form tells them (docs/integrations.md). */
async function checkClaim(due: Due, at: Date, signal: AbortSignal, send: Send): Promise<Reply> {
  const { claimId, communityId, taskId, period, evidence, userId } = due;
  const { telegramUserId, telegramUsername, twitterUsername } = due;
  const body = JSON.stringify({
    // The same on every attempt, so a partner recognizes a repeat.
    id: claimId,
    event: 'task.check',
    communityId,
    at: due.actedAt.toISOString(),
    data: {
      taskId,
      period,
      answer: evidence?.kind === 'partner' ? (evidence.answer ?? null) : null,
      member: { id: userId, telegramUserId, telegramUsername, twitterUsername },
    },
  });
  const outcome = await send({
    url: new URL(due.url),
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'Muster',
      'muster-event': 'task.check',
      'muster-delivery': claimId,
      'muster-signature': signature(due.secret, body, at),
    },
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    maxBytes: PARTNER_BYTES,
    signal,
  });
  if ('error' in outcome) return { failed: outcome.error };
  if (outcome.status < 200 || outcome.status > 299) return { failed: String(outcome.status) };
  return readReply(outcome.body) ?? { failed: 'NO_ANSWER' };
}

/** Stores the result, unless the claim no longer waits for the partner. */
async function settle(sql: Sql, due: Due, reply: Reply, now: Date): Promise<void> {
  await sql.begin(async (tx) => {
    await lockMemberTask(tx, due.taskId, due.userId);
    const claim = await findClaim(tx, due.communityId, due.claimId, true);
    const [held] = await tx`select from partner_checks where claim_id = ${due.claimId} for update`;
    if (!claim || !held) return;
    if (claim.state !== 'checking') return void (await forget(tx, due.claimId));
    if ('failed' in reply) await wait(tx, due, claim, reply.failed, now);
    else await decide(tx, due, claim, reply, now);
  });
}

const forget = (tx: TransactionSql, claimId: string) => tx`delete from partner_checks where claim_id = ${claimId}`;

const partnerCheck = (now: Date, ok: boolean | null, words: string) =>
  ({ what: 'partner', at: now.toISOString(), ok, note: words }) as const;

/** Asked again later; after a day of that a reviewer decides. */
async function wait(tx: TransactionSql, due: Due, claim: FullRow, failed: string, now: Date): Promise<void> {
  const next = nextTry(due.attempts + 1, due.createdAt, now);
  const { host } = new URL(due.url);
  const words = next
    ? `${host} has not answered yet (${failed}). It is asked again.`
    : `${host} has not answered for a day (${failed}). A reviewer decides.`;
  await tx`update claims set checks = ${tx.json(checksWith(claim, partnerCheck(now, null, words)))} where id = ${claim.id}`;
  if (next) {
    await tx`
      update partner_checks set attempts = attempts + 1, next_try_at = ${next} where claim_id = ${claim.id}`;
    return;
  }
  await forget(tx, claim.id);
  await notifyReviewers(tx, { communityId: claim.communityId, userId: claim.userId, at: now });
}

async function decide(
  tx: TransactionSql,
  due: Due,
  claim: FullRow,
  { ok, words }: { ok: boolean; words: string | null },
  now: Date,
): Promise<void> {
  const { host } = new URL(due.url);
  // The note names the partner, because the words are not ours.
  const note = words === null ? `${host} says ${ok ? 'yes' : 'no'}` : `${host}: ${words}`;
  const retryAt = ok ? null : nextTryAt({ ...claim, ...(await readTries(tx, claim, now)) }, now);
  await decideAnswered(tx, claim, { ...partnerCheck(now, ok, note), ok }, { retryAt, now });
  await forget(tx, claim.id);
}

/** Tries of the member that no check passed of late, as a claim that is judged at once counts them. */
async function readTries(
  tx: TransactionSql,
  { taskId, userId }: FullRow,
  now: Date,
): Promise<{ tries: number; firstTryAt: Date | null }> {
  const [row] = await tx<[{ tries: number; firstTryAt: Date | null }]>`
    select count(*)::int as tries, min(submitted_at) as "firstTryAt" from claims
    where task_id = ${taskId} and user_id = ${userId} and state = 'rejected' and decided_by is null
      and submitted_at > ${new Date(now.getTime() - TRIES_WITHIN_MS)}`;
  return row;
}
