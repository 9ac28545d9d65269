import './review-card.css';
import type { ReactNode } from 'react';
import type { ReviewItem } from '../../../../server/contract/review.ts';
import { dayAt } from '../../../../server/rules/periods.ts';
import { useOutbox } from '../../../lib/device.ts';
import { calendarDay, calendarMonth, day } from '../../../lib/format.ts';
import { serverWords } from '../../../lib/server-words.ts';
import { m } from '../../../paraglide/messages.js';
import { Checks, checksOf } from '../../../shared/answers/checks.tsx';
import { DecisionQuote } from '../../../shared/answers/decision-quote.tsx';
import { History } from '../../../shared/answers/history.tsx';
import { whenWord } from '../../../shared/tasks/words.ts';
import { PersonAvatar } from '../../../ui/avatar.tsx';
import { Chip, Points, Quote } from '../../../ui/card.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { ageWord } from '../parts/age.ts';
import { AnswerShown } from './answer-shown.tsx';
import { isAppeal, unusedFor, waitingSince } from './review-queue.ts';

/** The member, task, points, answer, appeal, and facts about the claim. `children` are shown below the answer. */
export function ReviewCard(props: { item: ReviewItem; communityId: string; children?: ReactNode }) {
  const { item, communityId } = props;
  const { claim, task, member } = item;
  const handles = [
    member.telegramUsername ? `@${member.telegramUsername}` : null,
    member.twitterUsername ? m.member_on_x({ name: `@${member.twitterUsername}` }) : null,
  ].filter((handle) => handle !== null);
  const waits = claim.state === 'submitted' || claim.state === 'checking' || isAppeal(item);
  return (
    <article className="card review-card">
      <div className="flex-row review-card__who">
        <PersonAvatar name={member.displayName} />
        <div className="flex-grow">
          <h2>{member.displayName}</h2>
          <p className="text-tiny text-muted">{m.leader_sent_at({ time: whenWord(claim.submittedAt) })}</p>
        </div>
        {waits && (
          <Chip kind="cross" icon="clock">
            {m.leader_waiting_for({ age: ageWord(waitingSince(item)) })}
          </Chip>
        )}
      </div>
      <div className="review-card__task">
        <h3>{task.title}</h3>
        <b className="numeric">
          <Points value={claim.points} />
        </b>
      </div>
      <Changed claimId={claim.id} />
      {task.instructions && <p className="text-small text-muted written-text">{task.instructions}</p>}
      <AnswerShown item={item} communityId={communityId} isOpen />
      {props.children}
      {claim.appeal?.outcome === 'open' && (
        <div className="review-appeal">
          <p className="text-small">
            <b>{m.leader_appeals({ who: member.displayName, time: whenWord(claim.appeal.at) })}</b>
          </p>
          <p className="written-text">{m.member_in_quotes({ words: claim.appeal.text })}</p>
          <DecisionQuote claim={claim} />
        </div>
      )}
      <ul className="ruled-list evidence-list">
        <Line icon="clock" title={periodWord(claim.period)} />
        <Line
          icon="you"
          title={m.leader_member_since({ date: day(member.joinedAt) })}
          line={handles.length > 0 ? handles.join(' · ') : m.leader_no_handles()}
        />
      </ul>
      {checksOf(claim).length > 0 && <Checks checks={checksOf(claim)} />}
      {item.history.length > 1 && (
        <section className="review-card__history">
          <h3>{m.member_receipt_history()}</h3>
          <History steps={withoutShown(item)} isOwn={false} />
        </section>
      )}
    </article>
  );
}

/** Omits the open appeal and the rejection it is about, which are shown above with their texts. */
function withoutShown({ claim, history }: ReviewItem): ReviewItem['history'] {
  if (claim.appeal?.outcome !== 'open') return history;
  const shown = [claim.appeal.text, claim.reason];
  return history.map((step) => (shown.includes(step.reason) ? { ...step, reason: null } : step));
}

/** A decision here that was not used: the answer had changed, or the server refused it. */
function Changed({ claimId }: { claimId: string }) {
  const [entry] = unusedFor(useOutbox(), claimId).slice(-1);
  if (!entry) return null;
  return (
    <div role="status">
      <Quote
        lead={entry.error?.reason === 'CLAIM_CHANGED' ? m.leader_changed() : m.member_not_sent()}
        asks
        by={m.leader_changed_unused({ what: entry.label })}
      >
        {entry.error && serverWords(entry.error)}
      </Quote>
    </div>
  );
}

/** A claim's period in words, by its key: `2026-11-21`, `2026-W47`, `2026-11` or `once`. */
function periodWord(period: string): string {
  if (period === 'once') return m.leader_period_once();
  const [year, week] = period.split('-W');
  if (week) return m.leader_period_week({ date: calendarDay(mondayOf(Number(year), Number(week))) });
  return m.leader_period({ period: period.length === 7 ? calendarMonth(period) : calendarDay(period) });
}
/** The first day of an ISO week. The fourth of January is always in week one. */
function mondayOf(year: number, week: number): string {
  const fourth = `${year}-01-04`;
  return dayAt(fourth, 7 * (week - 1) + 1 - (new Date(fourth).getUTCDay() || 7));
}

function Line(props: { icon: IconName; title: string; line?: string }) {
  return (
    <li className="flex-row evidence-list__line">
      <Icon name={props.icon} />
      <div className="flex-grow">
        <p className="text-small evidence-list__title">{props.title}</p>
        {props.line && <p className="text-tiny text-muted">{props.line}</p>}
      </div>
    </li>
  );
}
