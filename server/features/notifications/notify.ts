import type { ISql } from 'postgres';
import type { Topic } from '../../contract/push.ts';
import { withdrawMessages } from '../bot-messages/queue.ts';

/** Recipients: one person, part of a community, or the whole instance. */
export type Audience = {
  /** Only these roles; everyone when absent. */
  roles?: readonly ('member' | 'moderator' | 'leader')[] | undefined;
  /** At least this many points in the community. */
  minPoints?: number | undefined;
  /** Active in the community within so many days. */
  activeDays?: number | undefined;
  /** Excludes the person who caused it. */
  except?: string;
  /** Only the people in `notification_people`. */
  named?: true;
};

export type NewNotification = {
  topic: Topic;
  communityId?: string | null;
  userId?: string | null;
  audience?: Audience;
  subjectId?: string | null;
  /** Screen that it opens, with its leading slash. Ids only: a push service's browser reads it. */
  path: string;
  title: string;
  body: string;
  campaign?: boolean;
  createdBy?: string | null;
  at: Date;
  /** Now when absent. */
  sendAt?: Date | null;
  /** Local time at which members are notified (`2026-11-28T07:30`); from `sendAt` on some have that time. */
  localTime?: string | null;
};

/** Queues a notification in the transaction of what happened: it is sent if and only if that came to be. Gives its id. */
export async function notify(tx: ISql, given: NewNotification): Promise<string> {
  const [row] = await tx<[{ id: string }]>`
    insert into notifications (topic, community_id, user_id, audience, subject_id, path, title, body, campaign,
      created_by, created_at, send_at, local_time)
    values (${given.topic}, ${given.communityId ?? null}, ${given.userId ?? null}, ${tx.json(given.audience ?? {})},
      ${given.subjectId ?? null}, ${given.path}, ${given.title}, ${given.body}, ${given.campaign ?? false},
      ${given.createdBy ?? null}, ${given.at}, ${given.sendAt ?? given.at},
      ${given.localTime ?? null})
    returning id`;
  return row.id;
}

/** Queues one notification for many people whom no audience describes, all with the same words. */
export async function notifyEach(tx: ISql, given: NewNotification, userIds: readonly string[]): Promise<void> {
  const id = await notify(tx, { ...given, audience: { named: true } });
  await tx`
    insert into notification_people (notification_id, user_id) select ${id}, * from unnest(${[...userIds]}::uuid[])`;
}

type Waiting = { title: string; body: string; audience: Audience; sendAt: Date; localTime: string | null };
/** Changes what has not begun to be sent: its row is the caller's already, and waits. Who it leaves out stays left out. */
export async function changeWaiting(
  tx: ISql,
  id: string,
  { title, body, audience, sendAt, localTime }: Waiting,
): Promise<void> {
  await tx`
    update notifications set title = ${title}, body = ${body}, send_at = ${sendAt}, local_time = ${localTime},
      audience = ${tx.json(audience)}::jsonb || case when audience ? 'except'
        then jsonb_build_object('except', audience -> 'except') else '{}' end
    where id = ${id} and state = 'waiting'`;
}

/** Cancels what is not sent yet. True where one had notified nobody yet. */
export async function cancel(tx: ISql, which: { subjectId: string }, now: Date): Promise<boolean> {
  const held = await tx<{ id: string; state: string }[]>`
    select id, state from notifications
    where subject_id = ${which.subjectId} and state in ('waiting', 'spreading', 'sending') for update`;
  await tx`
    update notifications set state = 'cancelled', finished_at = ${now} where id = any(${held.map(({ id }) => id)}::uuid[])`;
  await tx`
    delete from notification_chunks
    where notification_id in (select id from notifications where subject_id = ${which.subjectId} and state = 'cancelled')`;
  await withdrawMessages(tx, which.subjectId, now);
  return held.some(({ state }) => state === 'waiting');
}
