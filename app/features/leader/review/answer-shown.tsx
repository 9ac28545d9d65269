import '../../../kinds/quiz/answers.css';
import './review-card.css';
import { plainTyped } from '../../../../server/contract/event-code.ts';
import type { ReviewItem } from '../../../../server/contract/review.ts';
import { textsOf } from '../../../kinds/choices.ts';
import { SentFile } from '../../../kinds/file/sent-file.tsx';
import { answerLine, kindOf, kindWord } from '../../../kinds/kinds.ts';
import { Answers } from '../../../kinds/quiz/answers.tsx';
import { listing } from '../../../lib/format.ts';
import { rangeWord } from '../../../lib/range-word.ts';
import { m } from '../../../paraglide/messages.js';
import { wordsOf } from '../../../shared/tasks/evidence.ts';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Icon } from '../../../ui/icon.tsx';
import { ClaimPicture } from './claim-picture.tsx';

type Props = {
  item: ReviewItem;
  communityId: string;
  /** Whether the keys are at this one: Space enlarges its picture. */
  isOpen?: boolean;
};
/** What was asked and what the member sent, whatever the task's kind; of a quiz with the right answers. */
export function AnswerShown(props: Props) {
  return (
    <div className="review-card__words">
      <Shown {...props} />
    </div>
  );
}

function Shown({ item, communityId, isOpen }: Props) {
  const { claim, task, ask, right } = item;
  const { evidence } = claim;
  const asked = kindOf(ask.kind).askedLine?.(ask) ?? null;
  if (ask.kind === 'quiz' && ask.pack) return <Paper pack={ask.pack.title} paper={item.paper} />;
  if (ask.kind === 'quiz')
    return evidence?.kind === 'quiz' && right ? (
      <Answers ask={ask} answers={evidence.answers} right={right} />
    ) : (
      <>
        <p className="text-small text-muted">{m.leader_quiz_hidden()}</p>
        <ul className="ruled-list">
          {ask.questions.map(({ id, text }) => (
            <li key={id} className="sent-answer">
              {text}
            </li>
          ))}
        </ul>
      </>
    );
  switch (evidence?.kind) {
    case 'submit_image':
      return (
        <>
          <ClaimPicture
            communityId={communityId}
            imageId={evidence.imageId}
            who={item.member.displayName}
            hasKey={isOpen === true}
          />
          {evidence.note && <Written words={evidence.note} />}
        </>
      );
    case 'file':
      return (
        <>
          <SentFile communityId={communityId} evidence={evidence} />
          {evidence.note && <Written words={evidence.note} />}
        </>
      );
    case 'number':
    case 'date':
    case 'scale':
    case 'partner':
      return (
        <>
          {asked !== null && <p className="text-small text-muted">{asked}</p>}
          <p className="written-text">{answerLine(ask, evidence)}</p>
        </>
      );
    case 'submit_url':
      return (
        <>
          <Link to={evidence.url} />
          {ask.kind === 'submit_url' && ask.hosts.length > 0 && (
            <p className="text-small text-muted">{m.leader_link_of({ hosts: listing(ask.hosts, 'disjunction') })}</p>
          )}
          {evidence.note && <Written words={evidence.note} />}
        </>
      );
    case 'x_follow':
    case 'x_like':
    case 'x_repost':
      return (
        <>
          {'post' in ask && <Link to={ask.post} />}
          {ask.kind === 'x_follow' && <Link to={`https://x.com/${ask.handle}`} />}
          <p className="text-small">{m.xtask_said({ when: whenWord(evidence.doneAt) })}</p>
        </>
      );
    case 'x_reply':
    case 'x_quote':
    case 'x_post':
      return (
        <>
          {'post' in ask && <Link to={ask.post} />}
          <Link to={evidence.url} />
        </>
      );
    case 'visit_link':
      return (
        <>
          {ask.kind === 'visit_link' && <Link to={ask.url} />}
          <p className="text-small">{m.leader_link_opened({ when: whenWord(evidence.openedAt) })}</p>
        </>
      );
    case 'poll':
      return (
        <>
          <p className="text-small text-muted">{task.title}</p>
          {ask.kind === 'poll' && <Written words={textsOf(ask.choices, evidence.optionIds).join(', ')} />}
        </>
      );
    case 'telegram_event':
      return (
        <>
          {ask.kind === 'telegram_event' && (
            <p className="text-small text-muted">
              {m.member_event_place({
                place: ask.place || m.member_event_no_place(),
                when: rangeWord(ask.startsAt, ask.endsAt),
              })}
            </p>
          )}
          <p>
            {plainTyped(evidence.code) === null
              ? m.leader_event_scanned()
              : m.leader_event_typed({ code: evidence.code })}
          </p>
        </>
      );
    default: {
      const words = wordsOf(evidence);
      return words === null ? (
        <p className="written-text">{m.leader_no_words({ kind: kindWord(task.kind) })}</p>
      ) : (
        <Written words={words} />
      );
    }
  }
}

/** What was asked of this member and what they answered; whether that is right, where the reader may know it. */
function Paper({ pack, paper }: { pack: string; paper: ReviewItem['paper'] }) {
  if (!paper) return <p className="text-small text-muted">{m.leader_quiz_hidden()}</p>;
  return (
    <>
      <p className="text-small text-muted">{m.quiz_paper({ pack })}</p>
      <ul className="ruled-list">
        {paper.map(({ question, answer, isRight }) => (
          <li key={question} className="sent-answer">
            <span className="text-small text-muted">{question}</span>
            <span className="written-text">
              {isRight !== null && <Icon name={isRight ? 'check' : 'close'} size={16} />}{' '}
              {isRight !== null && (
                <span className="visually-hidden">
                  {isRight ? m.member_answer_is_right() : m.member_answer_is_wrong()}
                </span>
              )}{' '}
              {answer || m.member_answer_none()}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const Written = ({ words }: { words: string }) => <p className="written-text">{m.member_in_quotes({ words })}</p>;

const Link = ({ to }: { to: string }) => (
  <a
    className="text-link review-card__link break-anywhere"
    href={to}
    target="_blank"
    rel="noopener noreferrer nofollow"
  >
    {to}
  </a>
);
