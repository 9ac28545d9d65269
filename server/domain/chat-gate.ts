import { HttpError } from '../base/http-error.ts';
import { CHAT_MEMBERSHIP_REQUIRED } from '../contract/chat-limits.ts';
import type { ChatGate, ChatSort, ChatState } from '../contract/chats.ts';
import { isInside } from './chat-membership.ts';

/** A person's status in one chat of a community. `triedAt`: when Telegram was last asked about them. */
export type Standing = {
  sort: ChatSort;
  title: string;
  joinUrl: string | null;
  gate: ChatGate;
  unverifiableAt: Date | null;
  state: ChatState;
  triedAt: Date | null;
};

/** Telegram said so lately that it does not know this person: it is not asked at each press. */
const TRIED_LATELY_MS = 60_000;

/** Nothing was ever heard of the person in this chat, and nobody has just tried to hear. */
export const isUnasked = ({ state, triedAt, unverifiableAt }: Standing, now: Date): boolean =>
  state === 'unknown' &&
  unverifiableAt === null &&
  (triedAt === null || now.getTime() - triedAt.getTime() > TRIED_LATELY_MS);

/** A device gets this answer while Telegram is being asked: it stores the command and sends it again. */
export const whileChecking = () =>
  new HttpError(
    503,
    'CHAT_BEING_ASKED',
    'We are asking Telegram whether you are in the chat. This continues automatically.',
    { retryAfterSeconds: 2 },
  );

/** The words to who is out of a chat of the community. */
export const outOfChat = ({ title, sort, joinUrl }: { title: string; sort: string; joinUrl: string | null }) =>
  new HttpError(
    403,
    CHAT_MEMBERSHIP_REQUIRED,
    `You are not in “${title}” on Telegram, which this community asks for. Join it, then try again. Your points stay.`,
    { details: { title, sort, joinUrl } },
  );

/**
 * Refuses a member who is outside a required chat: 403 `CHAT_MEMBERSHIP_REQUIRED` (details: `{ title, joinUrl, sort
 * }`), or 503 `CHAT_BEING_ASKED` while their status is unknown. A chat that the bot cannot look into keeps nobody out.
 */
export function refuseOutside(standings: readonly Standing[], gates: readonly ChatGate[], now: Date): void {
  const required = standings.filter(
    ({ gate, unverifiableAt, state }) => gates.includes(gate) && unverifiableAt === null && !isInside(state),
  );
  if (required.some((one) => isUnasked(one, now))) throw whileChecking();
  const [first] = required;
  if (first) throw outOfChat(first);
}
