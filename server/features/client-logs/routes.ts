import type { Handlers } from '../../http/handler.ts';
import { Refusal } from '../../http/refusal.ts';
import { scrubText } from './scrub.ts';
import { newEntryId, storeEntries } from './store.ts';

const USER_AGENT_MAX = 512;
const userAgentOf = (header: string | null): string | null =>
  header === null ? null : scrubText(header, USER_AGENT_MAX);

export const clientLogHandlers = {
  'POST /api/debug/client-logs': async ({ sql, body, actor, userAgent, runtime }) => {
    const [result] = await storeEntries(sql, [{ id: newEntryId(), ...body }], {
      userId: actor?.userId ?? null,
      userAgent: userAgentOf(userAgent),
      sentAt: null,
      receivedAt: runtime.now(),
    });
    if (!result || result.status === 'rejected') {
      throw new Refusal(422, 'LOG_REJECTED', 'This log entry cannot be stored.', {
        details: { reason: result?.reason },
      });
    }
    return { json: { id: result.id, status: result.status } };
  },

  'POST /api/debug/client-logs/batch': async ({ sql, body, actor, userAgent, runtime, log }) => {
    if (typeof body.dropped === 'number' ? body.dropped > 0 : Object.keys(body.dropped ?? {}).length > 0) {
      log.warn({ dropped: body.dropped }, 'a device dropped log entries over its cap');
    }
    const results = await storeEntries(sql, body.entries, {
      userId: actor?.userId ?? null,
      userAgent: userAgentOf(userAgent),
      sentAt: body.sentAt,
      receivedAt: runtime.now(),
    });
    return { json: { results } };
  },
} satisfies Handlers;
