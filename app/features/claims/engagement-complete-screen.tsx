import { useQuery } from '@tanstack/react-query';
import type { NewClaim } from '../../../server/contract/claims.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { useOutbox } from '../../lib/device.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Points, Quote } from '../../ui/card.tsx';
import { day } from '../../ui/format.ts';
import { Mark, type MarkState } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Reading } from '../../ui/states.tsx';
import { useDeliveries } from '../engagement/deliveries.ts';
import { wordsOf } from '../engagement/evidence.ts';
import { nextTask, type TaskState, viewTask, viewToday } from '../engagement/task-view.ts';
import { knowingTask } from '../engagement/told.ts';
import { useDeviceWord } from '../engagement/use-device-word.ts';
import { useSearch } from '../engagement/use-search.ts';
import { reviewerWords, whenWord } from '../engagement/words.ts';
import '../engagement/engagement.css';

/** The receipt of one act, at `?community=<id or slug>&task=<id>`. */
export function EngagementCompleteScreen() {
  useDeliveries();
  const [{ community = '', task = '' }] = useSearch();
  if (community === '' || task === '')
    return (
      <Screen title={m.member_receipt()}>
        <Empty
          title={m.member_receipt_none()}
          line={m.member_receipt_none_line()}
          action={<ButtonLink to="/communities">{m.member_my_communities()}</ButtonLink>}
        />
      </Screen>
    );
  return <Receipt community={community} taskId={task} />;
}

function Receipt({ community, taskId }: { community: string; taskId: string }) {
  const reading = read('GET /api/communities/:communityId/tasks/:taskId', { communityId: community, taskId });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  return (
    <Screen title={m.member_receipt()} asOf={asOf} onRetry={() => query.refetch()}>
      <Reading
        query={query}
        missing={
          <Empty
            title={m.member_task_missing()}
            line={m.member_task_missing_line()}
            action={<ButtonLink to={`/community/${community}/dashboard`}>{m.member_back_to_today()}</ButtonLink>}
          />
        }
      >
        {(task) => <Told community={community} task={knowingTask(task, asOf)} />}
      </Reading>
    </Screen>
  );
}

const MARKS: Record<TaskState, MarkState> = {
  unsent: 'refused',
  rejected: 'refused',
  open: 'slot',
  queued: 'pencil',
  sending: 'sending',
  received: 'received',
  counted: 'ink',
  reversed: 'reversed',
};

function Told({ community, task }: { community: string; task: TaskWithClaim }) {
  const outbox = useOutbox();
  const dashboard = useQuery(read('GET /api/communities/:communityId/dashboard', { communityId: community })).data;
  // The address may carry the slug; acts are filed under the id, which the dashboard knows.
  const view = viewTask(dashboard?.community.id ?? community, task, outbox);
  const next = dashboard ? nextTask(viewToday(dashboard, outbox), task.id) : null;
  const { state, claim, entry } = view;
  const pencil = state === 'queued' || state === 'sending';
  const text = entry ? writtenIn(entry.body) : wordsOf(claim?.evidence);
  return (
    <div className="receipt">
      <Card className={pencil ? 'is-pencil' : ''}>
        <div className="row receipt-head">
          <Mark state={MARKS[state]} />
          <h2 className="grow">{task.title}</h2>
          <b className="receipt-points">
            <Points value={claim && !entry ? claim.points : task.points} pencil={pencil} />
          </b>
        </div>
        <Outcome view={view} reviewers={dashboard?.reviewers ?? []} />
        {text && (
          <section className="receipt-sent">
            <h3>{m.member_receipt_sent()}</h3>
            <p className="prose">{m.member_in_quotes({ words: text })}</p>
          </section>
        )}
      </Card>
      <div className="acts">
        {next ? (
          <ButtonLink to={`/community/${community}/dashboard`} icon="forward">
            {m.member_receipt_next({ task: next.title })}
          </ButtonLink>
        ) : (
          <ButtonLink to={`/community/${community}/dashboard`}>{m.member_back_to_today()}</ButtonLink>
        )}
        <ButtonLink kind="words" to={`/leaderboard?community=${dashboard?.community.slug ?? community}`}>
          {m.member_see_board()}
        </ButtonLink>
      </div>
    </div>
  );
}

/** What waits to be sent is a `NewClaim`: nothing else is filed under a claim's subject. */
const writtenIn = (body: unknown): string | null => wordsOf((body as NewClaim | undefined)?.evidence);

/** What has become of it, in a sentence; the words of whoever said no. */
function Outcome({ view, reviewers }: { view: ReturnType<typeof viewTask>; reviewers: string[] }) {
  const device = useDeviceWord();
  const { state, claim, entry } = view;
  if (entry && state === 'unsent') return <Quote lead={m.member_not_sent()}>{entry.error?.message}</Quote>;
  if (entry && state === 'sending') return <p className="mut">{m.member_meta_sending()}</p>;
  if (entry) {
    const time = whenWord(entry.createdAt);
    return (
      <p className="mut">
        {device === 'phone' ? m.member_meta_saved_phone({ time }) : m.member_meta_saved_computer({ time })}
      </p>
    );
  }
  if (!claim) return <p className="mut">{m.member_receipt_open()}</p>;
  const decided = claim.decidedAt ?? claim.submittedAt;
  if (state === 'received')
    return (
      <p className="mut">
        {m.member_meta_received({ time: whenWord(claim.submittedAt), next: reviewerWords(reviewers) })}
      </p>
    );
  if (state === 'counted')
    return (
      <p className="mut">
        {claim.decidedBy
          ? m.member_receipt_counted_by({ time: whenWord(decided), who: claim.decidedBy })
          : m.member_meta_counted({ time: whenWord(decided) })}
      </p>
    );
  const by = claim.decidedBy ? m.member_by_at({ who: claim.decidedBy, when: whenWord(decided) }) : undefined;
  if (state === 'reversed')
    return (
      <Quote lead={m.member_meta_reversed({ date: day(decided) })} by={by}>
        {claim.reason && m.member_in_quotes({ words: claim.reason })}
      </Quote>
    );
  return (
    <Quote lead={m.member_not_counted()} by={by}>
      {claim.reason && m.member_in_quotes({ words: claim.reason })}
    </Quote>
  );
}
