import './pick-task.css';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dashboard, MyCommunity } from '../../../server/contract/communities.ts';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { kindWord } from '../../kinds/kinds.ts';
import { useOutbox } from '../../lib/device.ts';
import { listing } from '../../lib/format.ts';
import { lastCommunity } from '../../lib/hints.ts';
import { isNetworkFailure } from '../../lib/http.ts';
import { asOfOf, read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { useAcknowledged } from '../../shared/commands/acknowledged.ts';
import { overlayDashboard } from '../../shared/commands/overlay.ts';
import { type TaskState, viewTask } from '../../shared/tasks/task-view.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { SectionHead, TaskCard } from '../../ui/card.tsx';
import { Empty, Reading, Skeleton } from '../../ui/states.tsx';

export type Choice = { community: CommunitySummary; task: TaskWithClaim };
type OnPick = (choice: Choice) => void;

/** How many communities are read at a time, the last opened first. */
const AT_A_TIME = 8;

/** The task kinds that accept what was shared. */
export type SharedKinds = ReadonlySet<TaskWithClaim['kind']>;

/** Open tasks of the member's communities that accept it; offline, from this device's copies. */
export function PickTask({ kinds, onPick }: { kinds: SharedKinds; onPick: OnPick }) {
  const mine = useQuery(read('GET /api/user/communities'));
  return (
    <Reading query={mine}>
      {(communities) => {
        // Leaders do not compete on their own leaderboard.
        const joined = communities.filter(({ role }) => role !== 'leader');
        return joined.length === 0 ? (
          <NoCommunities />
        ) : (
          <TasksOfCommunities communities={lastFirst(joined)} kinds={kinds} onPick={onPick} />
        );
      }}
    </Reading>
  );
}

function lastFirst(communities: MyCommunity[]): MyCommunity[] {
  const last = lastCommunity();
  const isLast = ({ id, slug }: MyCommunity) => Number(slug === last || id === last);
  return [...communities].sort((a, b) => isLast(b) - isLast(a));
}

function TasksOfCommunities(props: { communities: MyCommunity[]; kinds: SharedKinds; onPick: OnPick }) {
  const { communities, kinds, onPick } = props;
  const [shown, setShown] = useState(AT_A_TIME);
  const near = communities.slice(0, shown);
  const readings = near.map(({ slug }) => read('GET /api/communities/:communityId/dashboard', { communityId: slug }));
  const answers = useQueries({ queries: readings.map((reading) => ({ ...reading, retry: false })) });
  const outbox = useOutbox();
  const overlay = useAcknowledged();
  const open = answers.flatMap(({ data }, at) => {
    const asOf = asOfOf(readings[at]?.queryKey ?? []);
    const tasks = data ? openTasks(overlayDashboard(data, overlay, asOf), outbox, kinds) : [];
    return data && tasks.length > 0 ? [{ community: data.community, tasks }] : [];
  });
  /** Names of communities with neither an answer nor a copy. */
  const without = (is: (error: Error) => boolean) =>
    near.flatMap(({ name }, at) => {
      const answer = answers[at];
      return answer?.data === undefined && answer?.error && is(answer.error) ? [name] : [];
    });
  const away = without(isNetworkFailure);
  const broken = without((error) => !isNetworkFailure(error));
  const isPending = answers.some((answer) => answer.isPending);
  const more = communities.length > shown;
  return (
    <div className="share-tasks">
      {open.map(({ community, tasks }) => (
        <section key={community.id} aria-label={community.name}>
          <SectionHead title={community.name} />
          <ul className="stack">
            {tasks.map((task) => (
              <li key={task.id}>
                <TaskCard
                  mark="slot"
                  title={task.title}
                  meta={kindWord(task.kind)}
                  points={task.points}
                  onPress={() => onPick({ community, task })}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {isPending && <Skeleton rows={2} />}
      {open.length === 0 && !isPending && away.length + broken.length === 0 && !more && <NoTasks kinds={kinds} />}
      {away.length > 0 && <p className="text-small text-muted">{m.shell_share_missing({ names: listing(away) })}</p>}
      {broken.length > 0 && <p className="text-small text-muted">{m.shell_share_failed({ names: listing(broken) })}</p>}
      {more && (
        <div className="actions">
          <Button kind="edge" onClick={() => setShown(shown + AT_A_TIME)}>
            {m.shell_share_more()}
          </Button>
        </div>
      )}
    </div>
  );
}

const WAITING: ReadonlySet<TaskState> = new Set(['open', 'rejected', 'changes']);
/** Matching tasks without an answer, or with one that was sent back. */
function openTasks(dashboard: Dashboard, outbox: ReturnType<typeof useOutbox>, kinds: SharedKinds): TaskWithClaim[] {
  return dashboard.tasks
    .map((task) => viewTask(dashboard.community.id, task, outbox))
    .filter(({ state, task }) => kinds.has(task.kind) && WAITING.has(state))
    .map(({ task }) => task);
}

function NoTasks({ kinds }: { kinds: SharedKinds }) {
  return kinds.has('submit_image') ? (
    <Empty title={m.shell_share_no_pictures()} line={m.shell_share_no_pictures_line()} />
  ) : (
    <Empty title={m.shell_share_no_tasks()} line={m.shell_share_no_tasks_line()} />
  );
}

function NoCommunities() {
  return (
    <Empty
      title={m.shell_share_no_communities()}
      line={m.shell_share_no_communities_line()}
      action={<ButtonLink to="/explore-communities">{m.shell_explore()}</ButtonLink>}
    />
  );
}
