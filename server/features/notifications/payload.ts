import type { PushPayload, Topic } from '../../contract/push.ts';
import { QUEUE_WAITS } from '../../domain/review-rules.ts';

/** Neutral texts: what is stored at a push service names nobody and nothing (threat model, row D4). */
const GENERAL: Record<Topic, string> = {
  task: 'There is a new task for you.',
  review: 'One of your answers was reviewed.',
  announcement: 'There is a new announcement.',
  streak: 'Your streak needs a task today.',
  season: 'There is news about a season.',
  security: 'Something changed in your account.',
  queue: QUEUE_WAITS,
  test: 'This is what a notification looks like.',
};

const ACTIONS = { open: 'Open', done: 'Mark done', snooze: 'Later' } as const;
const actionsFor = (topic: Topic): (keyof typeof ACTIONS)[] => {
  if (topic === 'streak') return ['open', 'snooze'];
  return topic === 'test' || topic === 'security' ? ['open'] : ['open', 'done'];
};

export type NotificationContent = {
  id: string;
  topic: Topic;
  communityId: string | null;
  path: string;
};

/** Notifications of one topic replace each other where the member wants that. */
export const groupOf = ({ id, topic, communityId }: NotificationContent, collapse: boolean): string =>
  collapse ? `${topic}:${communityId ?? 'here'}` : id;

/** What is encrypted for a browser. */
export function payloadOf(
  content: NotificationContent,
  instance: { origin: string; product: string },
  collapse: boolean,
): PushPayload {
  const { id, topic, path } = content;
  const navigate = new URL(path, instance.origin).href;
  return {
    web_push: 8030,
    notification: {
      title: instance.product,
      body: GENERAL[topic],
      navigate,
      tag: groupOf(content, collapse),
      lang: 'en',
      actions: actionsFor(topic).map((action) => ({ action, title: ACTIONS[action], navigate })),
      data: { id, kind: topic, path },
    },
    mutable: true,
  };
}
