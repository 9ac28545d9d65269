import type { UpdateKind } from '../../contract/telegram.ts';
import type { ChatMembership, TelegramChats } from './chats.ts';

/** The product's view of Telegram. Base URLs come from the configuration; nothing here knows of a sandbox. */
export type Telegram = {
  configured: boolean;
  /** OIDC authorization URL (code + PKCE S256) for a state and a verifier made by the caller. */
  authorizationUrl(input: { state: string; codeVerifier: string; redirectUri: string }): Promise<URL>;
  /** Exchanges the callback's URL for the proven identity. Throws `HttpError` when the provider or the token refuses. */
  identity(input: { callbackUrl: URL; state: string; codeVerifier: string }): Promise<TelegramIdentity>;
  /** `getChatMember`. Throws on any error of Telegram's: the caller keeps its stored status. */
  membership(chatId: string, telegramUserId: string): Promise<ChatMembership>;
  /** `setWebhook`; some kinds of updates must be requested. Throws on any error of Telegram's. */
  setWebhook(webhook: { url: string; secret: string; kinds: readonly UpdateKind[] }): Promise<void>;
  /** `getWebhookInfo`: where updates go, how many wait, and what went wrong last. Throws on any error of Telegram's. */
  webhook(): Promise<TelegramWebhook>;
  /** `getMe`, with a short timeout. */
  botUsername(): Promise<string>;
  /**
   * `sendMessage`: plain text, without a preview of its links. A group that has become a supergroup is followed: gives the id
   * of the chat as it is now. Throws on any other error of Telegram's.
   */
  send(chatId: string, text: string): Promise<string>;
  /** Chats of communities. */
  chats: TelegramChats;
  /** `getChat`: title and public or invite link. */
  chat(chatId: string): Promise<{ title: string; link: string | null }>;
  /** `sendMessage` of plain text with a button below that opens an address. Never throws. */
  deliver(chatId: string, message: BotText): Promise<Delivery>;
  /** `editMessageText`; `sent` as well where it reads so already. Never throws. */
  rewrite(chatId: string, messageId: number, message: BotText): Promise<Delivery>;
  /** `deleteMessage`; `sent` as well where there is no such message any more. Never throws. */
  withdraw(chatId: string, messageId: number): Promise<Delivery>;
  /**
   * `getUpdates`: waits up to `waitS` seconds for updates from the number on, and confirms all before it. As they came: the
   * caller reads them. A webhook is taken away where there is one. Throws on any error of Telegram's.
   */
  updates(poll: { from: number; waitS: number; kinds: readonly UpdateKind[] }, signal: AbortSignal): Promise<unknown[]>;
  /** `setMyCommands`: what Telegram offers as one types. Throws on any error of Telegram's. */
  setCommands(commands: readonly { command: string; description: string }[]): Promise<void>;
  /** `answerCallbackQuery`: a button was pressed; a text is shown for a moment. Throws on any error of Telegram's. */
  answerPress(pressId: string, text: string): Promise<void>;
  /** `answerInlineQuery` with articles that become messages. Throws on any error of Telegram's. */
  answerInline(queryId: string, results: readonly InlineArticle[]): Promise<void>;
};
export type TelegramWebhook = { url: string; pending: number; errorAt: Date | null; error: string | null };
export type TelegramIdentity = { telegramUserId: string; username: string | null; displayName: string };
export type BotText = {
  text: string;
  /** Opens an address. */
  button: { label: string; url: string } | null;
  /** Buttons, one per line, that send their `data` (at most 64 bytes) to the bot. */
  keys?: readonly { label: string; data: string }[];
};
/**
 * Result of sending a message. `refused`: the person never started the bot or blocked it, or the bot is not in the
 * group; `failed`: it can never be delivered; `moved`: the group became a supergroup; `wait`: for so many ms; `away`:
 * Telegram did not answer.
 */
export type Delivery =
  | { is: 'sent'; messageId: number }
  | { is: 'refused' | 'failed' }
  | { is: 'away' }
  | { is: 'moved'; to: string }
  | { is: 'wait'; ms: number };
export type InlineArticle = { id: string; title: string; description: string } & BotText;
