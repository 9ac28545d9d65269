import type { TransactionSql } from 'postgres';
import { notify } from '../notifications/notify.ts';

/** Warns a community's leaders that the bot cannot look into their chat any more. */
export async function notifyOfChat(
  tx: TransactionSql,
  chat: { communityId: string; connectionId: string; title: string; at: Date },
): Promise<void> {
  const { communityId, connectionId, title, at } = chat;
  const [community] = await tx<[{ name: string }]>`select name from communities where id = ${communityId}`;
  await notify(tx, {
    topic: 'security',
    communityId,
    audience: { roles: ['leader'] },
    subjectId: connectionId,
    path: `/community/${communityId}/admin?room=connections`,
    title: community.name,
    body: `The bot can no longer see who is in ${title}. No one loses anything: make it an administrator again.`,
    at,
  });
}
