import { PUSH_RETRY_FIRST_MS, PUSH_RETRY_MAX_MS } from '../../contract/limits.ts';
import type { Topic } from '../../contract/push.ts';

/** What is to be sent together: one notification, some of those it is for. */
export type Chunk = {
  id: string;
  notificationId: string;
  channel: 'push' | 'telegram';
  targets: string[];
  collapse: boolean;
  attempts: number;
  expiresAt: Date;
  topic: Topic;
  communityId: string | null;
  path: string;
  title: string;
  body: string;
};

/** When a message that could not be delivered is tried again: 5 s, 10 s, 20 s … one hour. */
export const backoff = (attempts: number): number =>
  Math.min(PUSH_RETRY_MAX_MS, PUSH_RETRY_FIRST_MS * 2 ** Math.min(20, attempts));
