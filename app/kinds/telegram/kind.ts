import { m } from '../../paraglide/messages.js';
import type { Kind } from '../kind.ts';

export const telegramJoin: Kind<'telegram_join'> = { word: m.chats_kind_join, pace: 'when-checked' };
export const telegramChat: Kind<'telegram_chat'> = { word: m.chats_kind_chat, pace: 'when-checked' };
export const telegramReaction: Kind<'telegram_reaction'> = { word: m.chats_kind_reaction, pace: 'when-checked' };
