import { m } from '../../paraglide/messages.js';
import type { FormProps } from '../../shared/answers/answer-form.tsx';
import { Anchor } from '../../ui/button.tsx';
import type { AskOf, EvidenceOf, MemberParts } from '../kind.ts';
import { Answers } from './answers.tsx';
import { PackQuizForm } from './pack-quiz-form.tsx';
import { QuizForm } from './quiz-form.tsx';

export const quizParts: MemberParts<'quiz'> = { Form, Sent };

function Form(props: FormProps & { ask: AskOf<'quiz'> }) {
  return props.ask.pack ? <PackQuizForm {...props} /> : <QuizForm {...props} />;
}

function Sent({ ask, evidence }: { ask: AskOf<'quiz'>; evidence: EvidenceOf<'quiz'> }) {
  return (
    <>
      {evidence.attemptId !== undefined && (
        <p>
          <Anchor className="text-link touch-target" to="/web3-quiz" search={{ attempt: evidence.attemptId }}>
            {m.quiz_pack_task_result()}
          </Anchor>
        </p>
      )}
      <Answers ask={ask} answers={evidence.answers} />
    </>
  );
}
