import { HttpError } from '../../base/http-error.ts';
import type { Guard, Handlers } from '../../http/handler.ts';
import { newEntryId, type Sender } from './entry.ts';
import { scrubText } from './scrub.ts';
import { logServiceOf } from './service.ts';
import { truncatedAddress } from './traits.ts';

const USER_AGENT_MAX = 512;

type Caller = { actor: { userId: string } | null; userAgent: string | null; ip: string };

const senderOf = ({ actor, userAgent, ip }: Caller, sentAt: string | null): Sender => ({
  userId: actor?.userId ?? null,
  userAgent: userAgent === null ? null : scrubText(userAgent, USER_AGENT_MAX),
  address: truncatedAddress(ip),
  sentAt: sentAt === null ? null : scrubText(sentAt, 64),
});

const guard: Guard = (runtime) => logServiceOf(runtime).intake.admit();

export const clientLogHandlers = {
  'POST /api/debug/client-logs': {
    guard,
    handle: async (call) => {
      const { intake } = logServiceOf(call.runtime);
      const entry = { id: newEntryId(), checked: call.body };
      const [result] = await intake.store([entry], senderOf(call, null), call.runtime.now());
      if (!result || result.status === 'rejected') {
        throw new HttpError(422, 'LOG_REJECTED', 'This log entry cannot be stored.', {
          details: { reason: result?.reason },
        });
      }
      return { json: { id: result.id, status: result.status } };
    },
  },

  'POST /api/debug/client-logs/batch': {
    guard,
    handle: async (call) => {
      const { body, runtime } = call;
      const dropped = typeof body.dropped === 'number' ? { error: body.dropped } : (body.dropped ?? {});
      const drops = { errors: dropped.error ?? 0, debugs: dropped.debug ?? 0 };
      if (drops.errors + drops.debugs > 0)
        call.log().warn({ dropped: drops }, 'a device dropped log entries over its cap');
      // Taken out of the body: they may go before their commit, and with 25 of each request it is worth it.
      const take = () =>
        logServiceOf(runtime).intake.store(body.entries.splice(0), senderOf(call, body.sentAt), runtime.now(), drops);
      return { json: { results: await take() } };
    },
  },
} satisfies Handlers;
