import '../tasks/task-editor.css';
import { useState } from 'react';
import {
  QUIZ_PACK_ABOUT_MAX,
  QUIZ_PACK_QUESTIONS_MAX,
  QUIZ_PACK_TITLE_MAX,
} from '../../../../server/contract/limits.ts';
import type { NewQuizPack, OwnQuizPack, QuizQuestion } from '../../../../server/contract/quiz.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { Form, shortProblem, useForm } from '../../../shared/commands/form.tsx';
import type { FormatProblem } from '../../../shared/quiz/formats/shape.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { emptyPack, problemsOf, questionOf, tidy, withImported } from './quiz-pack-draft.ts';
import { ExportPack, ImportQuestions, problemWord } from './quiz-pack-files.tsx';
import { KIND_WORDS, QuestionEditor } from './quiz-question-editor.tsx';

const draftOf = ({ title, about, language, questions }: NewQuizPack): NewQuizPack => ({
  title,
  about,
  language,
  questions,
});

/** Edits a pack of the community: new or existing. The draft is stored on the device. */
export function QuizPackEditor(props: { communityId: string; pack: OwnQuizPack | null; onDone: () => void }) {
  const { communityId, pack } = props;
  const form = useForm({
    draft: `quiz-pack:${pack?.id ?? communityId}`,
    initial: () => (pack ? draftOf(pack) : emptyPack()),
    problems: (draft) => {
      const count = problemsOf(draft).size;
      const isWrong = count > 0 || draft.questions.length === 0 || draft.questions.length > QUIZ_PACK_QUESTIONS_MAX;
      return {
        title: shortProblem(draft.title, 3),
        questions: isWrong ? m.quiz_pack_wrong({ count, n: number(count) }) : null,
      };
    },
    body: (draft) => tidy(draftOf(draft)),
    send: (body, idempotencyKey) =>
      pack === null
        ? call('POST /api/communities/:communityId/quiz-packs', { params: { communityId }, body, idempotencyKey })
        : call('PUT /api/communities/:communityId/quiz-packs/:packId', {
            params: { communityId, packId: pack.id },
            body,
            idempotencyKey,
          }),
    done: ({ title }) => {
      toast({ icon: 'check', title: m.quiz_pack_kept({ pack: title }) });
      props.onDone();
    },
  });
  const { values: draft, change, tried } = form;
  const [opened, setOpened] = useState<string | null>(pack ? null : (draft.questions[0]?.id ?? null));
  const problems = problemsOf(draft);
  const isTitled = seenLength(draft.title) >= 3;
  const isFull = draft.questions.length >= QUIZ_PACK_QUESTIONS_MAX;
  const isOver = draft.questions.length > QUIZ_PACK_QUESTIONS_MAX;
  return (
    <Form
      form={form}
      act={m.quiz_pack_save()}
      onLeave={() => {
        if (pack !== null) form.drop();
        props.onDone();
      }}
      note={m.leader_kept_here()}
    >
      <Field label={m.quiz_pack_title()} maxLength={QUIZ_PACK_TITLE_MAX} {...form.field('title')} />
      <TextArea label={m.quiz_pack_about()} rows={2} maxLength={QUIZ_PACK_ABOUT_MAX} {...form.field('about')} />
      {draft.questions.map((question, at) => (
        <OneQuestion
          key={question.id}
          question={question}
          at={at}
          problem={tried ? problems.get(question.id) : undefined}
          isOpen={opened === question.id}
          onOpen={() => setOpened(question.id)}
          onQuestion={(next) =>
            change({ questions: draft.questions.map((one) => (one.id === question.id ? next : one)) })
          }
          onDrop={
            draft.questions.length > 1
              ? () => change({ questions: draft.questions.filter(({ id }) => id !== question.id) })
              : null
          }
        />
      ))}
      {isFull ? (
        <p className={isOver ? 'quote' : 'text-small text-muted'} role={isOver ? 'alert' : undefined}>
          {m.quiz_pack_full({ n: number(QUIZ_PACK_QUESTIONS_MAX) })}
        </p>
      ) : (
        <Button
          kind="edge"
          icon="plus"
          onClick={() => {
            const next = questionOf('single');
            setOpened(next.id);
            change({ questions: [...draft.questions, next] });
          }}
        >
          {m.leader_quiz_add()}
        </Button>
      )}
      <details className="disclosure more-fields">
        <summary>{m.quiz_import()}</summary>
        <ImportQuestions
          onImport={(questions, words) => {
            const next = withImported(draft, questions);
            change({ ...next, ...(draft.title === '' && words.title && { title: words.title }) });
          }}
        />
      </details>
      <details className="disclosure more-fields">
        <summary>{m.quiz_export()}</summary>
        <p className="text-small text-muted">{m.quiz_export_line()}</p>
        <ExportPack pack={draftOf(draft)} />
      </details>
      {tried && (problems.size > 0 || !isTitled) && (
        <p className="quote" role="alert">
          {m.quiz_pack_wrong({ count: problems.size, n: number(problems.size) })}
        </p>
      )}
    </Form>
  );
}

function OneQuestion(props: {
  question: QuizQuestion;
  at: number;
  /** Undefined without a problem, or while it is not shown yet. */
  problem: FormatProblem | undefined;
  isOpen: boolean;
  onOpen: () => void;
  onQuestion: (question: QuizQuestion) => void;
  /** Null for the only one. */
  onDrop: (() => void) | null;
}) {
  const { question, problem, onDrop } = props;
  return (
    <details
      className="disclosure more-fields"
      open={props.isOpen}
      onToggle={({ currentTarget }) => currentTarget.open && props.onOpen()}
    >
      <summary>
        {m.quiz_numbered({ n: number(props.at + 1), question: question.text || m.quiz_edit_untitled() })}{' '}
        <span className="text-small text-muted">{KIND_WORDS[question.kind]()}</span>
      </summary>
      {problem && (
        <p className="quote" role="alert">
          {problemWord(problem)}
        </p>
      )}
      <QuestionEditor question={question} onQuestion={props.onQuestion} />
      {onDrop && (
        <div className="actions">
          <Button kind="words" icon="discard" onClick={onDrop}>
            {m.leader_quiz_drop()}
          </Button>
        </div>
      )}
    </details>
  );
}
