import type { Sql } from 'postgres';
import type { MembershipStatus } from '../../contract/user.ts';
import type { Actor, Handlers, Runtime } from '../../http/handler.ts';
import type { Telegram } from '../../integrations/telegram/telegram.ts';
import { askMembership } from './people.ts';

const CHANNEL_KNOWN_MS = 10 * 60_000;
const CHANNEL_RETRY_MS = 30_000;

type Channel = { title: string | null; link: string | null };
/** Title and link of the channel as Telegram last told this process: shown to people who were removed, so asked seldom. */
const known = new WeakMap<Telegram, { channel: Channel; until: number }>();

async function channelOf(runtime: Runtime): Promise<Channel> {
  const { requiredChannel } = runtime.config.telegram;
  if (requiredChannel === null) return { title: null, link: null };
  const now = runtime.now().getTime();
  const held = known.get(runtime.telegram);
  if (held && held.until > now) return held.channel;
  try {
    const channel = await runtime.telegram.chat(requiredChannel);
    known.set(runtime.telegram, { channel, until: now + CHANNEL_KNOWN_MS });
    return channel;
  } catch {
    const channel = held?.channel ?? { title: null, link: null };
    known.set(runtime.telegram, { channel, until: now + CHANNEL_RETRY_MS });
    return channel;
  }
}

async function status(runtime: Runtime, sql: Sql, actor: Actor, asked: boolean): Promise<MembershipStatus> {
  const channel = await channelOf(runtime);
  const [row] = await sql<{ membership: Actor['membership']; checkedAt: Date | null }[]>`
    select membership, membership_checked_at as "checkedAt" from users where id = ${actor.userId}`;
  return {
    required: runtime.config.telegram.requiredChannel !== null,
    channelTitle: channel.title,
    rejoinUrl: channel.link,
    state: row?.membership ?? 'unknown',
    checkedAt: row?.checkedAt?.toISOString() ?? null,
    asked,
  };
}

export const membershipHandlers = {
  /** What the database knows; `asked` is true because nothing failed to be asked. */
  'GET /api/auth/membership': async (call) => ({ json: await status(call.runtime, call.sql, call.actor, true) }),

  async 'POST /api/auth/membership/check'(call) {
    const { runtime, actor } = call;
    const now = runtime.now();
    const membership = await askMembership(runtime, actor.telegramUserId);
    if (membership !== null) {
      await call.sql`
        update users set membership = ${membership}, membership_checked_at = ${now}, membership_source = 'check'
        where id = ${actor.userId}`;
    }
    const isRequired = runtime.config.telegram.requiredChannel !== null;
    return { json: await status(runtime, call.sql, actor, membership !== null || !isRequired) };
  },
} satisfies Handlers;
