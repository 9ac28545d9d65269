import type { TransactionSql } from 'postgres';
import type { UpdateContext } from '../../base/update-handler.ts';
import type { TelegramUpdate } from '../../contract/telegram.ts';
import { mayJoin } from '../../rules/completion.ts';
import { queueMessage } from '../bot-messages/queue.ts';
import type { ChatRow } from './rows.ts';

/** For five minutes after a request the bot may write to somebody who never started it (Bot API, `chat_join_request`). */
const MAY_WRITE_MS = 5 * 60_000;

type Request = NonNullable<TelegramUpdate['chat_join_request']>;
type Asker = { suspended: boolean; membership: string; role: string | null; isVerified: boolean };

/**
 * Why somebody who asks to join a chat may not; null: they may. Who has an account here that is complete may, as they may join the
 * community itself. Of a private one its members may, because nobody joins it by asking.
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

/** Lets in who may enter, and tells everybody else why not. What Telegram does not take now it asks for again by the person. */
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
