import './review-card.css';
import type { ReviewItem } from '../../../../server/contract/review.ts';
import { answerLine, kindOf, kindWord } from '../../../kinds/kinds.ts';
import { leaderPartsOf } from '../../../kinds/leader.ts';
import { Written } from '../../../kinds/reviewed.tsx';
import { m } from '../../../paraglide/messages.js';
import { wordsOf } from '../../../shared/tasks/evidence.ts';

type Props = {
  item: ReviewItem;
  communityId: string;
  /** Whether the desk's keys apply to it: Space enlarges its picture. */
  isOpen?: boolean;
};
/** The question and the member's answer for any kind of task; for a quiz with the right answers. */
export function AnswerShown(props: Props) {
  return (
    <div className="review-card__words">
      <Shown {...props} />
    </div>
  );
}

function Shown({ item, communityId, isOpen = false }: Props) {
  const { ask, task } = item;
  const { evidence } = item.claim;
  const { Reviewed, Hidden } = leaderPartsOf(ask.kind);
  if (Hidden && evidence === null) return <Hidden item={item} ask={ask} />;
  if (Reviewed && evidence?.kind === ask.kind)
    return <Reviewed item={item} communityId={communityId} ask={ask} evidence={evidence} isOpen={isOpen} />;
  const line = evidence && answerLine(ask, evidence);
  const words = wordsOf(evidence);
  if (line !== null) {
    const question = kindOf(ask.kind).constraintLine?.(ask) ?? null;
    return (
      <>
        {question !== null && <p className="text-small text-muted">{question}</p>}
        <p className="written-text">{line}</p>
      </>
    );
  }
  if (words !== null) return <Written words={words} />;
  return <p className="written-text">{m.leader_no_words({ kind: kindWord(task.kind) })}</p>;
}
