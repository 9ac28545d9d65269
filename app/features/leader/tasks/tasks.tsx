import './tasks.css';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import { SEARCH_MAX } from '../../../../server/contract/limits.ts';
import type { LeaderTask, TaskStatus } from '../../../../server/contract/tasks.ts';
import { kindOf, kindWord } from '../../../kinds/kinds.ts';
import { leaderPartsOf } from '../../../kinds/leader.ts';
import { number, stampTime } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { useSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { CommandButton, Confirm, Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { recurrenceWord } from '../../../shared/tasks/words.ts';
import { Button, ButtonLink, IconButton } from '../../../ui/button.tsx';
import { Card, Chip, Points, SectionHead } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { Sheet } from '../../../ui/sheet.tsx';
import { Empty, Reading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { GrantSheet } from './grant-sheet.tsx';
import { TaskEditor } from './task-editor.tsx';
import { MoveHandle, OrderHint, useTaskOrder } from './task-order.tsx';
import { TaskPreview } from './task-preview.tsx';

const STATUSES = ['live', 'scheduled', 'draft', 'archived'] as const satisfies readonly TaskStatus[];
const STATUS_WORDS: Record<TaskStatus, () => string> = {
  live: m.leader_tasks_live,
  scheduled: m.leader_tasks_scheduled,
  draft: m.leader_tasks_draft,
  archived: m.leader_tasks_archived,
};

/** All tasks of a community: up to four pages, and few have more than one. */
function useTasks(communityId: string) {
  const first = useQuery(read('GET /api/communities/:communityId/tasks', { communityId }));
  const second = useNextPage(communityId, first.data?.next);
  const third = useNextPage(communityId, second?.next);
  const fourth = useNextPage(communityId, third?.next);
  return { first, tasks: [first.data, second, third, fourth].flatMap((page) => page?.items ?? []) };
}
function useNextPage(communityId: string, after: string | null | undefined) {
  const isThere = typeof after === 'string';
  const page = useQuery({
    ...read('GET /api/communities/:communityId/tasks', { communityId }, { after: after ?? undefined }),
    enabled: isThere,
  });
  return isThere ? page.data : undefined;
}

/** A community's tasks: leaders edit, schedule, copy and archive them; moderators only read. */
export function Tasks({ community }: { community: CommunitySummary }) {
  const [search, setSearch] = useSearch('/community/$communityId/admin/tasks');
  const { first, tasks } = useTasks(community.id);
  const editing = search.edit;
  const list = useListFocus<HTMLDivElement>();
  const leads = community.role === 'leader';
  const open = (task: string | null) => setSearch({ edit: task }, task !== null);
  return (
    <div ref={list}>
      <Reading query={first}>
        {() => {
          const task = tasks.find(({ id }) => id === editing) ?? null;
          if (leads && (editing === 'new' || task?.setup))
            return (
              <>
                <SectionHead title={task ? m.leader_edit_task() : m.leader_add_task()} />
                <TaskEditor key={editing} community={community} task={task} others={tasks} onDone={() => open(null)} />
              </>
            );
          return <TaskLists community={community} tasks={tasks} onEdit={open} />;
        }}
      </Reading>
    </div>
  );
}

function TaskLists(props: { community: CommunitySummary; tasks: LeaderTask[]; onEdit: (task: string) => void }) {
  const { community, tasks } = props;
  const leads = community.role === 'leader';
  const [looking, setLooking] = useState<LeaderTask | null>(null);
  const [granting, setGranting] = useState<LeaderTask | null>(null);
  // By id, so the menu follows the task's changes.
  const [moreOf, setMore] = useState<string | null>(null);
  const more = tasks.find(({ id }) => id === moreOf) ?? null;
  const [words, setWords] = useState('');
  const [announced, setAnnounced] = useState('');
  const closeMore = useCallback(() => setMore(null), []);
  const order = useTaskOrder(
    community.id,
    tasks.filter(({ status }) => status === 'live'),
    tasks.filter(({ status }) => status !== 'live'),
  );
  const closeLook = useCallback(() => setLooking(null), []);
  const closeGrant = useCallback(() => setGranting(null), []);
  const add = (
    <Button icon="plus" onClick={() => props.onEdit('new')}>
      {m.leader_add_task()}
    </Button>
  );
  if (tasks.length === 0)
    return (
      <Empty
        title={m.leader_no_tasks()}
        line={leads ? m.leader_no_tasks_line() : m.leader_no_tasks_moderator()}
        {...(leads && { action: add })}
      />
    );
  const wanted = words.trim().toLowerCase();
  const shown = STATUSES.map((status) => ({
    status,
    of: (status === 'live' ? order.tasks : tasks.filter((task) => task.status === status)).filter(({ title }) =>
      title.toLowerCase().includes(wanted),
    ),
  })).filter(({ of }) => of.length > 0);
  return (
    <>
      <div className="task-bar">
        <Field label={m.leader_find_task()} type="search" maxLength={SEARCH_MAX} value={words} onValue={setWords} />
        {leads && add}
      </div>
      <Refused error={order.error} />
      {shown.length === 0 && <p className="text-muted">{m.leader_no_such_task({ words: words.trim() })}</p>}
      {shown.map(({ status, of }) => {
        const mayMove = leads && status === 'live' && wanted === '' && of.length > 1;
        return (
          <section key={status}>
            <SectionHead
              title={STATUS_WORDS[status]()}
              end={<span className="text-muted numeric">{number(of.length)}</span>}
            />
            {mayMove && <OrderHint />}
            <Card className="card--rows">
              <ul className="ruled-list">
                {of.map((task, at) => (
                  <li key={task.id} data-row className="leader-task">
                    {mayMove && (
                      <MoveHandle
                        task={task}
                        at={at}
                        of={of.length}
                        onPut={(to) => {
                          order.put(task.id, to);
                          setAnnounced(m.leader_moved({ task: task.title, at: number(to + 1), of: number(of.length) }));
                        }}
                      />
                    )}
                    <TaskRow
                      task={task}
                      leads={leads}
                      onOpen={() => (leads ? props.onEdit(task.id) : setLooking(task))}
                      onMore={() => setMore(task.id)}
                    />
                  </li>
                ))}
              </ul>
            </Card>
          </section>
        );
      })}
      <p className="visually-hidden" role="status">
        {announced}
      </p>
      <Sheet title={more?.title ?? ''} open={more !== null} onClose={closeMore}>
        {more && (
          <TaskMenu
            task={more}
            community={community}
            onDone={closeMore}
            onLook={() => {
              closeMore();
              setLooking(more);
            }}
            onGrant={() => {
              closeMore();
              setGranting(more);
            }}
          />
        )}
      </Sheet>
      <Sheet title={looking?.title ?? ''} open={looking !== null} onClose={closeLook}>
        {looking && <Look community={community} taskId={looking.id} />}
      </Sheet>
      <GrantSheet communityId={community.id} task={granting} onClose={closeGrant} />
    </>
  );
}

/** A task's facts in one line; a press opens the editor for leaders, the members' view for moderators. */
function TaskRow(props: { task: LeaderTask; leads: boolean; onOpen: () => void; onMore: () => void }) {
  const { task, leads } = props;
  const { waiting, approved, rejected } = task.claims;
  const counts = [
    waiting > 0 ? m.leader_task_waiting({ n: number(waiting) }) : null,
    approved > 0 ? m.leader_task_approved({ n: number(approved) }) : null,
    rejected > 0 ? m.leader_task_rejected({ n: number(rejected) }) : null,
  ].filter((count) => count !== null);
  const opens = task.status === 'scheduled' ? task.schedule.opensAt : null;
  return (
    <>
      <div className="leader-task__face">
        <h3>
          <button
            type="button"
            className="leader-task__open"
            aria-label={leads ? m.leader_edit_named({ task: task.title }) : m.leader_look_named({ task: task.title })}
            onClick={props.onOpen}
          >
            {task.title}
          </button>
        </h3>
        <p className="text-small text-muted">
          {[kindWord(task.kind), recurrenceWord(task.recurrence), ...counts].join(' · ')}
        </p>
        <p className="task-chips">
          {opens && (
            <Chip kind="cross" icon="clock">
              {m.leader_opens({ time: stampTime(opens) })}
            </Chip>
          )}
          {task.lockedBy && <Chip icon="lock">{m.leader_locked_by({ season: task.lockedBy })}</Chip>}
        </p>
      </div>
      <b>
        <Points value={task.points} />
      </b>
      <IconButton icon="more" label={m.leader_task_more({ task: task.title })} onClick={props.onMore} />
    </>
  );
}

/** The server's answer for a member, so the view cannot differ from theirs. */
function Look({ community, taskId }: { community: CommunitySummary; taskId: string }) {
  const query = useQuery(
    read('GET /api/communities/:communityId/tasks/:taskId/preview', { communityId: community.id, taskId }),
  );
  return <Reading query={query}>{(task) => <TaskPreview community={community} task={task} />}</Reading>;
}

/** A task's other actions; for a poll or scale, its results. */
function TaskMenu(props: {
  task: LeaderTask;
  community: CommunitySummary;
  onDone: () => void;
  onLook: () => void;
  onGrant: () => void;
}) {
  const { task, community } = props;
  const { setup } = task;
  const { Stands, preview } = leaderPartsOf(task.kind);
  const [asking, setAsking] = useState(false);
  const close = useCallback(() => setAsking(false), []);
  const leads = community.role === 'leader';
  const params = { communityId: community.id, taskId: task.id };
  const change = useCommand(
    (status: 'live' | 'archived', idempotencyKey) =>
      call('PATCH /api/communities/:communityId/tasks/:taskId', { params, body: { status }, idempotencyKey }),
    (changed) => {
      props.onDone();
      const words = changed.status === 'archived' ? m.leader_archived : m.leader_restored;
      toast({ icon: 'check', title: words({ task: task.title }) });
    },
  );
  const copy = useCommand(
    (_: null, idempotencyKey) =>
      call('POST /api/communities/:communityId/tasks/:taskId/copies', { params, idempotencyKey }),
    (made) => {
      props.onDone();
      toast({ icon: 'copy', title: m.leader_copied({ task: made.title }), line: m.leader_task_saved_draft() });
    },
  );
  return (
    <div className="task-menu">
      {Stands && setup && <Stands communityId={community.id} taskId={task.id} ask={preview(setup)} />}
      {task.kind === 'telegram_event' && task.status !== 'archived' && (
        <ButtonLink
          kind="edge"
          icon="code"
          to="/community/$communityId/admin/event"
          params={{ communityId: community.slug }}
          search={{ task: task.id }}
        >
          {m.leader_show_code()}
        </ButtonLink>
      )}
      {leads && kindOf(task.kind).pace === 'when-given' && task.status === 'live' && (
        <Button kind="edge" onClick={props.onGrant}>
          {m.leader_grant()}
        </Button>
      )}
      <Button kind="words" icon="eye" onClick={props.onLook}>
        {m.leader_look()}
      </Button>
      {leads && (
        <>
          <CommandButton kind="words" icon="copy" command={copy} body={null}>
            {m.leader_copy()}
          </CommandButton>
          {task.status === 'archived' ? (
            <CommandButton kind="words" command={change} body="live">
              {m.leader_restore()}
            </CommandButton>
          ) : (
            <Button kind="words" onClick={() => setAsking(true)}>
              {m.leader_archive()}
            </Button>
          )}
        </>
      )}
      {!asking && <Refused error={change.error ?? copy.error} />}
      <Confirm
        title={m.leader_archive_title({ task: task.title })}
        line={m.leader_archive_line()}
        action={m.leader_archive()}
        cancel={m.leader_keep()}
        open={asking}
        onClose={close}
        command={change}
        body="archived"
      />
    </div>
  );
}
