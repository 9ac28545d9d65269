import { plainTyped } from '../../../server/rules/event-code.ts';
import { fromLocal, toLocal } from '../../lib/dates.ts';
import { rangeWord } from '../../lib/range-word.ts';
import { m } from '../../paraglide/messages.js';
import { Field } from '../../ui/field.tsx';
import type { FieldsProps, LeaderParts, ReviewedProps } from '../kind.ts';

const HOUR_MS = 60 * 60_000;

export const telegramEventEditor: LeaderParts<'telegram_event'> = {
  hint: m.leader_kind_telegram_event_hint,
  usualPoints: 100,
  empty: (now) => {
    // Events usually start on the hour.
    const start = Math.ceil(now / HOUR_MS) * HOUR_MS;
    const at = (ms: number) => new Date(ms).toISOString();
    return { kind: 'telegram_event', place: '', startsAt: at(start), endsAt: at(start + 2 * HOUR_MS) };
  },
  problems: ({ place, startsAt, endsAt }, now) => [
    ...(place.trim() === '' ? ['place'] : []),
    ...(endsAt > startsAt ? [] : ['event_times']),
    ...(now !== null && Date.parse(endsAt) <= now ? ['event_over'] : []),
  ],
  preview: (setup) => ({ ...setup, publicKey: '' }),
  Fields: EventFields,
  Reviewed: EventReviewed,
};

function EventFields({ setup, found, onSetup }: FieldsProps<'telegram_event'>) {
  return (
    <>
      <Field
        label={m.leader_event_place()}
        maxLength={200}
        value={setup.place}
        error={found.has('place') ? m.leader_event_place_wrong() : null}
        onValue={(place) => onSetup({ ...setup, place })}
      />
      <div className="two-columns">
        <Field
          label={m.leader_event_starts()}
          type="datetime-local"
          value={toLocal(setup.startsAt)}
          onValue={(text) => onSetup({ ...setup, startsAt: fromLocal(text) ?? setup.startsAt })}
        />
        <Field
          label={m.leader_event_ends()}
          type="datetime-local"
          value={toLocal(setup.endsAt)}
          error={
            found.has('event_times')
              ? m.leader_event_times_wrong()
              : found.has('event_over')
                ? m.leader_season_end_wrong()
                : null
          }
          onValue={(text) => onSetup({ ...setup, endsAt: fromLocal(text) ?? setup.endsAt })}
        />
      </div>
    </>
  );
}

function EventReviewed({ ask, evidence }: ReviewedProps<'telegram_event'>) {
  return (
    <>
      <p className="text-small text-muted">
        {m.member_event_place({
          place: ask.place || m.member_event_no_place(),
          when: rangeWord(ask.startsAt, ask.endsAt),
        })}
      </p>
      <p>
        {plainTyped(evidence.code) === null ? m.leader_event_scanned() : m.leader_event_typed({ code: evidence.code })}
      </p>
    </>
  );
}
