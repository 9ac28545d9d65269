import type { ISql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { ChatGate, ChatSort, ChatState, MyChat } from '../../contract/chats.ts';
import { isInside } from '../../domain/chat-membership.ts';
import { outOfChat } from '../../http/access.ts';
import { joinUrlOf } from './rows.ts';

/** Where somebody is in one chat of a community. */
export type Standing = {
  connectionId: string;
  sort: ChatSort;
  title: string;
  username: string | null;
  inviteLink: string | null;
  gate: ChatGate;
  unverifiableAt: Date | null;
  state: ChatState;
  checkedAt: Date | null;
  triedAt: Date | null;
};

export const standingsOf = (sql: ISql, { communityId, userId }: { communityId: string; userId: string }) =>
  sql<Standing[]>`
    select g.id as "connectionId", g.sort, g.title, g.username, g.invite_link as "inviteLink", g.gate,
      g.unverifiable_at as "unverifiableAt", coalesce(cm.state, 'unknown') as state, cm.checked_at as "checkedAt",
      cm.tried_at as "triedAt"
    from community_chats g
    left join chat_members cm on cm.connection_id = g.id and cm.user_id = ${userId}
    where g.community_id = ${communityId} order by g.sort desc`;

export const myChatOf = (one: Standing): MyChat => ({
  sort: one.sort,
  title: one.title,
  joinUrl: joinUrlOf(one),
  gate: one.gate,
  state: one.state,
  checkedAt: one.checkedAt?.toISOString() ?? null,
  unverifiable: one.unverifiableAt !== null,
});

/** Telegram said so lately that it does not know this person: it is not asked at each press. */
const TRIED_LATELY_MS = 60_000;

/** Nothing was ever heard of the person in this chat, and nobody has just tried to hear. */
export const isUnasked = ({ state, triedAt, unverifiableAt }: Standing, now: Date): boolean =>
  state === 'unknown' &&
  unverifiableAt === null &&
  (triedAt === null || now.getTime() - triedAt.getTime() > TRIED_LATELY_MS);

/** What a device hears while Telegram is being asked: it keeps what it has and sends it again by itself. */
export const beingAsked = () =>
  new HttpError(
    503,
    'CHAT_BEING_ASKED',
    'We are asking Telegram whether you are in the chat. This continues automatically.',
    {
      retryAfterSeconds: 2,
    },
  );

export const isBeingAsked = (error: unknown): boolean =>
  error instanceof HttpError && error.reason === 'CHAT_BEING_ASKED';

/**
 * Refuses who is out of a chat that one has to be in: 403 `CHAT_MEMBERSHIP_REQUIRED` (details: `{ title, joinUrl, sort }`), or 503
 * `CHAT_BEING_ASKED` for somebody of whom nothing is known yet. A chat that the bot cannot look into keeps nobody out.
 */
export function refuseOutside(standings: readonly Standing[], gates: readonly ChatGate[], now: Date): void {
  const asked = standings.filter(
    ({ gate, unverifiableAt, state }) => gates.includes(gate) && unverifiableAt === null && !isInside(state),
  );
  if (asked.some((one) => isUnasked(one, now))) throw beingAsked();
  const [first] = asked;
  if (first) throw outOfChat({ title: first.title, sort: first.sort, joinUrl: joinUrlOf(first) });
}
