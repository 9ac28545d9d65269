import './review-list.css';
import type { ReactNode } from 'react';
import type { ReviewItem } from '../../../../server/contract/review.ts';
import { kindWord } from '../../../kinds/kinds.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { ageWord } from '../parts/age.ts';
import { isAppeal, waitingSince } from './review-queue.ts';
import { type SimilarAnswers, similarWords } from './similar-answers.tsx';

type Props = {
  items: readonly ReviewItem[];
  waiting: number;
  current: string | null;
  marked: ReadonlySet<string>;
  alike: SimilarAnswers;
  onMark: (claimId: string) => void;
  onMarkAll: () => void;
  onChoose: (claimId: string) => void;
  /** Loads more; null when complete. */
  onMore: (() => void) | null;
};

/** Waiting claims, oldest first. Several answers can be selected for a joint decision, but no appeals. */
export function ReviewList(props: Props) {
  const appeals = props.items.filter(isAppeal);
  const answers = props.items.filter((item) => !isAppeal(item));
  return (
    <>
      <div className="review-queue">
        {appeals.length > 0 && (
          <Group title={m.leader_filter_appeals()} count={appeals.length}>
            {appeals.map((item) => (
              <li key={item.claim.id} className="review-row">
                <span />
                <Row item={item} list={props} />
              </li>
            ))}
          </Group>
        )}
        {answers.length > 0 && (
          <Group title={m.leader_answers()} count={answers.length}>
            {answers.map((item) => (
              <li key={item.claim.id} className="review-row">
                <label className="tick-box">
                  <input
                    type="checkbox"
                    checked={props.marked.has(item.claim.id)}
                    onChange={() => props.onMark(item.claim.id)}
                    aria-label={m.leader_mark({ who: item.member.displayName, task: item.task.title })}
                  />
                </label>
                <Row item={item} list={props} />
              </li>
            ))}
          </Group>
        )}
        {props.onMore && (
          <Button kind="words" icon="down" onClick={props.onMore}>
            {m.leader_more()}
          </Button>
        )}
      </div>
      <div className="flex-row review-queue__foot">
        <p className="text-tiny text-muted flex-grow">
          {m.leader_oldest_first({ count: props.waiting, n: number(props.waiting) })}
        </p>
        {answers.length > 1 && (
          <Button kind="words" aria-keyshortcuts="Shift+X" onClick={props.onMarkAll}>
            {answers.every(({ claim }) => props.marked.has(claim.id)) ? m.leader_mark_none() : m.leader_mark_all()}
          </Button>
        )}
      </div>
    </>
  );
}

function Group(props: { title: string; count: number; children: ReactNode }) {
  return (
    <>
      <h2 className="review-group">
        {props.title} <span className="text-muted numeric">{number(props.count)}</span>
      </h2>
      <ul>{props.children}</ul>
    </>
  );
}

function Row({ item, list }: { item: ReviewItem; list: Props }) {
  const { claim, task, member } = item;
  const others = (list.alike.get(claim.id)?.length ?? 1) - 1;
  return (
    <button
      type="button"
      className="review-item"
      {...(claim.id === list.current && { 'aria-current': 'true' as const })}
      onClick={() => list.onChoose(claim.id)}
    >
      <b>{member.displayName}</b>
      <span className="text-tiny text-muted">{ageWord(waitingSince(item))}</span>
      <span className="text-tiny text-muted review-item__task">
        {task.title} · {kindWord(task.kind)}
      </span>
      {others > 0 && <span className="text-tiny text-muted review-item__task">{similarWords(others)}</span>}
    </button>
  );
}
