import './sent.css';
import { useQuery } from '@tanstack/react-query';
import type { Evidence } from '../../server/contract/claims.ts';
import type { TaskAsk } from '../../server/contract/tasks.ts';
import { number } from '../lib/format.ts';
import { read } from '../lib/query.ts';
import { m } from '../paraglide/messages.js';
import { SentPicture } from '../shared/answers/sent-picture.tsx';
import { wordsOf } from '../shared/tasks/evidence.ts';
import { whenWord } from '../shared/tasks/words.ts';
import { Anchor } from '../ui/button.tsx';
import { Hatch, Icon } from '../ui/icon.tsx';
import { SentFile } from './kind-answer.tsx';
import { answerLine } from './kinds.ts';

/** What a member sent, as it was sent. */
export function Sent({ communityId, ask, evidence }: { communityId: string; ask: TaskAsk; evidence: Evidence }) {
  const line = answerLine(ask, evidence);
  const words = line === null ? wordsOf(evidence) : null;
  return (
    <section className="receipt__sent">
      <h3>{m.member_receipt_sent()}</h3>
      {evidence.kind === 'submit_image' && <SentPicture communityId={communityId} imageId={evidence.imageId} />}
      {evidence.kind === 'file' && <SentFile communityId={communityId} evidence={evidence} />}
      {line !== null && <p className="written-text">{line}</p>}
      {evidence.kind === 'visit_link' && <p>{m.member_sent_link({ when: whenWord(evidence.openedAt) })}</p>}
      {'doneAt' in evidence && <p>{m.xtask_sent({ when: whenWord(evidence.doneAt) })}</p>}
      {evidence.kind === 'telegram_event' && <p>{m.member_sent_code()}</p>}
      {evidence.kind === 'quiz' && evidence.attemptId !== undefined && (
        <p>
          <Anchor className="text-link touch-target" to={`/web3-quiz?attempt=${evidence.attemptId}`}>
            {m.quiz_pack_task_result()}
          </Anchor>
        </p>
      )}
      {evidence.kind === 'quiz' && ask.kind === 'quiz' && <Answers ask={ask} answers={evidence.answers} />}
      {evidence.kind === 'poll' && ask.kind === 'poll' && (
        <p className="written-text">{textsOf(ask.choices, evidence.optionIds).join('\n')}</p>
      )}
      {words !== null && <p className="written-text">{m.member_in_quotes({ words })}</p>}
    </section>
  );
}

export const textsOf = (options: readonly { id: string; text: string }[], ids: readonly string[]): string[] =>
  options.filter(({ id }) => ids.includes(id)).map(({ text }) => text);

type Chosen = readonly { questionId: string; optionIds: string[] }[];
const chosenIn = (answers: Chosen, id: string): string[] =>
  answers.find(({ questionId }) => questionId === id)?.optionIds ?? [];
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

/** Each question of a quiz with its member's answer; for who reviews with the right one (`right`). */
export function Answers(props: { ask: Extract<TaskAsk, { kind: 'quiz' }>; answers: Chosen; right?: Chosen }) {
  const { ask, answers, right } = props;
  return (
    <ul className="ruled-list">
      {ask.questions.map(({ id, text, options }) => {
        const chosen = chosenIn(answers, id);
        const isRight = right && isSame(chosen, chosenIn(right, id));
        return (
          <li key={id} className="sent-answer">
            <span className="text-small text-muted">{text}</span>
            <span>
              {right && <Icon name={isRight ? 'check' : 'close'} size={16} />}{' '}
              {right && (
                <span className="visually-hidden">
                  {isRight ? m.member_answer_is_right() : m.member_answer_is_wrong()}
                </span>
              )}{' '}
              {textsOf(options, chosen).join(', ') || m.member_answer_none()}
            </span>
            {right && !isRight && (
              <span className="text-small">
                {m.member_answer_right({ answer: textsOf(options, chosenIn(right, id)).join(', ') })}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** How a poll stands, for who has voted and for its leaders. */
export function PollStands(props: { communityId: string; taskId: string; ask: Extract<TaskAsk, { kind: 'poll' }> }) {
  const { communityId, taskId, ask } = props;
  const poll = useQuery(read('GET /api/communities/:communityId/tasks/:taskId/poll', { communityId, taskId })).data;
  if (!poll?.counts) return null;
  const votesFor = (id: string) => poll.counts?.find(({ optionId }) => optionId === id)?.votes ?? 0;
  return (
    <section className="receipt__sent">
      <h3>{m.member_poll_stands({ count: poll.votes, n: number(poll.votes) })}</h3>
      <ul className="stack sent-poll">
        {ask.choices.map(({ id, text }) => {
          const votes = votesFor(id);
          const label = m.member_poll_votes({ count: votes, n: number(votes) });
          return (
            <li key={id}>
              <span className="flex-row">
                <span className="flex-grow">{text}</span>
                <b>{number(votes)}</b>
              </span>
              <Hatch done={poll.votes === 0 ? 0 : votes / poll.votes} label={label} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
