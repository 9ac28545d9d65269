import './answers.css';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../../ui/icon.tsx';
import type { AskOf, EvidenceOf, ReviewedProps } from '../kind.ts';
import { Answers } from './answers.tsx';

type Item = ReviewedProps<'quiz'>['item'];

/** The questions and the member's answers; also the right answers, if the reader may see them. */
export function QuizReviewed(props: { item: Item; ask: AskOf<'quiz'>; evidence?: EvidenceOf<'quiz'> }) {
  const { item, ask, evidence } = props;
  if (ask.pack) return <Paper pack={ask.pack.title} paper={item.paper} />;
  if (evidence && item.right) return <Answers ask={ask} answers={evidence.answers} right={item.right} />;
  return (
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
}

function Paper({ pack, paper }: { pack: string; paper: Item['paper'] }) {
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
