/**
 * Telegram's limits for one bot (core.telegram.org/bots/faq, "My bot is hitting limits"): a message a second in a chat, 30 a second in
 * all, 20 a minute in a group.
 */
export const CHAT_EVERY_MS = 1_000;
export const ALL_IN_A_SECOND = 30;
export const GROUP_IN_A_MINUTE = 20;
const MINUTE_MS = 60_000;

/** Times of requests to Telegram, for its rate limits, in ms. */
export type Pace = {
  note(chatId: string, at: number): void;
  /** How many may go now. */
  room(now: number): number;
  /** When the next one may go, to whomever. */
  readyAt(now: number): number;
  /** Chats that get nothing now, with the time from which they may. */
  resting(now: number): Map<string, number>;
};

const isGroup = (chatId: string): boolean => chatId.startsWith('-');

/** `past` are requests that were made before: limits hold over a restart. */
export function createPace(past: readonly { chatId: string; at: number }[]): Pace {
  let all: number[] = [];
  const chats = new Map<string, number[]>();
  const note = (chatId: string, at: number) => {
    all.push(at);
    chats.set(chatId, [...(chats.get(chatId) ?? []), at]);
  };
  for (const { chatId, at } of past) note(chatId, at);
  const recent = (now: number): number[] => {
    all = all.filter((at) => at > now - CHAT_EVERY_MS);
    return all;
  };
  return {
    note,
    room: (now) => ALL_IN_A_SECOND - recent(now).length,
    readyAt(now) {
      const times = recent(now);
      const over = times.length - ALL_IN_A_SECOND;
      return over < 0 ? now : (times[over] ?? now) + CHAT_EVERY_MS;
    },
    resting(now) {
      const rests = new Map<string, number>();
      for (const [chatId, times] of chats) {
        const within = times.filter((at) => at > now - MINUTE_MS);
        if (within.length === 0) chats.delete(chatId);
        else chats.set(chatId, within);
        const last = (within.at(-1) ?? 0) + CHAT_EVERY_MS;
        const full = within.length - GROUP_IN_A_MINUTE;
        const until = isGroup(chatId) && full >= 0 ? Math.max(last, (within[full] ?? 0) + MINUTE_MS) : last;
        if (until > now) rests.set(chatId, until);
      }
      return rests;
    },
  };
}
