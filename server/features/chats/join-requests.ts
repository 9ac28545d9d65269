import type { TransactionSql } from 'postgres';
import type { UpdateContext } from '../../base/update-handler.ts';
import type { TelegramUpdate } from '../../contract/telegram.ts';
import { mayJoin } from '../../rules/completion.ts';
import { queueMessage } from '../bot-messages/queue.ts';
import type { ChatRow } from './rows.ts';

/**
 * For five minutes after a join request the bot may write to a person who never started it (Bot API,
 * `chat_join_request`).
 */
const MAY_WRITE_MS = 5 * 60_000;

type Request = NonNullable<TelegramUpdate['chat_join_request']>;
type Asker = { suspended: boolean; membership: string; role: string | null; isVerified: boolean };

/**
 * Why a person may not join a chat; null: they may. Complete accounts may, as they may join the community itself. For a
 * private community only its members may.
 */
export function whyNot(asker: Asker | undefined, isPrivate: boolean, hasRequiredChannel: boolean): string | null {
  if (!asker) return 'Sign in there with this Telegram account first, then ask once more.';
  if (asker.suspended) return 'Your account there is suspended.';
  if (hasRequiredChannel && ['left', 'kicked'].includes(asker.membership))
    return 'You are not in the channel that the place asks for. Join that first.';
  if (!mayJoin(asker)) return 'Complete your account there first: it still needs your X account.';
  if (isPrivate && asker.role === null) return 'This community is private. Ask its leader for an invite link.';
  return null;
}

/** Approves permitted join requests, and tells the others why not. If Telegram fails, the person can request again. */
export async function answerRequest(
  tx: TransactionSql,
  chat: ChatRow,
  { from, date, user_chat_id: writeTo }: Request,
  { runtime, afterwards }: UpdateContext,
): Promise<void> {
  const [community] = await tx<{ slug: string; name: string; isPrivate: boolean; isActive: boolean }[]>`
    select slug, name, visibility = 'private' as "isPrivate", status = 'active' as "isActive" from communities
    where id = ${chat.communityId}`;
  // While a community is suspended its requests wait for a person to answer them.
  if (!community?.isActive) return;
  const [asker] = await tx<Asker[]>`
    select u.suspended_at is not null as suspended, u.membership, u.is_verified as "isVerified", m.role
    from users u left join community_members m on m.user_id = u.id and m.community_id = ${chat.communityId}
    where u.telegram_user_id = ${from.id}`;
  const { requiredChannel } = runtime.config.telegram;
  const why = whyNot(asker, community.isPrivate, requiredChannel !== null);
  const page = new URL(`/community/${community.slug}`, runtime.config.publicOrigin).href;
  if (why !== null)
    await queueMessage(tx, {
      chatId: String(writeTo ?? from.id),
      userId: null,
      origin: `join-request:${chat.chatId}:${from.id}:${date}`,
      text: `${chat.title} belongs to ${community.name}, which you could not be let in from yet. ${why}\n${page}`,
      now: runtime.now(),
      expiresAt: new Date(runtime.now().getTime() + MAY_WRITE_MS),
    });
  afterwards(async () => void (await runtime.telegram.chats.answerJoin(chat.chatId, String(from.id), why === null)));
}
