import { HttpError } from '../../base/http-error.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { messageOf } from '../../domain/chat-membership.ts';
import { byCheck } from '../judged.ts';
import type { Attested, Judged, Kind, Moment } from '../kind.ts';

/** What Telegram told of the member, in the chat of the community. Nothing that they send themselves speaks for it. */
function judge(_: unknown, __: unknown, { isPeriodNow }: Moment, told: Attested): Judged {
  // Within the period the member can still act and claim again. After it, a rejection leaves them an appeal.
  if (!told.ok && isPeriodNow)
    throw new HttpError(422, 'NOT_SEEN_YET', `${told.note}.`, {
      details: told.unseen satisfies ErrorDetails['NOT_SEEN_YET'],
    });
  return byCheck('telegram', told.ok, told.note, null);
}

export const telegramJoin: Kind<'telegram_join'> = { ask: ({ kind, chat }) => ({ kind, chat }), isSeen: true, judge };
export const telegramChat: Kind<'telegram_chat'> = {
  ask: ({ kind, needed, minLength }) => ({ kind, needed, minLength }),
  isSeen: true,
  judge,
};
export const telegramReaction: Kind<'telegram_reaction'> = {
  check(setup) {
    if (messageOf(setup.link) === null)
      throw new HttpError(422, 'MESSAGE_NOT_HERE', 'Paste the link of a message, as https://t.me/c/1234567890/42.', {
        details: { field: 'setup.link' } satisfies ErrorDetails['MESSAGE_NOT_HERE'],
      });
    return setup;
  },
  ask: ({ kind, link }) => ({ kind, link }),
  isSeen: true,
  judge,
};
