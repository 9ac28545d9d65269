import type { Evidence } from '../../server/contract/claims.ts';
import type { TaskAsk } from '../../server/contract/tasks.ts';
import { useOutbox } from '../lib/device.ts';
import { calendarDay, number } from '../lib/format.ts';
import { imageSubject } from '../lib/subjects.ts';
import { m } from '../paraglide/messages.js';
import { amountWords, boundsWords } from '../shared/tasks/amount.ts';
import { Icon } from '../ui/icon.tsx';
import { daysWords } from './date/date-form.tsx';

/** What was answered, in a line; null for kinds whose answers are words, pictures or choices. */
export function answerLine(ask: TaskAsk, evidence: Evidence): string | null {
  switch (evidence.kind) {
    case 'number':
      return amountWords(evidence.value, ask.kind === 'number' ? ask : { unit: '' });
    case 'date':
      return calendarDay(evidence.date);
    case 'scale':
      return m.kinds_scale_of({ value: number(evidence.value) });
    case 'partner': {
      if (ask.kind !== 'partner') return evidence.answer ?? null;
      return evidence.answer === undefined
        ? m.kinds_partner_sent({ host: ask.host })
        : m.kinds_partner_typed({ asks: ask.asks, answer: evidence.answer });
    }
    default:
      return null;
  }
}

/** What was asked for beside its words, for who reviews; null where that says nothing. */
export function askedLine(ask: TaskAsk): string | null {
  if (ask.kind === 'number') return boundsWords(ask);
  if (ask.kind === 'date') return daysWords(ask);
  return ask.kind === 'scale' ? m.kinds_scale_ends({ low: ask.low, high: ask.high }) : null;
}

/** A file to be saved; what this device has not sent yet has no address to be saved from. */
export function SentFile(props: { communityId: string; evidence: Extract<Evidence, { kind: 'file' }> }) {
  const { communityId, evidence } = props;
  const { fileId, name } = evidence;
  const waits = useOutbox().some(({ subject }) => subject === imageSubject(fileId));
  if (waits)
    return (
      <>
        <p className="break-anywhere">{name}</p>
        <p className="text-small text-muted">{m.kinds_file_away()}</p>
      </>
    );
  return (
    <a
      className="text-link touch-target flex-row break-anywhere"
      href={`/api/communities/${communityId}/files/${fileId}`}
      download={name}
    >
      <Icon name="export" />
      <span>{m.kinds_file_save({ name })}</span>
    </a>
  );
}
