import './poll-stands.css';
import { useQuery } from '@tanstack/react-query';
import { number } from '../../lib/format.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Hatch } from '../../ui/icon.tsx';
import type { AskOf } from '../kind.ts';

export function PollStands(props: { communityId: string; taskId: string; ask: AskOf<'poll'> }) {
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
