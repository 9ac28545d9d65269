import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { QUIZ_ATTEMPT_QUESTIONS, QUIZ_QUESTIONS_MAX } from '../../../server/contract/limits.ts';
import type { QuizDraw } from '../../../server/contract/quiz.ts';
import { number } from '../../lib/format.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Select } from '../../ui/field.tsx';
import { WholeField } from '../../ui/whole-field.tsx';
import { newQuestion } from '../choices.ts';
import type { FieldsProps } from '../kind.ts';

const HERE = 'here';

/** The source of a quiz's questions: written for it, or drawn from a pack at each attempt. */
export function PackFields({ communityId, setup, onSetup }: Omit<FieldsProps<'quiz'>, 'found'>) {
  const packs = useQuery(read('GET /api/communities/:communityId/quiz-packs', { communityId })).data?.items ?? [];
  // Returning from the packs restores the written questions.
  const written = useRef(setup.questions);
  if (setup.questions.length > 0) written.current = setup.questions;
  const { pack } = setup;
  const listed = packs.find(({ ref }) => ref === pack?.ref);
  const choose = (value: string) => {
    if (value === HERE) {
      const { pack: _, ...rest } = setup;
      return onSetup({ ...rest, questions: written.current.length > 0 ? written.current : [newQuestion()] });
    }
    const chosen = packs.find(({ ref }) => ref === value);
    if (!chosen) return;
    const next: QuizDraw = {
      ref: chosen.ref,
      title: chosen.title,
      count: Math.min(chosen.questions, pack?.count ?? QUIZ_ATTEMPT_QUESTIONS),
    };
    onSetup({ ...setup, questions: [], pack: next });
  };
  const options = [
    { value: HERE, label: m.quiz_setup_here() },
    // The chosen pack is listed before the list has loaded.
    ...(pack && !listed ? [{ value: pack.ref, label: pack.title ?? pack.ref }] : []),
    ...packs.map(({ ref, title, questions }) => ({
      value: ref,
      label: m.quiz_setup_pack({ pack: title, n: number(questions) }),
    })),
  ];
  return (
    <>
      <Select
        label={m.quiz_setup_from()}
        hint={pack ? m.quiz_setup_pack_hint() : m.quiz_setup_here_hint()}
        options={options}
        value={pack?.ref ?? HERE}
        onValue={choose}
      />
      {pack && (
        <WholeField
          label={m.quiz_setup_count()}
          min={1}
          max={Math.min(QUIZ_QUESTIONS_MAX, listed?.questions ?? QUIZ_QUESTIONS_MAX)}
          value={pack.count}
          onValue={(count) => onSetup({ ...setup, pack: { ...pack, count } })}
        />
      )}
    </>
  );
}
