import type { Runtime } from '../../base/runtime.ts';
import { audit } from '../audit/audit.ts';
import { notifyOfWebhookPaused } from '../notifications/happened.ts';
import { isFull } from './emit.ts';

/**
 * Pauses webhooks with a full queue and notifies their leaders: later events are not sent until a leader restarts the
 * webhook.
 */
export async function pauseFull({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  const at = now();
  await sql.begin(async (tx) => {
    const paused = await tx<{ id: string; communityId: string; url: string }[]>`
      update webhooks set active = false, paused_at = ${at} where active and exists (${isFull(tx)})
      returning id, community_id as "communityId", url`;
    for (const { id, communityId, url } of paused) {
      const { host } = new URL(url);
      await audit(tx, { communityId, actorId: null, action: 'webhook.paused', subject: host, subjectId: id, at });
      await notifyOfWebhookPaused(tx, { communityId, webhookId: id, host, at });
    }
  });
}
