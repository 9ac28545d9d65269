import { useCallback, useMemo, useState } from 'react';
import type { ReviewItem } from '../../../../server/contract/review.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { AnswerGroup } from '../../../shared/answers/answer-group.tsx';
import { groupSimilar } from '../../../shared/answers/likeness.ts';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Sheet } from '../../../ui/sheet.tsx';

/** For each claim that resembles others for the same task: all of them, itself included, with their overlap. */
export type SimilarAnswers = ReadonlyMap<string, readonly { item: ReviewItem; likeness: number }[]>;

export const textOf = ({ claim }: ReviewItem): string | null =>
  claim.evidence?.kind === 'submit_text' ? claim.evidence.text : null;

/** Compares a queue's text answers, task by task. */
export function similarIn(items: readonly ReviewItem[]): SimilarAnswers {
  const byTask = new Map<string, ReviewItem[]>();
  for (const item of items)
    if (textOf(item) !== null) byTask.set(item.task.id, [...(byTask.get(item.task.id) ?? []), item]);
  const alike = new Map<string, { item: ReviewItem; likeness: number }[]>();
  for (const answers of byTask.values())
    for (const { members } of groupSimilar(answers.map((item) => textOf(item) ?? '')).groups) {
      const group = members.flatMap(({ at, likeness }) => {
        const item = answers[at];
        return item ? [{ item, likeness }] : [];
      });
      for (const { item } of group) alike.set(item.claim.id, group);
    }
  return alike;
}

export const useSimilar = (items: readonly ReviewItem[]): SimilarAnswers => useMemo(() => similarIn(items), [items]);

export const similarWords = (others: number): string => m.tools_alike({ count: others, n: number(others) });

/** Opens the waiting answers that resemble this one, to read side by side and decide together. */
export function SimilarButton(props: {
  alike: SimilarAnswers;
  claimId: string;
  onChoose: (claimId: string) => void;
  onMark: (claimIds: readonly string[]) => void;
}) {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const group = props.alike.get(props.claimId);
  if (!group) return null;
  return (
    <>
      <Button kind="edge" icon="copy" onClick={() => setOpen(true)}>
        {similarWords(group.length - 1)}
      </Button>
      <Sheet title={m.tools_alike_title()} open={open} onClose={close}>
        <p className="text-small text-muted">{m.tools_alike_line()}</p>
        <AnswerGroup
          members={group.map(({ item, likeness }) => ({
            key: item.claim.id,
            name: `${item.member.displayName} · ${whenWord(item.claim.submittedAt)}`,
            text: textOf(item) ?? '',
            likeness,
            action: item.claim.id !== props.claimId && (
              <Button
                kind="words"
                aria-label={m.tools_alike_review_named({ who: item.member.displayName })}
                onClick={() => {
                  close();
                  props.onChoose(item.claim.id);
                }}
              >
                {m.tools_alike_review()}
              </Button>
            ),
          }))}
        />
        <div className="actions">
          <Button
            kind="edge"
            onClick={() => {
              close();
              props.onMark(group.map(({ item }) => item.claim.id));
            }}
          >
            {m.tools_alike_mark({ count: group.length, n: number(group.length) })}
          </Button>
        </div>
      </Sheet>
    </>
  );
}
