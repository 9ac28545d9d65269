import type { ISql, TransactionSql } from 'postgres';
import type { Claim } from '../../contract/claims.ts';
import { decidedWords, QUEUE_WAITS } from '../../domain/review-rules.ts';
import { type Audience, changeWaiting, notify } from './notify.ts';

/** Minimum minutes between notifications about a filling queue or a series of new tasks. */
const OFTEN_EVERY_MINUTES = 15;
const TEXT_SHOWN = 140;

const dashboard = (communityId: string) => `/community/${communityId}/dashboard`;
/** Never in the middle of a character. */
const cut = (text: string) =>
  text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN - 1).replace(/\p{Surrogate}$/u, '')}…` : text;

async function nameOf(sql: ISql, communityId: string): Promise<string> {
  const [row] = await sql<[{ name: string }]>`select name from communities where id = ${communityId}`;
  return row.name;
}

/** Whether another notification of the kind goes out at about that time. */
async function wasNotified(tx: ISql, topic: 'queue' | 'task', communityId: string, sendAt: Date): Promise<boolean> {
  // A queue's notification counts from its writing and is looked up at every claim: an index covers it.
  const time = topic === 'queue' ? tx`created_at` : tx`send_at`;
  const [near] = await tx`
    select from notifications where topic = ${topic} and community_id = ${communityId} and state <> 'cancelled'
      and ${time} > ${sendAt}::timestamptz - make_interval(mins => ${OFTEN_EVERY_MINUTES})
      and ${time} < ${sendAt}::timestamptz + make_interval(mins => ${OFTEN_EVERY_MINUTES}) limit 1`;
  return near !== undefined;
}

type Announced = {
  id: string;
  title: string;
  body: string;
  audience: Audience;
  sendAt: Date | null;
  localTime: string | null;
};
/** Tells a community of an announcement, with its figures shown to its leaders. */
export async function notifyOfAnnouncement(
  tx: TransactionSql,
  announced: Announced & { communityId: string; userId: string; at: Date },
): Promise<void> {
  const { id, communityId, userId, at, audience, sendAt, localTime } = announced;
  await notify(tx, {
    topic: 'announcement',
    communityId,
    audience: { ...audience, except: userId },
    subjectId: id,
    path: dashboard(communityId),
    ...(await wordsOf(tx, communityId, announced)),
    campaign: true,
    createdBy: userId,
    at,
    sendAt,
    localTime,
  });
}

/** The same for one that nobody was notified of yet. */
export async function renotifyOfAnnouncement(
  tx: TransactionSql,
  announced: Announced & { campaignId: string; communityId: string; at: Date },
): Promise<void> {
  const { campaignId, communityId, at, audience, sendAt, localTime } = announced;
  const { title, body } = await wordsOf(tx, communityId, announced);
  await changeWaiting(tx, campaignId, { title, body, audience, sendAt: sendAt ?? at, localTime });
}

const wordsOf = async (tx: TransactionSql, communityId: string, { title, body }: { title: string; body: string }) => ({
  title: `${await nameOf(tx, communityId)}: ${title}`,
  body: cut(body),
});

/** Tells a member what a reviewer decided, or that a leader took it back. */
export async function notifyOfDecision(
  tx: TransactionSql,
  claim: Pick<Claim, 'id' | 'taskId' | 'state'>,
  { communityId, userId, at }: { communityId: string; userId: string; at: Date },
): Promise<void> {
  const [task] = await tx<[{ title: string }]>`
    select title from tasks where id = ${claim.taskId} and community_id = ${communityId}`;
  await notify(tx, {
    topic: 'review',
    communityId,
    userId,
    subjectId: claim.id,
    path: `/engagement-complete?community=${communityId}&task=${claim.taskId}`,
    title: task.title,
    body: decidedWords(claim.state),
    at,
  });
}

/** Tells a community's leaders that a webhook was paused. The address may hold a secret: its host is named. */
export async function notifyOfWebhookPaused(
  tx: TransactionSql,
  { communityId, webhookId, host, at }: { communityId: string; webhookId: string; host: string; at: Date },
): Promise<void> {
  await notify(tx, {
    topic: 'security',
    communityId,
    audience: { roles: ['leader'] },
    subjectId: webhookId,
    path: `/community/${communityId}/admin?room=connections`,
    title: await nameOf(tx, communityId),
    body: `The webhook to ${host} is paused: it isn’t answering, and too much is waiting for it.`,
    at,
  });
}

/** Tells those who review that claims or appeals wait, not at each one. */
export async function notifyReviewers(
  tx: TransactionSql,
  { communityId, userId, at }: { communityId: string; userId: string; at: Date },
): Promise<void> {
  if (await wasNotified(tx, 'queue', communityId, at)) return;
  await notify(tx, {
    topic: 'queue',
    communityId,
    audience: { roles: ['moderator', 'leader'], except: userId },
    path: `/community/${communityId}/admin?room=review`,
    title: await nameOf(tx, communityId),
    body: QUEUE_WAITS,
    at,
  });
}

/** Notifies a community that a season began or that its results are final. */
export async function notifyOfSeason(
  tx: TransactionSql,
  season: { id: string; name: string; communityId: string },
  what: 'started' | 'frozen',
  at: Date,
): Promise<void> {
  const { id, name, communityId } = season;
  await notify(tx, {
    topic: 'season',
    communityId,
    subjectId: id,
    path: what === 'started' ? dashboard(communityId) : `/leaderboard?community=${communityId}&period=season`,
    title: `${await nameOf(tx, communityId)}: ${name}`,
    body: what === 'started' ? 'The season has started.' : 'The season is over. See the final results.',
    at,
  });
}

/** Tells a community of a task that it can do from now on. */
export async function notifyOfTask(
  tx: TransactionSql,
  task: { id: string; title: string; communityId: string; userId: string; opensAt: Date | string | null; at: Date },
): Promise<void> {
  const { id, title, communityId, userId, opensAt, at } = task;
  const opens = opensAt === null ? at : new Date(opensAt);
  const sendAt = opens > at ? opens : at;
  if (await wasNotified(tx, 'task', communityId, sendAt)) return;
  await notify(tx, {
    topic: 'task',
    communityId,
    audience: { except: userId },
    subjectId: id,
    path: dashboard(communityId),
    title: `${await nameOf(tx, communityId)}: new task`,
    body: title,
    at,
    sendAt,
  });
}

/** Tells a member of a sign-in on another device than those they are signed in on. */
export async function notifyOfSignIn(tx: TransactionSql, userId: string, at: Date): Promise<void> {
  const [other] = await tx`select from push_subscriptions where user_id = ${userId} limit 1`;
  if (!other) return;
  await notify(tx, {
    topic: 'security',
    userId,
    path: '/profile-accounts',
    title: 'New sign-in to your account',
    body: 'If this wasn’t you, end that session.',
    at,
  });
}
