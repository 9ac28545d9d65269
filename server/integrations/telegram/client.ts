import { Api, GrammyError } from 'grammy';
import type { Logger } from 'pino';
import { HttpError } from '../../base/http-error.ts';
import type { Config } from '../../config.ts';
import { type ChatMembership, createChats, membershipOf } from './chats.ts';
import { createSignIn, describe, PROVIDER_TIMEOUT_S } from './sign-in.ts';
import type { BotText, Delivery, Telegram } from './telegram.ts';

const LISTEN_TIMEOUT_S = 40;
/** The Bot API's own limit (`answerCallbackQuery`). */
const PRESS_ANSWER_MAX = 200;

/**
 * Telegram over the network: "Log In With Telegram" (OpenID Connect, core.telegram.org/bots/telegram-login) and the Bot
 * API. Nothing is called at start, so a provider that is down affects only sign-ins.
 */
export function createTelegram(config: Config, log: Logger): Telegram {
  const { clientId, clientSecret, botToken, apiRoot } = config.telegram;
  const bot = botToken === null ? null : new Api(botToken, { apiRoot, timeoutSeconds: PROVIDER_TIMEOUT_S });
  // Long polling waits, half a minute at most.
  const listener = new Api(botToken ?? '', { apiRoot, timeoutSeconds: LISTEN_TIMEOUT_S });
  const callApi: CallApi = async (method, call) => {
    if (!bot) throw new HttpError(503, 'TELEGRAM_NOT_CONFIGURED', 'This place has no Telegram bot yet.');
    try {
      return await call(bot);
    } catch (error) {
      log.warn({ method, ...describe(error) }, 'Telegram did not answer as hoped');
      throw error;
    }
  };

  return {
    configured: config.telegram.login === 'widget' ? botToken !== null : clientId !== null && clientSecret !== null,

    ...createSignIn(config, log),

    membership: (chatId, telegramUserId) =>
      callApi('getChatMember', async (api): Promise<ChatMembership> => {
        const membership = membershipOf(await api.getChatMember(chatId, Number(telegramUserId)));
        if (membership === null) throw new Error('a status that is not known here');
        return membership;
      }),

    setWebhook: ({ url, secret, kinds }) =>
      callApi('setWebhook', async (api) => {
        await api.setWebhook(url, { secret_token: secret, allowed_updates: kinds });
      }),

    webhook: () =>
      callApi('getWebhookInfo', async (api) => {
        const {
          url = '',
          pending_update_count: pending,
          last_error_date: errorAt,
          last_error_message: error,
        } = await api.getWebhookInfo();
        return {
          url,
          pending,
          errorAt: errorAt === undefined ? null : new Date(errorAt * 1_000),
          error: error ?? null,
        };
      }),

    botUsername: () => callApi('getMe', async (api) => (await api.getMe()).username),

    send: (chatId, text) =>
      callApi('sendMessage', async (api) => {
        const sendTo = (to: string) => api.sendMessage(to, text, { link_preview_options: { is_disabled: true } });
        try {
          await sendTo(chatId);
          return chatId;
        } catch (error) {
          const moved = error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
          if (moved === undefined) throw error;
          await sendTo(String(moved));
          return String(moved);
        }
      }),

    chats: createChats(callApi),

    chat: (chatId) =>
      callApi('getChat', async (api) => {
        const chat = await api.getChat(chatId);
        const link = chat.username ? `https://t.me/${chat.username}` : (chat.invite_link ?? null);
        return { title: chat.title ?? chatId, link };
      }),

    ...createMessages(callApi),

    updates: ({ from, waitS, kinds }, signal) =>
      callApi('getUpdates', async () => {
        // grammY types the signal by another package of the same shape.
        const stop = signal as unknown as Parameters<Api['getUpdates']>[1];
        const parameters = { offset: from, timeout: waitS, limit: 100, allowed_updates: kinds };
        try {
          return await listener.getUpdates(parameters, stop);
        } catch (error) {
          // A webhook and long polling exclude each other.
          if (!(error instanceof GrammyError && error.error_code === 409)) throw error;
          await listener.deleteWebhook();
          return listener.getUpdates(parameters, stop);
        }
      }),

    setCommands: (commands) =>
      callApi('setMyCommands', async (api) => {
        await api.setMyCommands(commands);
      }),

    answerPress: (pressId, text) =>
      callApi('answerCallbackQuery', async (api) => {
        await api.answerCallbackQuery(pressId, text === '' ? {} : { text: text.slice(0, PRESS_ANSWER_MAX) });
      }),

    answerInline: (queryId, results) =>
      callApi('answerInlineQuery', async (api) => {
        const articles = results.map(({ id, title, description, ...message }) => ({
          type: 'article' as const,
          id,
          title,
          description,
          input_message_content: { message_text: message.text, link_preview_options: { is_disabled: true } },
          ...shown(message),
        }));
        // What a board shows is a person's own view of it, and of this minute.
        await api.answerInlineQuery(queryId, articles, { cache_time: 30, is_personal: true });
      }),
  };
}

type CallApi = <T>(method: string, call: (api: Api) => Promise<T>) => Promise<T>;

/** Messages that come and go; none of these throws. */
function createMessages(callApi: CallApi): Pick<Telegram, 'deliver' | 'rewrite' | 'withdraw'> {
  return {
    deliver: (chatId, message) =>
      delivered(() =>
        callApi('sendMessage', async (api) => (await api.sendMessage(chatId, message.text, shown(message))).message_id),
      ),

    rewrite: (chatId, messageId, message) =>
      delivered(() =>
        callApi('editMessageText', async (api) => {
          await api.editMessageText(chatId, messageId, message.text, shown(message));
          return messageId;
        }),
      ),

    withdraw: (chatId, messageId) =>
      delivered(() =>
        callApi('deleteMessage', async (api) => {
          await api.deleteMessage(chatId, messageId);
          return messageId;
        }),
      ),
  };
}

const shown = ({ button, keys = [] }: BotText) => ({
  link_preview_options: { is_disabled: true },
  ...((button || keys.length > 0) && {
    reply_markup: {
      inline_keyboard: [
        ...keys.map(({ label, data }) => [{ text: label, callback_data: data }]),
        ...(button ? [[{ text: button.label, url: button.url }]] : []),
      ],
    },
  }),
});

/** What an answer of the Bot API means for a message. */
async function delivered(send: () => Promise<number>): Promise<Delivery> {
  try {
    return { is: 'sent', messageId: await send() };
  } catch (error) {
    if (!(error instanceof GrammyError)) return { is: 'away' };
    const { retry_after: seconds, migrate_to_chat_id: moved } = error.parameters;
    if (moved !== undefined) return { is: 'moved', to: String(moved) };
    if (seconds !== undefined) return { is: 'wait', ms: seconds * 1_000 };
    if (error.error_code >= 500 || error.error_code === 429) return { is: 'away' };
    if (/not modified|message to (delete|edit) not found/.test(error.description)) return { is: 'sent', messageId: 0 };
    return { is: error.error_code === 403 || /chat not found/.test(error.description) ? 'refused' : 'failed' };
  }
}
