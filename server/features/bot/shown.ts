import type { Config } from '../../config.ts';
import type { BotText } from '../../integrations/telegram/telegram.ts';
import type { Reply } from './answers.ts';

/** The bot's text as a message. Telegram accepts only public addresses in buttons. */
export function shownFrom({ publicOrigin }: Config, { text, button, keys = [] }: Reply): BotText {
  const url = button && new URL(button.path, publicOrigin).href;
  const isOpen = url?.startsWith('https:') ?? false;
  return {
    text: url && !isOpen ? `${text}\n${url}` : text,
    button: button && url && isOpen ? { label: button.label, url } : null,
    keys,
  };
}
