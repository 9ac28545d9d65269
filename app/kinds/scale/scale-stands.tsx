import type { AskOf } from '../kind.ts';
import './scale.css';
import { useQuery } from '@tanstack/react-query';
import { number } from '../../lib/format.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';

/** Opinions for members who gave theirs and for leaders: a bar for each number, and the average. */
export function ScaleStands(props: { communityId: string; taskId: string; ask: AskOf<'scale'> }) {
  const { communityId, taskId, ask } = props;
  const result = useQuery(read('GET /api/communities/:communityId/tasks/:taskId/poll', { communityId, taskId })).data;
  if (!result?.counts) return null;
  const { counts, votes } = result;
  const most = Math.max(1, ...counts.map((one) => one.votes));
  const sum = counts.reduce((total, one) => total + Number(one.optionId) * one.votes, 0);
  const average = votes === 0 ? null : Math.round((sum / votes) * 10) / 10;
  return (
    <section className="receipt__sent">
      <h3>{m.kinds_scale_stands({ count: votes, n: number(votes) })}</h3>
      {average !== null && <p>{m.kinds_scale_average({ average: number(average) })}</p>}
      <ul className="scale-stands">
        {counts.map(({ optionId, votes: said }) => (
          <li
            key={optionId}
            aria-label={m.kinds_scale_said({ count: said, value: number(Number(optionId)), n: number(said) })}
          >
            <span className="text-tiny" aria-hidden="true">
              {said > 0 ? number(said) : ''}
            </span>
            <span className="scale-stands__bar" aria-hidden="true" style={{ blockSize: `${(said / most) * 100}%` }} />
            <span className="text-tiny text-muted" aria-hidden="true">
              {number(Number(optionId))}
            </span>
          </li>
        ))}
      </ul>
      <p className="scale__ends text-small text-muted">
        <span>{ask.low}</span>
        <span>{ask.high}</span>
      </p>
    </section>
  );
}
