import type { ISql, Sql, TransactionSql } from 'postgres';
import { STREAK_REMINDER_FROM_HOUR, STREAK_REMINDER_UNTIL_HOUR } from '../../contract/limits.ts';
import type { Runtime } from '../../http/handler.ts';
import { notify } from './notify.ts';

/** A queue that fills up, or tasks that are published one after another, are told of once in so many minutes. */
const OFTEN_EVERY_MINUTES = 15;
const TEXT_SHOWN = 140;

const dashboard = (communityId: string) => `/community/${communityId}/dashboard`;
const cut = (text: string) => (text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN - 1)}…` : text);

async function nameOf(sql: ISql, communityId: string): Promise<string> {
  const [row] = await sql<[{ name: string }]>`select name from communities where id = ${communityId}`;
  return row.name;
}

async function wasToldOf(tx: ISql, topic: 'queue' | 'task', communityId: string, at: Date): Promise<boolean> {
  const [recent] = await tx`
    select from notifications where topic = ${topic} and community_id = ${communityId}
      and created_at > ${at}::timestamptz - make_interval(mins => ${OFTEN_EVERY_MINUTES}) limit 1`;
  return recent !== undefined;
}

/** Tells a community of an announcement, with its figures shown to its leaders. */
export async function tellAnnouncement(
  tx: TransactionSql,
  said: { id: string; communityId: string; userId: string; title: string; body: string; at: Date },
): Promise<void> {
  const { id, communityId, userId, title, body, at } = said;
  await notify(tx, {
    topic: 'announcement',
    communityId,
    audience: { except: userId },
    subjectId: id,
    path: dashboard(communityId),
    title: `${await nameOf(tx, communityId)}: ${title}`,
    body: cut(body),
    campaign: true,
    createdBy: userId,
    at,
  });
}

const DECIDED: Record<string, string> = {
  approved: 'It counts.',
  rejected: 'It does not count. See why.',
  changes_requested: 'Something is to be changed.',
};

/** Tells a member what a reviewer decided. */
export async function tellDecision(
  tx: TransactionSql,
  claim: { id: string; taskId: string; state: string },
  { communityId, userId, at }: { communityId: string; userId: string; at: Date },
): Promise<void> {
  const [task] = await tx<[{ title: string }]>`select title from tasks where id = ${claim.taskId}`;
  await notify(tx, {
    topic: 'review',
    communityId,
    userId,
    subjectId: claim.id,
    path: `/engagement-complete?community=${communityId}&task=${claim.taskId}`,
    title: task.title,
    body: DECIDED[claim.state] ?? 'It was looked at.',
    at,
  });
}

/** Tells those who review that claims wait, not at each one. */
export async function tellQueue(
  tx: TransactionSql,
  { communityId, userId, at }: { communityId: string; userId: string; at: Date },
): Promise<void> {
  if (await wasToldOf(tx, 'queue', communityId, at)) return;
  await notify(tx, {
    topic: 'queue',
    communityId,
    audience: { roles: ['moderator', 'leader'], except: userId },
    path: `/community/${communityId}/admin?room=review`,
    title: await nameOf(tx, communityId),
    body: 'Claims wait for your review.',
    at,
  });
}

/** Tells a community that a season began or that its results stand. */
export async function tellSeason(
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
    body: what === 'started' ? 'The season has begun.' : 'The season is over and its results stand.',
    at,
  });
}

/** Tells a community of a task that it can do from now on. */
export async function tellTask(
  tx: TransactionSql,
  task: { id: string; title: string; communityId: string; userId: string; opensAt: Date | string | null; at: Date },
): Promise<void> {
  const { id, title, communityId, userId, opensAt, at } = task;
  if (await wasToldOf(tx, 'task', communityId, at)) return;
  const opens = opensAt === null ? at : new Date(opensAt);
  await notify(tx, {
    topic: 'task',
    communityId,
    audience: { except: userId },
    subjectId: id,
    path: dashboard(communityId),
    title: `${await nameOf(tx, communityId)}: new task`,
    body: title,
    at,
    sendAt: opens > at ? opens : null,
  });
}

/** Tells a member of a sign-in on another device than those they are signed in on. */
export async function tellSignIn(tx: TransactionSql, userId: string, at: Date): Promise<void> {
  const [other] = await tx`select from push_subscriptions where user_id = ${userId} limit 1`;
  if (!other) return;
  await notify(tx, {
    topic: 'security',
    userId,
    path: '/profile-accounts',
    title: 'A new sign-in to your account',
    body: 'If it was not you, end that session.',
    at,
  });
}

/**
 * Reminds in the evening of their own day those whose streak ends with it: counted yesterday, not yet today. Once a day.
 * A job.
 */
export async function remindStreaks({ sql, now: clock }: { sql: Sql } & Pick<Runtime, 'now'>): Promise<void> {
  const now = clock();
  await sql`
    insert into notifications (topic, user_id, path, title, body, created_at, send_at)
    select 'streak', u.id, '/community-selector', 'Your streak ends today', 'One task keeps it.', ${now}, ${now}
    from users u
    where u.suspended_at is null
      and extract(hour from ${now}::timestamptz at time zone u.time_zone)
        between ${STREAK_REMINDER_FROM_HOUR} and ${STREAK_REMINDER_UNTIL_HOUR - 1}
      and exists (select from claims c where c.user_id = u.id and c.state = 'approved'
        and c.local_day = (${now}::timestamptz at time zone u.time_zone)::date - 1)
      and not exists (select from claims c where c.user_id = u.id and c.state in ('approved', 'submitted', 'checking')
        and c.local_day = (${now}::timestamptz at time zone u.time_zone)::date)
      and not exists (select from notifications n where n.user_id = u.id and n.topic = 'streak'
        and n.created_at > ${now}::timestamptz - interval '12 hours')`;
}
