import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';
import type { Kind } from '../kind.ts';

export const telegramEvent: Kind<'telegram_event'> = {
  word: m.member_kind_telegram_event,
  pace: 'when-checked',
  openLine: ({ startsAt, place }) =>
    m.today_event({ when: whenWord(startsAt), place: place || m.member_event_no_place() }),
  hours: (ask) => ask,
};
