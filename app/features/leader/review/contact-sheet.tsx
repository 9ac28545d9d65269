import './contact-sheet.css';
import { useQueries } from '@tanstack/react-query';
import type { ReviewItem } from '../../../../server/contract/review.ts';
import { number, signed } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { likenessOf, NEARLY_THE_SAME } from '../../../shared/answers/likeness.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ageWord } from '../parts/age.ts';
import { AnswerShown } from './answer-shown.tsx';
import { similarTo } from './review-beside.tsx';
import { waitingSince } from './review-queue.ts';
import { type SimilarAnswers, textOf } from './similar-answers.tsx';

type Doubt = { who: string; likeness: number };

/**
 * Answers that are decided together, side by side, so the reviewer has seen each. Shows the selected ones and the
 * current one; the later of two similar ones is marked.
 */
export function ContactSheet(props: {
  communityId: string;
  items: readonly ReviewItem[];
  marked: ReadonlySet<string>;
  current: string | null;
  alike: SimilarAnswers;
  onMark: (claimId: string) => void;
  onLeaveOut: (claimIds: readonly string[]) => void;
}) {
  const { communityId, items, marked, current } = props;
  const selected = items.filter(({ claim }) => marked.has(claim.id));
  const doubts = useDoubts(communityId, selected, props.alike);
  const [first] = items;
  const isOneTask = items.every(({ task }) => task.id === first?.task.id);
  const count = selected.length;
  return (
    <Card>
      <section aria-label={m.leader_contact()}>
        <div className="flex-row flex-wrap contact-head">
          <h2 className="flex-grow">{m.leader_selected({ n: number(count) })}</h2>
          {first && isOneTask && (
            <p className="text-small text-muted">
              {m.leader_contact_task({ task: first.task.title, points: signed(first.claim.points) })}
            </p>
          )}
        </div>
        <ul className="contact-sheet">
          {items.map((item) => {
            const { claim, task, member } = item;
            const doubt = doubts.get(claim.id);
            const isCurrent = claim.id === current;
            return (
              <li
                key={claim.id}
                className={`contact ${marked.has(claim.id) ? 'contact--selected' : ''} ${doubt ? 'contact--doubtful' : ''}`}
                {...(isCurrent && { 'aria-current': 'true' as const })}
              >
                <div className="contact__answer">
                  <div className="contact__words" tabIndex={claim.evidence?.kind === 'submit_image' ? -1 : 0}>
                    <AnswerShown item={item} communityId={communityId} isOpen={isCurrent} />
                  </div>
                  <label className="tick-box contact__tick">
                    <input
                      type="checkbox"
                      checked={marked.has(claim.id)}
                      onChange={() => props.onMark(claim.id)}
                      aria-label={m.leader_mark({ who: member.displayName, task: task.title })}
                    />
                  </label>
                </div>
                <b>{member.displayName}</b>
                <p className="text-tiny text-muted">
                  {isOneTask ? ageWord(waitingSince(item)) : `${task.title} · ${ageWord(waitingSince(item))}`}
                </p>
                {doubt && (
                  <p className="text-tiny contact__doubt">
                    {m.leader_contact_alike({
                      who: doubt.who,
                      percent: number(Math.round(doubt.likeness * 100)),
                    })}
                  </p>
                )}
              </li>
            );
          })}
        </ul>
        {doubts.size > 0 && (
          <div className="contact-note">
            <p className="text-small">{m.leader_contact_doubtful({ count: doubts.size, n: number(doubts.size) })}</p>
            <Button kind="words" onClick={() => props.onLeaveOut([...doubts.keys()])}>
              {m.leader_contact_leave({ n: number(doubts.size) })}
            </Button>
          </div>
        )}
      </section>
    </Card>
  );
}

/** Selected answers that resemble an earlier one: texts compared here, pictures by the server. */
function useDoubts(communityId: string, selected: readonly ReviewItem[], alike: SimilarAnswers): Map<string, Doubt> {
  const pictures = selected.filter(({ claim }) => claim.evidence?.kind === 'submit_image');
  const similar = useQueries({ queries: pictures.map(({ claim }) => similarTo(communityId, claim.id)) });
  const doubts = new Map<string, Doubt>();
  selected.forEach((item, at) => {
    const { claim } = item;
    const before = new Map(selected.slice(0, at).map((one) => [one.claim.id, one.member.displayName]));
    // A group is linked through neighbours, so this pair may overlap less.
    const words = (alike.get(claim.id) ?? [])
      .map(({ item: other }) => ({
        id: other.claim.id,
        likeness: likenessOf(textOf(item) ?? '', textOf(other) ?? ''),
      }))
      .filter(({ likeness }) => likeness >= NEARLY_THE_SAME);
    const picture = similar[pictures.findIndex((one) => one.claim.id === claim.id)]?.data ?? [];
    const others = [...words, ...picture.map((one) => ({ id: one.claim.id, likeness: one.likeness }))];
    for (const { id, likeness } of others.sort((one, other) => other.likeness - one.likeness)) {
      const who = before.get(id);
      if (who !== undefined && !doubts.has(claim.id)) doubts.set(claim.id, { who, likeness });
    }
  });
  return doubts;
}
