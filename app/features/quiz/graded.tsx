import type { Target } from '../../lib/target.ts';
import './quiz-rows.css';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { GradedPack, QuizAttempt } from '../../../server/contract/quiz.ts';
import { number } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { CommandButton, Refused } from '../../shared/commands/command-parts.tsx';
import { useCommand } from '../../shared/commands/use-command.ts';
import { type Quiz, useHeld, useQuiz } from '../../shared/quiz/use-attempts.ts';
import { whenWord } from '../../shared/tasks/words.ts';
import { Anchor } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/card.tsx';
import { Mark, type MarkState } from '../../ui/icon.tsx';
import { Reading } from '../../ui/states.tsx';
import { HeldLine } from './attempt-screen.tsx';

/** Open attempts: unanswered, or waiting for grading. */
export function Waiting() {
  const open = useQuiz().data?.attempts.filter(({ result }) => result === null) ?? [];
  if (open.length === 0) return null;
  return (
    <>
      <SectionHead title={m.quiz_waiting()} />
      <ul className="stack">
        {open.map((attempt) => (
          <li key={attempt.id}>
            <Open attempt={attempt} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** A task's attempt is submitted on its community's page; one without a community only has its own. */
const pageOf = ({ id, taskId, communityId }: QuizAttempt): Target =>
  taskId === null || communityId === null
    ? { to: '/web3-quiz', search: { attempt: id } }
    : { to: '/community/$communityId/dashboard', params: { communityId } };

function Open({ attempt }: { attempt: QuizAttempt }) {
  const held = useHeld(attempt.id);
  const isHeld = held !== null && held.state !== 'refused';
  return (
    <Anchor {...pageOf(attempt)} className={isHeld ? 'task-card pencil-card' : 'task-card'}>
      <Mark state={isHeld ? 'pencil' : 'slot'} />
      <div>
        <h3>{attempt.title}</h3>
        <p className="task-card__meta">
          {isHeld ? (
            <HeldLine attempt={attempt} held={held} />
          ) : (
            m.quiz_taken_out({ count: attempt.count, n: number(attempt.count), time: whenWord(attempt.drawnAt) })
          )}
        </p>
      </div>
    </Anchor>
  );
}

/** Graded packs, and results of earlier attempts. */
export function Graded() {
  const quiz = useQuiz();
  return (
    <>
      <SectionHead title={m.quiz_graded()} />
      <p className="text-small text-muted quiz-lead">{m.quiz_graded_line()}</p>
      <Reading query={quiz}>
        {(found) => (
          <>
            <ul className="quiz-rows">
              {found.packs.map((pack) => (
                <li key={pack.ref}>
                  <PackRow pack={pack} quiz={found} />
                </li>
              ))}
            </ul>
            <Results attempts={found.attempts} />
          </>
        )}
      </Reading>
    </>
  );
}

function PackRow({ pack, quiz }: { pack: GradedPack; quiz: Quiz }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const open = quiz.attempts.find((one) => one.pack === pack.ref && one.taskId === null && one.result === null);
  const take = useCommand(
    (_: null, idempotencyKey) => call('POST /api/quiz/attempts', { body: { pack: pack.ref }, idempotencyKey }),
    async (attempt) => {
      const { queryKey } = read('GET /api/quiz');
      client.setQueryData<Quiz>(
        queryKey,
        (before) =>
          before && { ...before, attempts: [attempt, ...before.attempts.filter(({ id }) => id !== attempt.id)] },
      );
      await navigate({ to: '/web3-quiz', search: { attempt: attempt.id } });
    },
  );
  const held = useHeld(open?.id ?? '');
  const retry = pack.retryAt !== null && Date.parse(pack.retryAt) > Date.now() ? pack.retryAt : null;
  return (
    <div className="quiz-row">
      <Mark state={pack.passed ? 'ink' : 'slot'} />
      <span>
        <span className="quiz-row__title">{pack.title}</span>
        <span className="quiz-row__meta">
          {pack.passed ? `${m.quiz_passed()} · ` : ''}
          {m.quiz_needs({ needed: number(pack.needed), all: number(pack.count) })}
        </span>
        <Refused error={take.error} />
      </span>
      {open && held !== null && held.state !== 'refused' ? (
        <span className="text-small text-muted">{m.quiz_held_short()}</span>
      ) : open ? (
        <Anchor className="button button--edge" to="/web3-quiz" search={{ attempt: open.id }}>
          {m.quiz_open()}
        </Anchor>
      ) : retry !== null ? (
        <span className="text-small text-muted">{m.member_from({ when: whenWord(retry) })}</span>
      ) : (
        <CommandButton kind="edge" command={take} body={null} label={m.quiz_take_out_pack({ pack: pack.title })}>
          {m.quiz_take_out()}
        </CommandButton>
      )}
    </div>
  );
}

const MARKS = { passed: 'ink', failed: 'refused', hasty: 'refused' } as const satisfies Record<string, MarkState>;

function Results({ attempts }: { attempts: readonly QuizAttempt[] }) {
  const graded = attempts.flatMap((attempt) => (attempt.result ? [{ attempt, result: attempt.result }] : []));
  if (graded.length === 0) return null;
  return (
    <>
      <SectionHead title={m.quiz_results()} />
      <ul className="quiz-rows">
        {graded.map(({ attempt, result }) => (
          <li key={attempt.id}>
            <Anchor className="quiz-row" to="/web3-quiz" search={{ attempt: attempt.id }}>
              <Mark state={MARKS[result.outcome]} />
              <span>
                <span className="quiz-row__title">{attempt.title}</span>
                <span className="quiz-row__meta">
                  {[
                    result.score === null
                      ? m.quiz_not_passed()
                      : m.quiz_score({ n: number(result.score), all: number(attempt.count) }),
                    whenWord(result.gradedAt),
                  ].join(' · ')}
                </span>
              </span>
              <span />
            </Anchor>
          </li>
        ))}
      </ul>
    </>
  );
}
