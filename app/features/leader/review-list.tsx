import './review-list.css';
import type { ReviewItem } from '../../../server/contract/review.ts';
import { m } from '../../paraglide/messages.js';
import { PersonAvatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { number } from '../../ui/format.ts';
import { whenWord } from '../engagement/words.ts';
import { type Alike, alikeWords } from './alike.tsx';

/** The claims that wait, oldest first: one may be opened, several marked for a decision together. */
export function ReviewList(props: {
  items: readonly ReviewItem[];
  waiting: number;
  current: string | null;
  marked: ReadonlySet<string>;
  alike: Alike;
  onMark: (claimId: string) => void;
  onMarkAll: () => void;
  onChoose: (claimId: string) => void;
}) {
  return (
    <>
      <ul className="review-queue">
        {props.items.map(({ claim, task, member }) => (
          <li key={claim.id} className="flex-row">
            {claim.appeal?.outcome === 'open' ? (
              // An appeal is decided for itself.
              <span className="tick-box" />
            ) : (
              <label className="tick-box">
                <input
                  type="checkbox"
                  checked={props.marked.has(claim.id)}
                  onChange={() => props.onMark(claim.id)}
                  aria-label={m.leader_mark({ who: member.displayName, task: task.title })}
                />
              </label>
            )}
            <button
              type="button"
              className="review-item"
              {...(claim.id === props.current && { 'aria-current': 'true' as const })}
              onClick={() => props.onChoose(claim.id)}
            >
              <PersonAvatar name={member.displayName} />
              <span className="flex-grow">
                <b>{member.displayName}</b>
                <span className="text-tiny text-muted review-item__task">
                  {claim.appeal?.outcome === 'open' ? m.leader_appeal_of({ task: task.title }) : task.title}
                </span>
                <AlikeNote others={(props.alike.get(claim.id)?.length ?? 1) - 1} />
              </span>
              <span className="text-tiny text-muted">{whenWord(claim.appeal?.at ?? claim.submittedAt)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className="flex-row review-queue__foot">
        <p className="text-tiny text-muted flex-grow">
          {m.leader_oldest_first({ count: props.waiting, n: number(props.waiting) })}
        </p>
        {props.items.length > 1 && (
          <Button kind="words" onClick={props.onMarkAll}>
            {props.marked.size > 0 ? m.leader_mark_none() : m.leader_mark_all()}
          </Button>
        )}
      </div>
    </>
  );
}

function AlikeNote({ others }: { others: number }) {
  return others > 0 ? <span className="text-tiny text-muted review-item__task">{alikeWords(others)}</span> : null;
}
