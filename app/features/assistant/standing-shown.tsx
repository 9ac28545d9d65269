import { useCallback, useState } from 'react';
import type { OutboxEntry } from '../../lib/device.ts';
import { number } from '../../lib/format.ts';
import type { Target } from '../../lib/target.ts';
import { m } from '../../paraglide/messages.js';
import { type TaskView, viewTask } from '../../shared/tasks/task-view.ts';
import { whenWord } from '../../shared/tasks/words.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Mark } from '../../ui/icon.tsx';
import { ClaimCard } from '../claims/claim-card.tsx';
import { TaskSheet } from '../claims/task-sheet.tsx';
import type { CommunityFacts, Period, StandingAnswer, StandingData, Subject } from './standing.ts';
import { factNotes, factSentence, noneSentence } from './standing-words.ts';

/** A computed answer: a sentence for each community, with its task cards. */
export function StandingShown({ answer, data }: { answer: StandingAnswer; data: StandingData }) {
  const { subject, period, communities, entries } = answer;
  if (subject === 'unsent') return <Unsent ids={entries} answer={answer} outbox={data.outbox} />;
  if (communities.length === 0) return <p>{noneSentence(answer)}</p>;
  return communities.map((facts) => (
    <Facts key={facts.id} subject={subject} period={period} facts={facts} data={data} />
  ));
}

/** Where to see more. */
const MORE: Partial<Record<Subject, (slug: string) => { link: Target; words: string }>> = {
  level: () => ({ link: { to: '/profile' }, words: m.assistant_to_profile() }),
  points: () => ({ link: { to: '/profile' }, words: m.assistant_to_profile() }),
  rank: (slug) => ({ link: { to: '/leaderboard', search: { community: slug } }, words: m.shell_leaderboard() }),
  streak: (slug) => ({
    link: { to: '/community/$communityId/dashboard', params: { communityId: slug } },
    words: m.shell_today(),
  }),
  season: (slug) => ({
    link: { to: '/community/$communityId/dashboard', params: { communityId: slug } },
    words: m.shell_today(),
  }),
};

type Shown = { subject: Subject; period: Period | null; facts: CommunityFacts; data: StandingData };
function Facts({ subject, period, facts, data }: Shown) {
  const [writing, setWriting] = useState<TaskView | null>(null);
  const close = useCallback(() => setWriting(null), []);
  const dashboard = data.dashboards.find(({ community }) => community.id === facts.id);
  const views = (facts.tasks ?? []).flatMap((id) => {
    const task = dashboard?.tasks.find((one) => one.id === id);
    return task ? [viewTask(facts.id, task, data.outbox, data.now)] : [];
  });
  const more = MORE[period === null ? subject : 'rank']?.(facts.slug);
  return (
    <>
      <p>{factSentence(subject, facts, period)}</p>
      {(period === null ? factNotes(subject, facts) : []).map((note) => (
        <p key={note} className="text-small text-muted">
          {note}
        </p>
      ))}
      {dashboard && views.length > 0 && (
        <ul className="stack">
          {views.map((view) => (
            <li key={view.task.id}>
              <ClaimCard
                community={dashboard.community}
                view={view}
                reviewers={dashboard.reviewers}
                competes={dashboard.community.role !== 'leader'}
                onWrite={setWriting}
              />
            </li>
          ))}
        </ul>
      )}
      {more && (
        <div className="actions">
          <ButtonLink kind="edge" {...more.link}>
            {more.words}
          </ButtonLink>
        </div>
      )}
      <TaskSheet
        communityId={facts.id}
        view={writing}
        reviewers={dashboard?.reviewers ?? []}
        competes={dashboard?.community.role !== 'leader'}
        onClose={close}
      />
    </>
  );
}

function Unsent(props: { ids: readonly string[]; answer: StandingAnswer; outbox: readonly OutboxEntry[] }) {
  const { ids, answer, outbox } = props;
  if (ids.length === 0) return <p>{noneSentence(answer)}</p>;
  const waiting = outbox.filter(({ id }) => ids.includes(id));
  return (
    <>
      <p>{m.assistant_said_unsent({ count: ids.length, n: number(ids.length) })}</p>
      <Card className="card--rows pencil-card">
        <ul className="ruled-list">
          {waiting.map((entry) => (
            <li key={entry.id} className="mark-row">
              <Mark state={entry.state === 'refused' ? 'refused' : entry.state === 'sending' ? 'sending' : 'pencil'} />
              <b>{entry.label}</b>
              <span className="text-small text-muted">{whenWord(entry.createdAt)}</span>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}
