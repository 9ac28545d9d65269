import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Evidence } from '../../../server/contract/claims.ts';
import type { TaskAsk } from '../../../server/contract/tasks.ts';
import { useOutbox } from '../../lib/device.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { number } from '../../ui/format.ts';
import { Hatch } from '../../ui/icon.tsx';
import { wordsOf } from '../engagement/evidence.ts';
import { imageSubject } from '../engagement/subjects.ts';
import { whenWord } from '../engagement/words.ts';

/** What a member sent, as it was sent. */
export function Sent({ communityId, ask, evidence }: { communityId: string; ask: TaskAsk; evidence: Evidence }) {
  const words = wordsOf(evidence);
  return (
    <section className="receipt-sent">
      <h3>{m.member_receipt_sent()}</h3>
      {evidence.kind === 'submit_image' && <Picture communityId={communityId} imageId={evidence.imageId} />}
      {evidence.kind === 'visit_link' && <p>{m.member_sent_link({ when: whenWord(evidence.openedAt) })}</p>}
      {evidence.kind === 'telegram_event' && <p>{m.member_sent_code()}</p>}
      {evidence.kind === 'quiz' && ask.kind === 'quiz' && <Answers ask={ask} answers={evidence.answers} />}
      {evidence.kind === 'poll' && ask.kind === 'poll' && (
        <p className="prose">{textsOf(ask.choices, evidence.optionIds).join('\n')}</p>
      )}
      {words !== null && <p className="prose">{m.member_in_quotes({ words })}</p>}
    </section>
  );
}

const textsOf = (options: readonly { id: string; text: string }[], ids: readonly string[]): string[] =>
  options.filter(({ id }) => ids.includes(id)).map(({ text }) => text);

function Answers(props: {
  ask: Extract<TaskAsk, { kind: 'quiz' }>;
  answers: readonly { questionId: string; optionIds: string[] }[];
}) {
  return (
    <ul className="list">
      {props.ask.questions.map(({ id, text, options }) => (
        <li key={id} className="answered">
          <span className="sm mut">{text}</span>
          <span>
            {textsOf(options, props.answers.find(({ questionId }) => questionId === id)?.optionIds ?? []).join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A picture of mine: the device's own while it has not arrived, else the server's. */
function Picture({ communityId, imageId }: { communityId: string; imageId: string }) {
  const entry = useOutbox().findLast(({ subject }) => subject === imageSubject(imageId));
  const bytes = entry?.body instanceof Blob ? entry.body : null;
  const [gone, setGone] = useState(false);
  if (bytes !== null) return <Drawn picture={bytes} />;
  if (gone) return <p className="sm mut">{m.member_picture_away()}</p>;
  return (
    <img
      className="picture"
      src={`/api/communities/${communityId}/images/${imageId}`}
      alt={m.member_picture_yours()}
      onError={() => setGone(true)}
    />
  );
}

/** Drawn rather than linked: an address of the page's own making is not among what the policy lets pictures come from. */
function Drawn({ picture }: { picture: Blob }) {
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  useEffect(() => {
    if (!canvas) return;
    void createImageBitmap(picture).then((bitmap) => {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      bitmap.close();
    });
  }, [canvas, picture]);
  return <canvas ref={setCanvas} className="picture" role="img" aria-label={m.member_picture_yours()} />;
}

/** How a poll stands, for who has voted. */
export function PollStands(props: { communityId: string; taskId: string; ask: Extract<TaskAsk, { kind: 'poll' }> }) {
  const { communityId, taskId, ask } = props;
  const poll = useQuery(read('GET /api/communities/:communityId/tasks/:taskId/poll', { communityId, taskId })).data;
  if (!poll?.counts) return null;
  const votesFor = (id: string) => poll.counts?.find(({ optionId }) => optionId === id)?.votes ?? 0;
  return (
    <section className="receipt-sent">
      <h3>{m.member_poll_stands({ count: poll.votes, n: number(poll.votes) })}</h3>
      <ul className="stack poll">
        {ask.choices.map(({ id, text }) => {
          const votes = votesFor(id);
          const label = m.member_poll_votes({ count: votes, n: number(votes) });
          return (
            <li key={id}>
              <span className="row">
                <span className="grow">{text}</span>
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
