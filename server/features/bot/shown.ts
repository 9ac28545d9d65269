import type { Config } from '../../config.ts';
import type { BotText } from '../../integrations/telegram/telegram.ts';
import type { Reply } from './answers.ts';

/** What the bot says as a message. Telegram takes a button's address only where others could open it too. */
export function shownFrom({ publicOrigin }: Config, { text, button, keys = [] }: Reply): BotText {
  const url = button && new URL(button.path, publicOrigin).href;
  const isOpen = url?.startsWith('https:') ?? false;
  return {
    text: url && !isOpen ? `${text}\n${url}` : text,
    button: button && url && isOpen ? { label: button.label, url } : null,
    keys,
  };
}
